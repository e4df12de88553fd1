"""O*NET's technology skills become attributes: distinct skills, their commodity as the family, rows and skills told.

The rows are invented; only the header is O*NET's.
"""

from pathlib import Path

import pytest
from django.core.management import call_command

from plumbline.spec.errors import InputError
from plumbline.vocab.kinds import kind_named
from plumbline.vocab.models import AttributeSet
from plumbline.vocab.reading import read

HEADER = "O*NET-SOC Code\tExample\tCommodity Code\tCommodity Title\tHot Technology"
ROWS = (
    "11-1011.00\tPlumb Sheets\t43232110\tSpreadsheet software\tY",
    "11-1021.00\tPlumb Sheets\t43232110\tSpreadsheet software\tY",
    "11-1021.00\tLine drawing, two-dimensional\t43232106\tDrawing software\tN",
    "13-2011.00\tLedger tools\t43231601\tAccounting software\tN",
)
FILE = "\n".join((HEADER, *ROWS)) + "\n"


def as_attributes(text: str) -> list[dict[str, str]]:
    return [row.cells for row in read(kind_named("attributes"), "Technology Skills.txt", text.encode()).rows]


def test_each_distinct_skill_is_one_word_with_its_commodity_as_family() -> None:
    assert as_attributes(FILE) == [
        {
            "text": "Plumb Sheets",
            "category": "Spreadsheet software",
            "family": "Spreadsheet software",
            "note": "2 occupations",
        },
        {
            "text": "Line drawing, two-dimensional",
            "category": "Drawing software",
            "family": "Drawing software",
            "note": "1 occupation",
        },
        {
            "text": "Ledger tools",
            "category": "Accounting software",
            "family": "Accounting software",
            "note": "1 occupation",
        },
    ]


@pytest.mark.parametrize(
    "header",
    [
        "O*NET-SOC Code\tT2 Type\tT2 Example\tCommodity Code\tCommodity Title",
        "O*NET-SOC Code\tTitle\tExample\tCommodity Code\tCommodity Title",
        "O*NET-SOC Code\tIn Demand\tWorkplace Example\tCommodity Code\tCommodity Title",
    ],
    ids=["tools and technology", "with titles", "newer name of the column"],
)
def test_headers_of_other_releases_are_read(header: str) -> None:
    rows = as_attributes(f"{header}\n11-1011.00\tx\tPlumb Sheets\t43232110\tSpreadsheet software\n")
    assert [row["text"] for row in rows] == ["Plumb Sheets"]


def test_rows_and_distinct_skills_are_both_told() -> None:
    (notice,) = read(kind_named("attributes"), "Technology Skills.txt", FILE.encode()).notices
    assert notice.startswith("4 rows name 3 distinct skills of 3 commodities.")


def test_a_file_of_our_own_form_is_read_as_before() -> None:
    assert as_attributes("text,category\nexample,one\n") == [{"text": "example", "category": "one"}]


def test_a_file_of_another_kind_of_list_is_not_read_as_skills() -> None:
    with pytest.raises(InputError, match="the header has no column 'name'"):
        read(kind_named("names"), "Technology Skills.txt", FILE.encode())


@pytest.mark.django_db
def test_the_command_imports_the_file_and_tells_the_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "Technology Skills.txt"
    path.write_text(FILE)
    call_command("vocab", "import", "attributes", str(path), slug="onet-skills", title="Skills of O*NET")
    out, err = capsys.readouterr()
    assert "onet-skills" in out
    assert "4 rows name 3 distinct skills" in err
    assert [one.text for one in AttributeSet.objects.get(slug="onet-skills").entries.all()] == [
        "Plumb Sheets",
        "Line drawing, two-dimensional",
        "Ledger tools",
    ]
