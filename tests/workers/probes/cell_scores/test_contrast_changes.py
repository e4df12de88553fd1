"""How differences between groups changed from one run to another."""

import numpy as np
import polars as pl
import pytest
from scipy.stats import false_discovery_control

from plumbline.spec.association import AssociationSpec
from plumbline.spec.audit import parse
from plumbline.spec.measure import Measure
from plumbline.spec.registry import PROBES
from workers.probes.cell_scores.contrast_changes import contrast_changes

VERBS = ("are", "were", "seem", "look", "feel", "stay", "grow", "sound")
TEMPLATES = [f"{{Group.plural}} {verb} {{attribute}}." for verb in VERBS]
WORDS = ["kind", "cold", "smart"]
MANY = [*WORDS, "tall", "loud", "neat", "proud", "calm"]


def spec(groups: int = 2, words: int = 3) -> AssociationSpec:
    found = parse(
        {
            "name": "before and after",
            "probe": "ilps",
            "model": "bundled:none",
            "groups": {"inline": [{"label": f"g{at}", "plural": f"g{at}"} for at in range(groups)]},
            "prior": {"mask": "one"},
            "attributes": {"inline": MANY[:words]},
            "templates": {"inline": TEMPLATES},
        }
    )
    assert isinstance(found, AssociationSpec)
    return found


def paired(earlier: np.ndarray, later: np.ndarray) -> pl.DataFrame:
    """Return the items of two runs from scores [templates, groups, words]; NaN: not scorable."""
    places = list(np.ndindex(earlier.shape))
    return pl.DataFrame(
        {
            "template": [TEMPLATES[place[0]] for place in places],
            "group": [f"g{place[1]}" for place in places],
            "attribute": [MANY[place[2]] for place in places],
            "score_a": [None if np.isnan(earlier[place]) else earlier[place] for place in places],
            "score_b": [None if np.isnan(later[place]) else later[place] for place in places],
            "in_a": True,
            "in_b": True,
        }
    )


def changes(earlier: np.ndarray, later: np.ndarray) -> list[Measure]:
    own = spec(*earlier.shape[1:])
    return contrast_changes(own, own.materials({}), paired(earlier, later), PROBES["ilps"].card)


@pytest.fixture
def scores() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(1)
    earlier = random.normal(0, 0.05, (8, 2, 3))
    later = random.normal(0, 0.05, (8, 2, 3))
    earlier[:, 0, 0] += 1.5
    return earlier, later


def test_it_is_the_mean_over_sentences_of_the_difference_in_differences(scores: tuple[np.ndarray, np.ndarray]) -> None:
    earlier, later = scores
    expected = ((later[:, 0] - later[:, 1]) - (earlier[:, 0] - earlier[:, 1])).mean(0)
    found = changes(earlier, later)
    assert [(one.group_a, one.group_b, one.attribute) for one in found] == [("g0", "g1", word) for word in (*WORDS, "")]
    assert [one.value for one in found] == pytest.approx([*expected, expected.mean()])
    assert {one.condition for one in found} == {"ilps_difference"}


def test_a_lost_association_is_present_and_what_stayed_is_absent(scores: tuple[np.ndarray, np.ndarray]) -> None:
    found = {one.attribute: one for one in changes(*scores)}
    assert (found["kind"].verdict, found["cold"].verdict) == ("present", "absent")
    assert found["kind"].value == pytest.approx(-1.5, abs=0.1)
    assert found["kind"].n_units == 8


def test_what_both_groups_lost_alike_is_no_change(scores: tuple[np.ndarray, np.ndarray]) -> None:
    earlier, _ = scores
    assert [one.value for one in changes(earlier, earlier - 3)] == pytest.approx([0, 0, 0, 0])


def test_a_list_has_its_own_change_over_word_families(scores: tuple[np.ndarray, np.ndarray]) -> None:
    earlier, _ = scores
    later = earlier.copy()
    later[:, 0] += 1.5
    (own,) = [one for one in changes(earlier, later) if not one.attribute]
    assert own.value == pytest.approx(1.5)
    assert (own.unit, own.n_units, own.verdict) == ("word family and kind of sentence", 3, "not testable")


def test_a_sentence_counts_only_where_both_runs_scored_both_groups(scores: tuple[np.ndarray, np.ndarray]) -> None:
    earlier, later = scores
    later[0, 1, 0] = earlier[1, 0, 0] = np.nan
    earlier[:, 0, 2] = np.nan
    found = {one.attribute: one for one in changes(earlier, later)}
    assert found["kind"].n_units == 6
    assert found["kind"].value == pytest.approx(((later - earlier)[2:, 0, 0] - (later - earlier)[2:, 1, 0]).mean())
    assert "smart" not in found


def test_all_changes_are_one_family() -> None:
    random = np.random.default_rng(2)
    earlier, later = random.normal(size=(2, 8, 4, 3))
    found = changes(earlier, later)
    assert len(found) == 16
    # Three words are too few to test a list.
    ordered = sorted((one for one in found if one.attribute), key=lambda one: one.p_value or 1)
    assert all(one.q_value is not None and one.q_value >= (one.p_value or 0) for one in ordered)
    assert ordered[0].reachable_q == ordered[-1].reachable_q


def test_the_change_of_a_list_is_corrected_together_with_those_of_words() -> None:
    """Source: METHODS 10, one family over all changes."""
    random = np.random.default_rng(3)
    earlier, later = random.normal(0, 0.3, (2, 8, 2, 8))
    later[:, 0] += 0.8
    found = changes(earlier, later)
    assert [one.attribute for one in found if one.p_value is None] == []
    p_values = [1.0 if abs(one.value or 0) <= 0.22 else one.p_value for one in found]
    expected = false_discovery_control(np.array(p_values, dtype=float))
    assert len(found) == 9
    assert [one.q_value for one in found] == pytest.approx(list(expected))
