"""Cells out of the measures."""

import pytest

from plumbline.results.grid import CELLS, Cell, cell, cells
from plumbline.results.measure_writing import replace_measures

pytestmark = pytest.mark.django_db


def measure(group: str, attribute: str, value: float | None = 0.1, **more: object) -> dict[str, object]:
    own = {"statistic": "ilps", "group_a": group, "attribute": attribute, "value": value, "n": 3}
    return own | ({"reason": "no scorable item"} if value is None else {}) | more


def test_cells_come_in_the_order_in_which_they_were_written() -> None:
    replace_measures(1, [measure("women", "warm"), measure("men", "warm", None), measure("men", "cold", 1 / 3)])
    replace_measures(2, [measure("men", "warm", 9.0)])
    found = cells(1, "ilps")
    assert found.columns == list(CELLS)
    assert found.select("group_a", "attribute", "value", "n", "reason").rows() == [
        ("women", "warm", 0.1, 3, ""),
        ("men", "warm", None, 3, "no scorable item"),
        ("men", "cold", 1 / 3, 3, ""),
    ]


def test_overall_values_and_those_of_one_template_are_no_cells() -> None:
    replace_measures(1, [measure("women", ""), measure("women", "warm", template="{group} {attribute}")])
    assert cells(1, "ilps").is_empty()
    assert cells(1, "ilps").schema == CELLS


def test_one_cell_of_several_runs() -> None:
    replace_measures(1, [measure("women", "warm", 0.5), measure("men", "warm")])
    replace_measures(2, [measure("women", "warm", group_b="men")])
    replace_measures(3, [measure("women", "warm", None)])
    found = cell([1, 2, 3], Cell("ilps", "women", "", "warm"))
    assert {run: columns["value"] for run, columns in found.items()} == {1: 0.5, 3: None}


def test_a_variant_is_chosen_only_where_it_is_named() -> None:
    replace_measures(1, [measure("women", "warm", 0.5, variant="run:3"), measure("women", "cold", variant="run:4")])
    assert cells(1, "ilps").height == 2
    assert cells(1, "ilps", "run:3")["value"].to_list() == [0.5]
