"""A grid as arrays, and as a file."""

import polars as pl
import pytest

from plumbline.pages.grid import choices, domain, file, payload
from plumbline.results.grid import CELLS
from plumbline.spec.numbers import number
from plumbline.spec.registry import PROBES


def cells(*rows: tuple[object, ...]) -> pl.DataFrame:
    """Rows of group, other, attribute, value."""
    full = [(a, b, attribute, "", value, None, None, None, "", 1, "") for a, b, attribute, value in rows]
    return pl.DataFrame(full, schema=CELLS, orient="row")


def test_cells_that_were_not_asked_stay_empty_and_without_a_reason() -> None:
    found = payload(cells(("a", "", "x", 1.0), ("b", "", "y", 2.0)))
    assert found["value"] == [1.0, None, None, 2.0]
    assert found["reason"] == [0, None, None, 0]


def test_each_value_has_the_two_ends_of_its_interval() -> None:
    rows = [
        ("a", "", "x", "", 0.52, 0.314, 0.943, 0.01, "present", 9, ""),
        ("a", "", "y", "", -0.2, -0.41, 0.03, 0.2, "undecided", 9, ""),
        ("a", "", "z", "", 0.1, None, None, None, "not testable", 1, "one template"),
    ]
    found = payload(pl.DataFrame(rows, schema=CELLS, orient="row"))
    assert found["low"] == [0.31, -0.41, None]
    assert found["high"] == [0.94, 0.03, None]
    assert found["present"] == [1, 0, 0]


@pytest.mark.parametrize("value", [0.634999, -1.23456, 0.0949, 0.000123456, -0.02, 12.3456, 0.0])
def test_values_travel_as_pages_write_them(value: float) -> None:
    (sent,) = payload(cells(("a", "", "x", value)))["value"]
    assert sent == float(number(value))


def test_no_cells_are_an_empty_grid() -> None:
    found = payload(cells())
    assert (found["rows"], found["columns"], found["value"], found["reasons"]) == ([], [], [], [""])
    assert found["domain"] == 1.0


def test_the_colours_end_where_nearly_all_values_do() -> None:
    values = pl.Series([float(value) for value in range(-100, 100)] + [1e6, None])
    assert domain(values) == 99.0
    assert domain(pl.Series([0.0, 0.0])) == 1.0
    assert domain(pl.Series([0.123, -0.0456])) == 0.12


def test_every_probe_names_statistics_of_its_own_card() -> None:
    for probe, method in PROBES.items():
        named = {one.name for one in method.card.statistics}
        assert {choice.statistic.name for choice in choices(probe, None)} <= named
        has_sentences = "association" in method.card.tables
        assert len(choices(probe, 7)) == len(choices(probe, None)) + has_sentences
    assert choices("crystal_ball", 7) == []


@pytest.mark.parametrize(("probe", "unit"), [("ilps", "natural log"), ("weat", "cosine"), ("ceat", "cosine")])
def test_a_change_is_in_the_unit_of_the_items_that_it_is_of(probe: str, unit: str) -> None:
    assert choices(probe, 7)[-1].statistic.unit == unit


def test_a_file_keeps_numbers_and_disarms_texts() -> None:
    title, header, row = file(cells(("@a", "", "x, y", -0.5)), {"title": "-sum"}).splitlines()
    assert title == "# title,'-sum"
    assert header == ",".join(CELLS)
    assert row == '\'@a,"","x, y","",-0.5,,,,"",1,""'
