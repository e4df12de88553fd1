"""A table of births is read with its quirks: repeated rows, capitals, cut ethnicities."""

import gzip

import pytest

from plumbline.spec.errors import InputError
from plumbline.vocab.faults import FaultyFileError
from plumbline.vocab.proposals import table
from plumbline.vocab.proposals.table import table_of
from tests.plumbline.vocab.proposals.some_tables import HEADER, TABLE


def test_a_repeated_row_counts_once_whatever_its_case_and_both_ethnicities_are_one() -> None:
    found = table_of("t.csv", TABLE)
    assert found.counts["Minh"] == {("AS", "F"): 40}
    assert (found.rows, found.repeated, found.years) == (12, 1, (2012, 2015))


def test_rows_of_one_name_in_two_spellings_are_summed_under_the_usual_one() -> None:
    assert table_of("t.csv", TABLE).counts["McKay"] == {("AA", "F"): 60}


def test_a_packed_table_is_the_same() -> None:
    assert table_of("t.csv.gz", gzip.compress(TABLE)) == table_of("t.csv", TABLE)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("2013,OTHER,HISPANIC,Ana,4,1", "unknown gender 'OTHER'"),
        ("2013,MALE,MARTIAN,Ana,4,1", "unknown ethnicity 'MARTIAN'"),
        ("2013,MALE,HISPANIC,Ana,-4,1", "count '-4' must be whole numbers"),
        ("2013,MALE,HISPANIC,Ana,99999999999,1", "must be whole numbers"),
        ("2013,MALE,HISPANIC,,4,1", "the name is empty"),
        ("2013,MALE,HISPANIC,A\u200bna,4,1", "zero width space"),
    ],
)
def test_a_faulty_row_is_named_with_its_line(row: str, told: str) -> None:
    with pytest.raises(FaultyFileError, match=r"t\.csv: line 14: ") as refused:
        table_of("t.csv", TABLE + (row + "\n").encode())
    assert told in str(refused.value)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"name,count\nAna,3\n", "has no column 'Year of Birth'"),
        (HEADER.encode(), "has no row under its header"),
        (b"\x1f\x8b broken", "cannot be unpacked"),
        (b"PK\x03\x04", "is an Excel workbook"),
    ],
)
def test_what_is_no_table_is_reported(data: bytes, told: str) -> None:
    with pytest.raises(InputError, match=told):
        table_of("t.csv", data)


def test_a_table_that_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "MOST_UNPACKED", 100)
    with pytest.raises(InputError, match="unpacks to more than"):
        table_of("t.csv.gz", gzip.compress(TABLE))


def test_a_table_of_too_many_rows_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "MOST_ROWS", 5)
    with pytest.raises(InputError, match="more than 5 rows"):
        table_of("t.csv", TABLE)
