"""manage.py names propose writes what vocab import reads, and makes nothing."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from plumbline.vocab.models import Name, NameList
from tests.plumbline.vocab.proposals.some_tables import TABLE
from tests.plumbline.vocab.some_seeds import load_seeds

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "births.csv"
    path.write_bytes(TABLE)
    return path


def test_a_proposal_can_be_imported_and_shows_how_it_compares(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    load_seeds("sodapop-names")
    out = tmp_path / "names.csv"
    call_command("names", "propose", str(table), "--race-min", "0.8", "--out", str(out))
    told = capsys.readouterr().err
    assert "12 rows, 1 of them repeated; births of 2012 to 2015; 5 names, 3 of them proposed." in told
    assert "Hispanic men: 1 of 30 published names are proposed, 0 others too." in told
    assert "not proposed: Adriel: not in the table" in told
    assert NameList.objects.count() == 1
    call_command("vocab", "import", "names", str(out), "--list", "mine")
    ana = Name.objects.get(word_list__slug="mine", name="Ana")
    assert (ana.group, ana.pronoun, ana.frequency) == ("Hispanic women", "she", 50)
    assert ana.note == "Proportion_r 0.800, Proportion_g 1.000, low"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--race-min", "1.5"), "--race-min is 1.5; give a share from 0 to 1"),
        (("--gender-min", "nan"), "--gender-min is nan"),
        (("--races", "XX"), "unknown race 'XX'; the codes are AS, HS, AA, EA"),
        (("--compare", "nothing"), "there is no names list 'nothing'"),
        (("--compare", "", "--out", "/nowhere/names.csv"), "cannot write /nowhere/names.csv"),
    ],
)
def test_wrong_input_ends_with_exit_status_2(table: Path, arguments: tuple[str, ...], told: str) -> None:
    with pytest.raises(CommandError, match=told) as refused:
        call_command("names", "propose", str(table), *arguments)
    assert refused.value.returncode == 2
