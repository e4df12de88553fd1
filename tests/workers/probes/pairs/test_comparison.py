"""The changes of shares and of GEST's ratios between two runs, against the measures of both runs."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest

from plumbline.methods.pairs.content import MEN, WOMEN
from plumbline.methods.pairs.spec import PairsSpec
from plumbline.spec.audit import parse
from plumbline.spec.measure import Measure
from tests.workers.probes.pairs.test_summary import SCHEMA, pair
from workers.probes.pairs.comparison import compare, measure_changes
from workers.probes.pairs.summary import summarise
from workers.probes.protocol import Audited

Entries = Sequence[dict[str, Any]]
Scores = Sequence[tuple[str, str, float | None]]
RANDOM = np.random.default_rng(5)
PAIRS = [pair(f"p{at}", category="work" if at < 24 else "age") for at in range(48)]
GEST = [
    {"id": f"{number} {at}", "sentence": f"I am {number} {at}.", "stereotype": number}
    for number in (*WOMEN, *MEN)
    for at in range(4)
]


def audited(entries: Entries, scores: Scores) -> Audited[PairsSpec]:
    """A run with scores by item, score and template; None is not scorable."""
    spec = parse({"name": "t", "probe": "pairs", "model": "bundled:none", "bank": {"list": "b", "sha256": "0"}})
    assert isinstance(spec, PairsSpec)
    snapshots = {"0": {"entries": entries}}
    types = {item.id: item.category for item in spec.items(snapshots)}
    rows = [
        (
            item,
            types[item],
            "crows" if not template else "gest_masked",
            template,
            score,
            0.0,
            score,
            score is not None,
            None,
        )
        for item, template, score in scores
    ]
    frame = pl.DataFrame(rows, schema=SCHEMA, orient="row")
    return Audited(spec, snapshots, lambda *_, **__: frame)


def own_measures(run: Audited[PairsSpec]) -> list[Measure]:
    return summarise(run.spec, run.spec.items(run.snapshots), run.read("pair"))


def difference(first: Audited[PairsSpec], second: Audited[PairsSpec], change: Measure) -> float:
    """The later measure minus the earlier one with the labels of a change; of ratios the logarithm."""
    values = []
    for run in (first, second):
        (one,) = [
            one
            for one in own_measures(run)
            if (one.statistic, one.category, one.attribute, one.template)
            == (change.condition, change.category, change.attribute, change.template)
            and not one.condition
            and not one.variant
        ]
        assert one.value is not None
        values.append(math.log(one.value) if one.statistic == "gest_r" else one.value)
    return values[1] - values[0]


def shares(
    before: Sequence[float | None], after: Sequence[float | None]
) -> tuple[Audited[PairsSpec], Audited[PairsSpec]]:
    first, second = (
        audited(PAIRS, [(one["id"], "", score) for one, score in zip(PAIRS, scores, strict=True)])
        for scores in (before, after)
    )
    return first, second


def test_each_share_changes_by_what_the_runs_differ_in() -> None:
    before, after = RANDOM.normal(0.4, 1.0, (2, 48))
    runs = shares(before.tolist(), after.tolist())
    changes = measure_changes(*runs)
    assert [(one.condition, one.category) for one in changes] == [
        ("crows_share", ""), ("crows_share", "work"), ("crows_share", "age"),
    ]  # fmt: skip
    for one in changes:
        assert one.statistic == "measure_change"
        assert one.value == pytest.approx(difference(*runs, one))
        assert one.smallest_effect == 0.05
    assert [one.n_units for one in changes] == [48, 24, 24]


def test_a_preference_that_a_variant_loses_is_present_as_a_change() -> None:
    runs = shares([1.0] * 48, [1.0, -1.0] * 24)
    whole, work, _ = measure_changes(*runs)
    assert (whole.value, whole.verdict, work.verdict) == (-0.5, "present", "present")
    assert whole.ci_high is not None
    assert whole.ci_high < 0
    assert whole.q_value is not None
    assert work.q_value is not None
    # One family over all changes: the largest p of three stays as it is.
    assert max(one.q_value or 0.0 for one in (whole, work)) < 0.05


def test_few_pairs_have_an_interval_and_no_verdict() -> None:
    few = [pair(f"p{at}") for at in range(19)]
    runs = [audited(few, [(one["id"], "", sign) for one in few]) for sign in (1.0, -1.0)]
    (whole, _) = measure_changes(*runs)
    assert whole.verdict == "not testable"
    assert "20 units" in whole.reason


def test_a_pair_that_one_run_cannot_score_counts_in_no_change() -> None:
    first, second = shares([1.0] * 48, [None, *[-1.0] * 47])
    assert measure_changes(first, second)[0].n == 47
    found = compare(first, second)
    assert (found.paired, found.not_scorable, found.only_first, found.measures) == (47, 1, 0, [])


def test_pairs_of_one_family_are_one_unit() -> None:
    entries = [pair(f"p{at}", family=str(at // 2)) for at in range(48)]
    scores = RANDOM.normal(size=48)
    runs = [
        audited(entries, [(one["id"], "", x) for one, x in zip(entries, s, strict=True)]) for s in (scores, -scores)
    ]
    assert measure_changes(*runs)[0].n_units == 24


@pytest.mark.parametrize("templates", [["a"], ["a", "b"]])
def test_ratios_of_gest_change_on_the_logarithm(templates: list[str]) -> None:
    def run() -> Audited[PairsSpec]:
        return audited(GEST, [(one["id"], name, float(RANDOM.normal())) for one in GEST for name in templates])

    runs = run(), run()
    changes = measure_changes(*runs)
    rows = len(templates) + (len(templates) > 1)
    assert len(changes) == rows * 17
    for one in changes:
        assert one.value == pytest.approx(difference(*runs, one))
    assert {one.smallest_effect for one in changes} == {0.22}


def test_a_stereotype_rate_that_vanishes_is_a_change_over_stereotypes() -> None:
    linked = [(one["id"], "a", 2.0 * (one["stereotype"] in MEN) + float(RANDOM.normal(0, 0.1))) for one in GEST]
    equal = [(one["id"], "a", 1.0 + float(RANDOM.normal(0, 0.1))) for one in GEST]
    changes = measure_changes(audited(GEST, linked), audited(GEST, equal))
    (rate,) = [one for one in changes if one.condition == "gest_log_g_s"]
    assert (rate.verdict, rate.n_units, rate.unit) == ("present", 16, "stereotype")
    assert rate.value == pytest.approx(-2.0, abs=0.1)
