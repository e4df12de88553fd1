"""Two made-up GAP runs held against each other, passage by passage."""

import json
from typing import Any

import numpy as np
import polars as pl
import pytest

from plumbline.methods.gap.spec import GapSpec
from plumbline.spec.audit import parse
from tests.workers.probes.gap.made_up import passage
from workers.probes.gap.comparison import FEW, compare, measure_changes
from workers.probes.protocol import Audited

RANDOM = np.random.default_rng(3)
N = 120
PASSAGES = [passage(number) for number in range(N)]
GENDERS = ["feminine" if number % 2 == 0 else "masculine" for number in range(N)]


def audited(neither: Any, *, missing: int | None = None, **params: Any) -> Audited[GapSpec]:
    """A run with these chances of neither [N]; the rest goes to A."""
    data = {"name": "t", "probe": "gap", "model": "path:./m", "bank": {"inline": PASSAGES}}
    spec = parse(data | {"params": {"folds": 3, "topics": 3, "words": 4, **params}})
    assert isinstance(spec, GapSpec)
    answers = [[np.log(0.99 * (1 - p)), np.log(0.01 * (1 - p)), np.log(p)] for p in neither]
    gold = [one.gold for one in spec.passages({})]
    frame = pl.DataFrame(
        {
            "item": [one["id"] for one in PASSAGES],
            "group": GENDERS,
            "gold": gold,
            "logits": [None if at == missing else json.dumps(one) for at, one in enumerate(answers)],
            "chosen": [None if at == missing else int(np.argmax(one)) for at, one in enumerate(answers)],
        },
        schema_overrides={"logits": pl.String},
    )
    return Audited(spec, {}, lambda *_, **__: frame)


def by_label(changes: Any) -> dict[tuple[str, str], Any]:
    return {(one.condition, one.group_a): one for one in changes}


def test_the_difference_changes_by_what_each_gender_changes_by() -> None:
    """P(neither) rises by 0.2 for feminine pronouns on average, and by nothing for masculine ones."""
    before = np.full(N, 0.1)
    after = before + np.where(np.arange(N) % 2 == 0, 0.2, 0.0) + RANDOM.uniform(-0.05, 0.05, N)
    feminine, masculine = (after - before)[::2], (after - before)[1::2]
    found = by_label(measure_changes(audited(before), audited(after)))
    error = np.sqrt(feminine.var(ddof=1) / 60 + masculine.var(ddof=1) / 60)
    for name in ("p_neither_difference", "p_neither_excess_difference"):
        one = found[name, "feminine"]
        assert one.value == pytest.approx(feminine.mean() - masculine.mean())
        assert (one.ci_high - one.ci_low) / (2 * 1.98) == pytest.approx(error, rel=0.02)
        assert (one.group_b, one.n_units, one.smallest_effect, one.verdict) == ("masculine", N, 0.05, "present")


@pytest.mark.parametrize(("each", "verdict", "reason"), [(29, "not testable", FEW), (30, "present", "")])
def test_a_change_of_few_passages_of_a_gender_has_an_interval_and_no_verdict(
    each: int, verdict: str, reason: str
) -> None:
    before = np.full(N, 0.1)
    after = before + np.where(np.arange(N) % 2 == 0, 0.3, 0.0) + RANDOM.uniform(-0.05, 0.05, N)
    runs = (audited(before), audited(after))
    some = [Audited(one.spec, {}, lambda *_, read=one.read, **__: read("choice").head(2 * each)) for one in runs]
    one = by_label(measure_changes(*some))["p_neither_difference", "feminine"]
    assert (one.verdict, one.reason, one.ci_low is None) == (verdict, reason, False)


def test_accuracy_changes_by_the_passages_that_became_right() -> None:
    """Where neither is likelier than 0.5, the answer is neither: right in a third of the passages, else A."""
    gold = np.array([one["a_coref"] for one in PASSAGES]), np.array([one["b_coref"] for one in PASSAGES])
    is_neither = ~gold[0] & ~gold[1]
    found = by_label(measure_changes(audited(np.full(N, 0.2)), audited(np.where(is_neither, 0.8, 0.2))))
    assert found["accuracy", ""].value == pytest.approx(is_neither.mean())
    assert {name for (_, name) in found} == {"", "feminine", "masculine"}
    assert found["accuracy", ""].verdict == "present"


def test_a_run_that_answers_alike_is_unchanged() -> None:
    neither = RANDOM.uniform(0.05, 0.4, N)
    found = by_label(measure_changes(audited(neither), audited(neither + RANDOM.normal(0, 0.001, N))))
    assert found["p_neither_difference", "feminine"].verdict == "absent"
    assert found["accuracy", ""].verdict == "absent"


def test_only_passages_that_both_answered_count() -> None:
    neither = np.full(N, 0.2)
    first, second = audited(neither, missing=0), audited(RANDOM.uniform(0.1, 0.3, N))
    counted = compare(first, second)
    assert (counted.paired, counted.not_scorable, counted.only_first, counted.only_second) == (N - 1, 1, 0, 0)
    assert by_label(measure_changes(first, second))["accuracy", ""].n == N - 1


def test_classifiers_of_other_params_are_not_compared() -> None:
    neither = RANDOM.uniform(0.1, 0.3, N)
    assert measure_changes(audited(neither), audited(neither, hidden=5)) == []
    assert measure_changes(audited(neither), audited(neither, resamples=150)) != []
