"""manage.py model: a variant is made of words and a text, listed, audited by its name, and removed."""

from pathlib import Path

import pytest
from django.core.management import call_command

from plumbline.audits import variants
from plumbline.audits.launching import launch
from plumbline.audits.models import ModelUnderAudit, Run, Variant
from plumbline.spec.audit import parse
from plumbline.spec.errors import InputError
from plumbline.vocab.models import Attribute, AttributeSet
from tests.workers.debiasing.test_making import FILLERS, TEXTS
from tests.workers.debiasing.test_words import ENTRIES
from tests.workers.tiny import save_tiny_bert
from workers.engine.checkpoints.variants import variant_folder
from workers.engine.loading import locate

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: object) -> None:
    monkeypatch.setenv("MODEL_STORE", str(tmp_path / "store"))
    monkeypatch.setattr("django.conf.settings.MODEL_STORE", tmp_path / "store", raising=False)


@pytest.fixture
def model(tmp_path: Path) -> str:
    return f"path:{save_tiny_bert(tmp_path / 'model', seed=1)}"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    words = AttributeSet.objects.create(slug="gender", title="Gender")
    Attribute.objects.bulk_create(Attribute(word_list=words, **entry) for entry in ENTRIES)
    lines = [text.format(word, filler) for word in ("woman", "man") for text in TEXTS for filler in FILLERS]
    (tmp_path / "text.txt").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path / "text.txt"


def status(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        call_command("model", *arguments)
    return int(ended.value.code or 0)


def debias(model: str, corpus: Path, *others: str, words: str = "gender") -> int:
    given = ("--method", "leace", "--words", words, "--corpus", str(corpus), "--name", "fair")
    return status("debias", model, *given, *others)


def spec_of(model: str) -> dict[str, object]:
    return {
        "name": "fair",
        "probe": "ilps",
        "model": model,
        "groups": {"inline": [{"label": one, "plural": one} for one in ("women", "men")]},
        "prior": {"plural": "people"},
        "attributes": {"inline": ["poor", "warm"]},
        "templates": {"inline": ["All {group.plural} are {attribute}."]},
    }


def test_a_variant_is_entered_with_its_card(model: str, corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert debias(model, corpus) == 0
    variant = Variant.objects.get()
    assert (variant.reference, variant.digest) == ("variant:fair", locate("variant:fair").digest)
    assert variant.parent == ModelUnderAudit.objects.get(reference=model)
    assert variant.model == ModelUnderAudit.objects.get(reference="variant:fair")
    assert [part.slug for part in variant.made.lists] == ["gender"]
    assert "a fresh linear classifier names the group of" in capsys.readouterr().out


def test_the_list_shows_what_is_left(model: str, corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    debias(model, corpus)
    capsys.readouterr()
    assert status("list") == 0
    assert "variant:fair  leace" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "name", "fault"),
    [
        ("gendre", "fair", "there is no attributes list 'gendre'; did you mean gender?"),
        ("gender", "a/b", "'a/b' is no name"),
    ],
)
def test_wrong_input_is_refused_in_one_line(
    words: str, name: str, fault: str, model: str, corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert debias(model, corpus, "--name", name, words=words) == 2
    assert fault in capsys.readouterr().err
    assert not Variant.objects.exists()


def test_the_name_of_a_removed_variant_is_not_given_again(
    model: str, corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    debias(model, corpus)
    assert status("remove", "fair") == 0
    assert not variant_folder("fair").exists()
    assert Variant.objects.get().removed_at
    assert debias(model, corpus) == 2
    assert "variant:fair is the name of a variant, which was removed on" in capsys.readouterr().err


def test_a_variant_that_runs_use_is_removed_only_with_yes(
    model: str, corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    debias(model, corpus)
    launch(parse(spec_of("variant:fair")))
    assert status("remove", "fair") == 2
    assert "1 runs rest on variant:fair" in capsys.readouterr().err
    assert variant_folder("fair").exists()
    assert status("remove", "fair", "--yes") == 0
    assert Run.objects.get().model == "variant:fair"


def test_a_removed_variant_cannot_be_launched(model: str, corpus: Path) -> None:
    debias(model, corpus)
    variants.remove(Variant.objects.get())
    with pytest.raises(InputError, match=r"variant:fair was removed on .*: make it again under another name"):
        launch(parse(spec_of("variant:fair")))


def test_one_that_another_is_made_of_stays(model: str, corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    debias(model, corpus)
    assert debias("variant:fair", corpus, "--name", "fairer") == 0
    assert status("remove", "fair") == 2
    assert "variant:fairer is made of variant:fair: remove it first" in capsys.readouterr().err
