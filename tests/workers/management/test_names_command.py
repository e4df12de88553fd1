"""manage.py names generate proposes a model's own names, and agreement compares two runs."""

from pathlib import Path

import pytest
from django.core.management import call_command

from plumbline.vocab.models import Attribute, AttributeSet, Name, NameList
from tests.workers.tiny import save_tiny_bert

pytestmark = pytest.mark.django_db
TEMPLATE = "{name} is in {target}."


@pytest.fixture
def model(tmp_path: Path) -> str:
    return f"path:{save_tiny_bert(tmp_path / 'model', seed=1)}"


@pytest.fixture(autouse=True)
def _words() -> None:
    fixed = NameList.objects.create(slug="fixed", title="Fixed")
    rows = {"Warm": ("women", "F"), "Poor": ("men", "M"), "Sharon": ("women", "F")}
    for name, (group, gender) in rows.items():
        Name.objects.create(word_list=fixed, name=name, group=group, gender=gender)
    other = NameList.objects.create(slug="other", title="Other")
    Name.objects.create(word_list=other, name="Most")
    targets = AttributeSet.objects.create(slug="targets", title="Targets")
    Attribute.objects.bulk_create(Attribute(word_list=targets, text=text) for text in ("men", "people"))


def generate(model: str, *others: str, least: str = "0.000001") -> None:
    given = ("--templates", TEMPLATE, "--targets", "targets", "--compare", "fixed", "--least", least)
    call_command("names", "generate", model, *given, *others)


def status(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        call_command("names", *arguments)
    return int(ended.value.code or 0)


def test_the_names_are_shown_beside_the_fixed_list_and_can_be_imported(
    model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    generate(model, "--out", str(tmp_path / "names.csv"))
    told = capsys.readouterr().err
    assert "2 sentences about 2 words. On average " in told
    assert "3 names of a probability of at least 1e-06; 2 of them are in fixed (gender: F 1, M 1)." in told
    assert "Of the 3 names of fixed the model splits 1, and 0 are less likely." in told
    assert "Likely words in no list of names: " in told
    assert NameList.objects.count() == 2
    call_command("vocab", "import", "names", str(tmp_path / "names.csv"), "--list", "mine")
    warm, most = (Name.objects.get(word_list__slug="mine", name=name) for name in ("Warm", "Most"))
    assert (warm.group, warm.gender) == ("women", "F")
    assert warm.note.endswith("; in fixed")
    assert (most.group, most.note.endswith("; not in fixed")) == ("", True)


def test_a_cut_leaves_out_less_likely_names(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    generate(model)
    rows = capsys.readouterr().out.splitlines()[1:]
    second = float(rows[1].split("p = ")[1].split(" ")[0])
    generate(model, least=str(second * 1.01))
    assert len(capsys.readouterr().out.splitlines()) == 2


@pytest.mark.parametrize(
    ("others", "told"),
    [
        (("--least", "0"), "--least is 0; give a probability"),
        (("--least", "0.9999"), "no name has a probability of 0.9999 or more"),
        (("--targets", "targets", "--templates", "They are {target}."), "has no slot {name}"),
        (("--unknown",), "has no capitals"),
        (("--templates", "gone"), "there is no templates list 'gone'"),
    ],
)
def test_wrong_input_ends_with_exit_status_2(
    model: str, others: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ("--templates", TEMPLATE, "--targets", "targets", "--compare", "fixed", "--least", "0.000001")
    assert status("generate", model, *given, *others) == 2
    assert told in capsys.readouterr().err


def test_a_slot_for_a_target_needs_words(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert status("generate", model, "--templates", TEMPLATE, "--least", "0.1") == 2
    assert "name words with --targets" in capsys.readouterr().err


def test_an_agreement_needs_two_runs_that_exist(capsys: pytest.CaptureFixture[str]) -> None:
    assert status("agreement", "999998", "999999") == 2
    assert "there is no run 999998" in capsys.readouterr().err
