"""Which pages a run has: those of its method that its measures fill, and those of every run."""

from typing import Any

import pytest

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.pages.tabs import tabs_of
from plumbline.results.measure_writing import replace_measures
from tests.plumbline.judged import judged

pytestmark = pytest.mark.django_db


def names(probe: str, state: RunState, *measures: dict[str, Any]) -> list[str]:
    run = Run.objects.create(name="a", probe=probe, model="m", spec={}, state=state)
    replace_measures(
        run.pk, [judged({"unit": "passage", "n": 1, "n_units": 1, "value": 0.1} | one) for one in measures]
    )
    return [tab.name for tab in tabs_of(run)]


def test_a_method_s_page_is_there_once_a_measure_fills_it() -> None:
    filled = {"statistic": "p_neither", "group_a": "feminine"}
    assert "pronouns" not in names("gap", RunState.DONE)
    assert "pronouns" in names("gap", RunState.DONE, filled)


def test_a_finished_run_has_an_explorer_only_where_a_cell_has_a_score() -> None:
    cell = {"statistic": "ilps", "group_a": "women", "attribute": "warm"}
    assert "explorer" in names("ilps", RunState.RUNNING)
    assert "explorer" not in names("ilps", RunState.DONE, cell | {"attribute": ""})
    assert "explorer" in names("ilps", RunState.DONE, cell)


def test_a_run_of_a_method_that_is_gone_still_has_the_pages_of_every_run() -> None:
    assert names("gone", RunState.RUNNING) == ["summary", "explorer", "measures", "items", "provenance"]


def test_runs_without_records_of_groups_and_attributes_have_no_page_of_items() -> None:
    assert "items" not in names("sodapop", RunState.DONE)
    assert "items" in names("ilps", RunState.DONE)
