"""The changes of CEAT's effect sizes between two runs, from their records."""

from typing import Any

import numpy as np
import polars as pl
import pytest

from plumbline.methods.ceat.spec import CeatSpec
from plumbline.spec.audit import parse
from tests.workers.probes.ceat.test_probe import OF_GROUPS, OF_SETS
from workers.probes.ceat.comparison import NOT_PAIRED, REPEATED, measure_changes
from workers.probes.protocol import Audited
from workers.statistics import combine

RANDOM = np.random.default_rng(1)
DRAWS = 40


def audited(rows: list[tuple[Any, ...]], form: dict[str, Any], seed: int = 0) -> Audited[CeatSpec]:
    """A run with effects: group, attribute, draw, effect size, variance, sentences."""
    given = {"name": "t", "probe": "ceat", "model": "path:./m", "corpus": "path:./c", "params": {"samples": DRAWS}}
    spec = parse({**given, "seed": seed, **form})
    assert isinstance(spec, CeatSpec)
    names = ["group", "attribute", "draw", "effect_size", "variance", "sentences"]
    frame = pl.DataFrame(rows, schema=names, orient="row").with_columns(scorable=pl.lit(value=True))
    return Audited(spec, {}, lambda *_, **__: frame)


def of_group(value: float, sentences: int = 100) -> list[tuple[Any, ...]]:
    return [("women", "poor - warm", 0, value, 0.04, sentences)]


def test_groups_are_not_paired_so_that_their_variances_add_up() -> None:
    (one,) = measure_changes(audited(of_group(0.9), OF_GROUPS), audited(of_group(0.1), OF_GROUPS))
    assert (one.condition, one.group_a, one.attribute, one.category) == ("ceat", "women", "poor - warm", "Communion")
    assert one.value == pytest.approx(-0.8)
    assert one.reason == NOT_PAIRED
    assert one.ci_high is not None
    assert one.ci_high + 0.8 == pytest.approx(1.984 * np.sqrt(0.08), abs=1e-3)
    assert one.verdict == "present"


def test_a_group_that_is_named_in_other_words_is_not_compared() -> None:
    groups = {"inline": [{"label": "women", "plural": "female people"}, {"label": "men"}, {"label": "people"}]}
    other = OF_GROUPS | {"groups": groups}
    assert measure_changes(audited(of_group(0.9), OF_GROUPS), audited(of_group(0.1), other)) == []


def test_a_group_of_few_sentences_has_no_test() -> None:
    (one,) = measure_changes(audited(of_group(0.9, 20), OF_GROUPS), audited(of_group(0.1, 20), OF_GROUPS))
    assert (one.p_value, one.verdict) == (None, "not testable")


def of_sets(shift: float, sentences: int = DRAWS) -> list[tuple[Any, ...]]:
    effects = np.random.default_rng(7).normal(0.5, 0.3, DRAWS) + shift + RANDOM.normal(0, 0.05, DRAWS)
    return [("X - Y", "A - B", at + 1, float(one), 0.2 + 0.01 * at, sentences) for at, one in enumerate(effects)]


def test_two_sets_are_paired_by_draw() -> None:
    before, after = of_sets(0.0), of_sets(-0.3)
    (one,) = measure_changes(audited(before, OF_SETS), audited(after, OF_SETS))
    own = [
        combine(np.array([row[3] for row in rows]), np.array([row[4] for row in rows])).value
        for rows in (before, after)
    ]
    assert one.value == pytest.approx(own[1] - own[0])
    assert (one.unit, one.n_units, one.verdict) == ("draw", DRAWS, "present")
    # What the draws share cancels: unpaired, the interval would be about six times as wide.
    assert one.ci_low is not None
    assert one.ci_high is not None
    assert one.ci_high - one.ci_low < 0.08


def test_draws_that_repeat_sentences_have_no_test() -> None:
    (one,) = measure_changes(audited(of_sets(0.0, 9), OF_SETS), audited(of_sets(-0.3, 9), OF_SETS))
    assert (one.ci_low, one.p_value, one.reason) == (None, None, REPEATED)


def test_other_sentences_are_not_compared() -> None:
    assert measure_changes(audited(of_sets(0.0), OF_SETS), audited(of_sets(0.0), OF_SETS, seed=1)) == []
