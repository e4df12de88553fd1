"""Two made-up runs of the indirect probe held against each other."""

import numpy as np
import polars as pl
import pytest

from plumbline.methods.indirect.spec import IndirectSpec
from plumbline.spec.errors import InputError
from tests.workers.probes.indirect.answered import read_of
from tests.workers.probes.indirect.made import Floats, made_spec, side, tables
from workers.probes.indirect.comparison import compare, measure_changes
from workers.probes.protocol import Audited

RANDOM = np.random.default_rng(5)


def audited(spec: IndirectSpec, bs1: Floats, bs2: Floats, *, averages: bool = False) -> Audited[IndirectSpec]:
    """`averages`: recorded as by a release that kept no template."""
    frames = [side(spec, name, found - 3) for name, found in (("target_bridge", bs1), ("bridge_feature", bs2))]
    if averages:
        frames = [frame.with_columns(template=pl.lit(None, dtype=pl.String)) for frame in frames]
    return Audited(spec, {}, read_of(tables(*frames)))


def test_each_cell_is_the_difference_of_its_scores_over_the_names_of_both() -> None:
    spec = made_spec(40, 2, 3)
    (x, y), (u, v) = ((RANDOM.normal(size=(1, 40, 2)), RANDOM.normal(size=(1, 40, 3))) for _ in range(2))
    x[0, 7] = np.nan
    found = compare(audited(spec, x, y), audited(spec, u, v))
    kept = np.delete(np.arange(40), 7)
    for one in found.measures:
        target, feature = int(one.group_a[-1]), int(one.attribute[-1])
        before, after = (np.corrcoef(a[0, kept, target], b[0, kept, feature])[0, 1] for a, b in ((x, y), (u, v)))
        assert one.value == pytest.approx(after - before)
        assert (one.n, one.unit) == (39, "name")
        assert one.ci_low is not None
        assert one.q_value is not None
    assert (len(found.measures), found.only_first, found.only_second, found.not_scorable) == (6, 0, 0, 0)


def test_what_only_one_run_asked_or_could_score_is_counted() -> None:
    first, second = made_spec(40, 2, 3), made_spec(40, 3, 2)
    bs1, bs2 = RANDOM.normal(size=(1, 40, 3)), RANDOM.normal(size=(1, 40, 3))
    bs2[:, 3:, 1] = np.nan
    found = compare(audited(first, bs1[..., :2], bs2), audited(second, bs1, bs2[..., :2]))
    assert {(one.group_a, one.attribute) for one in found.measures} == {
        (f"target {number}", "feature 0") for number in (0, 1)
    }
    assert {one.p_value for one in found.measures} == {1.0}
    assert (found.only_first, found.only_second, found.not_scorable) == (2, 2, 2)


def test_a_run_of_before_records_of_each_template_can_be_compared() -> None:
    spec, bs1, bs2 = made_spec(40, 2, 2), RANDOM.normal(size=(1, 40, 2)), RANDOM.normal(size=(1, 40, 2))
    asked_again = made_spec(40, 2, 2, templates=(2, 3, 0))
    again = audited(asked_again, np.repeat(bs1, 2, axis=0), np.repeat(bs2, 3, axis=0))
    found = compare(audited(spec, bs1, bs2, averages=True), again)
    assert [one.value for one in found.measures] == pytest.approx([0] * 4)


def test_causal_and_masked_scores_are_not_held_against_each_other() -> None:
    masked, causal = made_spec(40, 2, 2), made_spec(40, 2, 2, variant="causal")
    nothing = read_of({})
    with pytest.raises(InputError, match="an estimator of its own"):
        compare(Audited(masked, {}, nothing), Audited(causal, {}, nothing))


def _within(x: Floats, y: Floats, groups: list[str]) -> float:
    """Return r of scores centred on their group."""
    centred = []
    for values in (x, y):
        means = {one: values[[at for at, own in enumerate(groups) if own == one]].mean() for one in groups}
        centred.append(values - [means[one] for one in groups])
    return float(np.corrcoef(*centred)[0, 1])


def test_the_correlation_within_groups_changes_beside_that_of_their_means() -> None:
    """A lone name has no group to be centred on, so it does not count."""
    groups = [*(["a", "b", "c"] * 20), "alone"]
    spec = made_spec(61, 2, 2, groups=groups)
    (x, y), (u, v) = ((RANDOM.normal(size=(1, 61, 2)), RANDOM.normal(size=(1, 61, 2))) for _ in range(2))
    x[0, :, 0] += [5.0 * (one == "a") for one in groups]
    found = measure_changes(audited(spec, x, y), audited(spec, u, v))
    assert {one.condition for one in found} == {"within_group_correlation"}
    assert len(found) == 4
    for one in found:
        target, feature = int(one.group_a[-1]), int(one.attribute[-1])
        before, after = (_within(a[0, :60, target], b[0, :60, feature], groups[:60]) for a, b in ((x, y), (u, v)))
        assert one.value == pytest.approx(after - before)
        assert (one.n, one.unit, one.smallest_effect) == (60, "name", 0.1)


def test_a_link_that_was_removed_is_a_change_and_what_stayed_is_none() -> None:
    """The first target and feature share names before and not after; those of the second pair are the same."""
    spec = made_spec(200, 2, 2)
    shared, x, y = RANDOM.normal(size=200), RANDOM.normal(size=(1, 200, 2)), RANDOM.normal(size=(1, 200, 2))
    before = x.copy(), y.copy()
    for one in before:
        one[0, :, 0] = one[0, :, 0] * 0.5 + shared
    found = measure_changes(audited(spec, *before), audited(spec, x, y))
    changed = {(one.group_a, one.attribute): one for one in found}
    assert {one.condition for one in found} == {"indirect_log_probability_bias"}
    link = changed["target 0", "feature 0"]
    assert link.verdict == "present"
    assert link.value == pytest.approx(-0.8, abs=0.15)
    assert changed["target 1", "feature 1"].verdict == "absent"


def test_changes_of_causal_and_masked_scores_are_refused() -> None:
    masked, causal = made_spec(40, 2, 2), made_spec(40, 2, 2, variant="causal")
    nothing = read_of({})
    with pytest.raises(InputError, match="an estimator of its own"):
        measure_changes(Audited(masked, {}, nothing), Audited(causal, {}, nothing))
