"""Runs that were summarised under earlier rules have no verdict, so no sentence may state one."""

from typing import Any

import pytest

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.findings.by_method import run_findings
from plumbline.results.measure_writing import replace_measures
from workers.management.reports import about

CLEAR = {"value": 0.9, "ci_low": 0.8, "ci_high": 0.95, "p_value": 0.0001, "q_value": 0.0001, "n": 40, "n_units": 20}
MEASURES = {
    "log_probability": {"statistic": "attribute_preference", "group_a": "he", "group_b": "she"},
    "gap": {"statistic": "p_neither_difference", "group_a": "women", "group_b": "men"},
    "ceat": {
        "statistic": "ceat_difference",
        "group_a": "women",
        "group_b": "(other groups)",
        "attribute": "cold - warm",
    },
    "set": {"statistic": "identity_order", "category": "nearer component", "condition": "model - chance"},
    "sodapop": {"statistic": "kmeans_accuracy", "group_a": "women", "group_b": "men"},
    "bbq": {"statistic": "s_amb", "condition": "ambig"},
    "weat": {"statistic": "effect_size", "group_a": "flowers", "group_b": "insects", "category": "pleasant - ugly"},
    "ilps": {"statistic": "kendall_tau_excess", "condition": "model"},
}
VERDICTS = ("undecided", "shown", "too few", "not testable", "could not", "differ")


def earlier(probe: str, **measure: Any) -> Run:
    run = Run.objects.create(name="old", probe=probe, model="bundled:none", spec={}, state=RunState.DONE)
    replace_measures(run.pk, [CLEAR | {"unit": "kind of sentence"} | measure])
    return run


@pytest.mark.django_db
@pytest.mark.parametrize("probe", MEASURES)
def test_no_method_states_a_verdict_that_was_never_computed(probe: str) -> None:
    run = earlier(probe, **MEASURES[probe])
    assert not [one.sentence for one in run_findings(run) if any(verdict in one.sentence for verdict in VERDICTS)]


@pytest.mark.django_db
def test_the_command_says_it_once_and_lists_the_figures() -> None:
    run = earlier("ilps", statistic="ilps_difference", group_a="women", group_b="men", attribute="nurses")
    lines = about(run)
    assert [one for one in lines if "earlier rules" in one] == [
        "Summarised under earlier rules: the figures are unchanged and have no verdict. “Summarise again” on the page"
        " of the run gives verdicts by today's rules and asks no model."
    ]
    assert any("nurses" in one for one in lines)
    assert not any("undecided" in one for one in lines[:-1])
