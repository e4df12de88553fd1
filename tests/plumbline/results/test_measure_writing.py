import json
from typing import Any

import polars as pl
import pytest
from django.db import IntegrityError, transaction
from sqlalchemy import select

from plumbline.results import statements
from plumbline.results.measure_writing import replace_measures
from plumbline.results.reading import read
from plumbline.results.tables import measure_revision

pytestmark = pytest.mark.django_db

ROW = {"statistic": "log_probability_bias", "group_a": "women", "group_b": "men", "value": 0.5, "n": 4}


def test_what_is_left_out_is_empty_and_overall() -> None:
    replace_measures(1, [ROW])
    (row,) = read(1, "measure").to_dicts()
    assert row.items() >= {**ROW, "run": 1, "variant": "", "template": "", "q_value": None, "n_units": 0}.items()


def test_a_runs_measures_are_replaced_whole_and_others_kept() -> None:
    replace_measures(1, [ROW, {**ROW, "attribute": "nurse"}])
    replace_measures(2, [ROW])
    assert replace_measures(1, [{**ROW, "value": 0.75}]) == 1
    assert read(1, "measure")["value"].to_list() == [0.75]
    assert read(2, "measure")["value"].to_list() == [0.5]


def test_an_undefined_value_carries_its_reason() -> None:
    replace_measures(1, [{**ROW, "value": float("nan"), "reason": "one group only", "n": 0}])
    row = read(1, "measure").row(0, named=True)
    assert (row["value"], row["reason"]) == (None, "one group only")


def test_a_frame_is_written_like_rows() -> None:
    assert replace_measures(1, pl.DataFrame([ROW, {**ROW, "variant": "released_code"}])) == 2
    assert read(1, "measure", variant="released_code")["value"].to_list() == [0.5]


def test_no_measures_leave_none() -> None:
    replace_measures(1, [ROW])
    assert replace_measures(1, []) == 0
    assert read(1, "measure").is_empty()


def test_an_unknown_key_is_refused_and_the_old_measures_stay() -> None:
    replace_measures(1, [ROW])
    with pytest.raises(ValueError, match="'colour'"):
        replace_measures(1, [{**ROW, "colour": "red"}])
    assert read(1, "measure").height == 1


COMPARED = {**ROW, "statistic": "paired_difference", "variant": "run:1"}


def test_a_runs_own_measures_and_its_comparison_are_replaced_apart() -> None:
    for value in (0.25, 0.5):
        replace_measures(2, [{**ROW, "value": value}])
        replace_measures(2, [{**COMPARED, "value": value}], compared=True)
    replace_measures(2, [{**ROW, "value": 0.75}])
    found = dict(read(2, "measure").select("statistic", "value").rows())
    assert found == {"log_probability_bias": 0.75, "paired_difference": 0.5}


@pytest.mark.parametrize(("row", "compared"), [(ROW, True), (COMPARED, False)])
def test_neither_is_written_in_the_others_place(row: dict[str, object], compared: bool) -> None:
    with pytest.raises(ValueError, match="measure of a comparison"):
        replace_measures(1, [row], compared=compared)


def test_the_comparison_with_one_run_leaves_those_with_others() -> None:
    for variant in ("run:1", "run:2", "run:2"):
        replace_measures(3, [{**COMPARED, "variant": variant}], compared=True, variant=variant)
    assert sorted(read(3, "measure")["variant"]) == ["run:1", "run:2"]
    with pytest.raises(ValueError, match="'run:1' among those of 'run:2'"):
        replace_measures(3, [COMPARED], compared=True, variant="run:2")


def test_what_is_replaced_stays_readable_as_it_was() -> None:
    replace_measures(1, [ROW])
    assert _revisions(1) == []
    replace_measures(1, [{**ROW, "value": 0.75, "verdict": "present"}])
    (kept,) = _revisions(1)
    assert (
        kept.items() >= {"statistic": "log_probability_bias", "value": 0.5, "verdict": "", "group_a": "women"}.items()
    )
    assert "id" not in kept


def test_a_comparison_that_is_repeated_leaves_no_revision() -> None:
    row = {**ROW, "statistic": "paired_difference", "variant": "run:1"}
    replace_measures(2, [row], compared=True)
    replace_measures(2, [row], compared=True)
    assert _revisions(2) == []


def test_a_verdict_that_is_none_is_refused() -> None:
    with pytest.raises(IntegrityError, match="known_verdict"), transaction.atomic():
        replace_measures(1, [{**ROW, "verdict": "maybe"}])


def _revisions(run: int) -> list[dict[str, Any]]:
    found = select(measure_revision.c.measure).where(measure_revision.c.run == run)
    return [json.loads(text) for (text,) in statements.rows(found)]
