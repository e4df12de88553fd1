import math
import sys
from typing import Any

import polars as pl
import pytest

from plumbline.results.columns import VIEWS
from plumbline.results.reading import digest, frames, paired, read
from plumbline.spec.errors import InputError
from tests.plumbline.results.conftest import CELLS, Item, Load

pytestmark = pytest.mark.django_db


def test_records_come_back_with_their_labels_in_order(load: Load) -> None:
    load(1, CELLS, shard=2)
    found = read(1)
    assert found.schema == pl.Schema(VIEWS["association"])
    assert found.select("template", "group", "attribute", "score", "reason").rows() == CELLS
    assert found["shard"].to_list() == [2] * len(CELLS)
    assert found["scorable"].to_list() == [True] * 4 + [False]
    assert found["log_p_target"].to_list()[0] == 1.4 - 5.0


def test_scores_are_exact_to_the_bit(load: Load) -> None:
    edges = [0.1, 5e-324, -0.0, sys.float_info.max, 1 / 3, -math.inf, 2.2250738585072014e-308]
    load(1, [("t", "g", str(number), edge, None) for number, edge in enumerate(edges)])
    assert [score.hex() for score in read(1)["score"]] == [edge.hex() for edge in edges]


@pytest.mark.parametrize(
    ("where", "rows"),
    [
        ({"group": "women"}, [0, 2]),
        ({"group": ["women", "men"], "template": "Most {group} are {attribute}."}, [2, 3, 4]),
        ({"scorable": False}, [4]),
        ({"reason": "the tokenizer cannot spell it"}, [4]),
        ({"shard": 0, "score": 1.4}, [0]),
        ({"group": "nobody"}, []),
        ({"group": []}, []),
    ],
)
def test_where_leaves_the_rows_that_have_the_values(load: Load, where: dict[str, Any], rows: list[int]) -> None:
    load(1, CELLS)
    load(2, CELLS)
    assert read(1, **where)["id"].to_list() == [read(1)["id"][row] for row in rows]


def test_a_run_without_records_has_an_empty_frame_with_all_columns() -> None:
    for name, columns in VIEWS.items():
        assert read(99, name).schema == pl.Schema(columns)
        assert read(99, name).is_empty()


def test_frames_are_never_larger_than_asked_and_leave_nothing_out(load: Load) -> None:
    load(1, CELLS)
    parts = list(frames(1, "association", rows=2))
    assert [part.height for part in parts] == [2, 2, 1]
    assert pl.concat(parts).equals(read(1))


def test_unknown_tables_and_columns_are_named_with_those_that_exist() -> None:
    with pytest.raises(InputError, match=", ".join(VIEWS)):
        read(1, "no table")
    with pytest.raises(InputError, match=r"'colour'.*attribute"):
        read(1, colour="red")


def test_the_digest_knows_content_and_not_place(load: Load) -> None:
    load(1, CELLS)
    load(2, CELLS[3:], shard=5)
    load(2, CELLS[:3][::-1], shard=1)
    assert digest(1) == digest(2)
    assert len(digest(1)) == 64


@pytest.mark.parametrize(
    "other",
    [
        [*CELLS[:4]],
        [(*CELLS[0][:3], math.nextafter(1.4, 2), None), *CELLS[1:]],
        [("All {group} are {attribute}!", *CELLS[0][1:]), *CELLS[1:]],
        [*CELLS[:4], (*CELLS[4][:4], "another reason")],
    ],
)
def test_the_digest_shows_the_least_difference(load: Load, other: list[Item]) -> None:
    load(1, CELLS)
    load(2, other)
    assert digest(1) != digest(2)


def test_runs_are_paired_item_by_item_and_missing_items_counted(load: Load) -> None:
    load(1, CELLS[:3])
    load(2, [(*CELLS[0][:3], 2.0, None), CELLS[3], CELLS[4]])
    found = {row[:3]: row[3:] for row in paired(1, 2).rows()}
    assert found == {
        CELLS[0][:3]: (1.4, 2.0, True, True),
        CELLS[1][:3]: (0.1, None, True, False),
        CELLS[2][:3]: (0.8, None, True, False),
        CELLS[3][:3]: (None, -0.25, False, True),
        CELLS[4][:3]: (None, None, False, True),
    }
    assert paired(1, 2).columns == ["template", "group", "attribute", "score_a", "score_b", "in_a", "in_b"]
