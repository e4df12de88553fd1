"""manage.py model debias --method cda|dropout: variants are trained, entered, continued, audited and refused."""

from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from django.core.management import call_command

from plumbline.audits import variants
from plumbline.audits.models import Run, Variant
from plumbline.vocab.models import Attribute, AttributeSet
from tests.workers.debiasing.test_words import ENTRIES
from tests.workers.management.conftest import Ended
from tests.workers.tiny import save_tiny_bert
from tests.workers.training.variant_orders import write_text
from workers.engine.checkpoints.variants import unfinished_folder, variant_folder
from workers.engine.loading import locate

pytestmark = pytest.mark.django_db
SHORT = ("--steps", "3", "--batch", "4", "--length", "24", "--threads")


@pytest.fixture(autouse=True)
def _store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEL_STORE", str(tmp_path / "store"))
    monkeypatch.setattr("django.conf.settings.MODEL_STORE", tmp_path / "store", raising=False)


@pytest.fixture
def model(tmp_path: Path) -> str:
    words = AttributeSet.objects.create(slug="gender", title="Gender")
    Attribute.objects.bulk_create(Attribute(word_list=words, **entry) for entry in ENTRIES)
    names = AttributeSet.objects.create(slug="names", title="Names")
    pair = {"Ada": "female", "Bo": "male"}
    Attribute.objects.bulk_create(
        Attribute(word_list=names, text=name, category="pair 1", group=group) for name, group in pair.items()
    )
    return f"path:{save_tiny_bert(tmp_path / 'model', seed=1)}"


@pytest.fixture
def debias(model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ended]:
    text = write_text(tmp_path)
    text.write_text(f"{text.read_text(encoding='utf-8')}\nThen Ada is here.\n", encoding="utf-8")

    def call(method: str, *others: str, of: str = model, name: str = "fair") -> Ended:
        given = ("--method", method, "--corpus", str(text), "--name", name, *SHORT, str(torch.get_num_threads()))
        with pytest.raises(SystemExit) as ended:
            call_command("model", "debias", of, *given, *others)
        streams = capsys.readouterr()
        return Ended(int(ended.value.code or 0), streams.out, streams.err)

    return call


def test_cda_with_words_and_names_is_entered_with_what_was_swapped(debias: Callable[..., Ended], model: str) -> None:
    ended = debias("cda", "--words", "gender", "names")
    assert ended.status == 0, ended.err
    variant = Variant.objects.get()
    assert [part.slug for part in variant.made.lists] == ["gender", "names"]
    assert variant.made.found["swapped"]["ada"] == {"bo": 1}
    assert variant.digest == locate("variant:fair").digest != locate(model).digest
    assert "step 3 of 3  loss" in ended.err
    assert "variant:fair: CDA with gender and names, of path:" in ended.out
    assert "swapped: man -> woman 8, woman -> man 7, ada -> bo 1" in ended.out
    assert "what is left of the groups was not measured: the text" in ended.out
    assert not unfinished_folder("fair").exists()


def test_dropout_with_words_is_not_named_for_them(debias: Callable[..., Ended]) -> None:
    ended = debias("dropout", "--words", "gender")
    assert ended.status == 0, ended.err
    assert "variant:fair: Dropout, of path:" in ended.out


def test_a_trained_variant_is_asked_in_an_audit(
    debias: Callable[..., Ended], audit: Callable[..., Ended], write_spec: Callable[..., Path]
) -> None:
    assert debias("dropout").status == 0
    assert audit("run", write_spec(probe="ilps"), "--model", "variant:fair", "--inline").status == 0
    run = Run.objects.get()
    assert (run.model, run.state) == ("variant:fair", "done")


def test_a_trained_variant_of_a_variant_outlives_its_parent(debias: Callable[..., Ended]) -> None:
    assert debias("dropout").status == 0
    assert debias("cda", "--words", "gender", of="variant:fair", name="fairer").status == 0
    variants.remove(Variant.objects.get(slug="fair"))
    assert not variant_folder("fair").exists()
    assert locate("variant:fairer").digest == Variant.objects.get(slug="fairer").digest


@pytest.mark.parametrize(
    ("method", "others", "fault"),
    [
        ("cda", (), "--method cda needs words that name groups: give --words LIST"),
        ("dropout", ("--saved", "0"), "there is no checkpoint every 0 steps: give --saved 1 or more"),
    ],
)
def test_options_that_do_not_fit_the_method_are_refused(
    method: str, others: tuple[str, ...], fault: str, debias: Callable[..., Ended]
) -> None:
    ended = debias(method, *others)
    assert (ended.status, Variant.objects.count()) == (2, 0)
    assert fault in ended.err


def test_the_list_shows_the_loss_before_and_after(
    debias: Callable[..., Ended], capsys: pytest.CaptureFixture[str]
) -> None:
    debias("dropout")
    with pytest.raises(SystemExit):
        call_command("model", "list")
    told = capsys.readouterr().out
    loss = Variant.objects.get().made.found["loss"]
    assert f"{loss['before']:.3f} -> {loss['after']:.3f}" in told
