"""What an association run says of its own firmness, from scores that were put together."""

from typing import Any, cast

import numpy as np
import pytest

from plumbline.methods.association.ilps import CARD
from plumbline.spec.association import AssociationSpec
from plumbline.spec.audit import parse
from plumbline.spec.content import Attribute, Group
from plumbline.spec.materials import Materials
from plumbline.spec.measure import Measure
from workers.probes.association.robustness import INCOMPLETE, ONE_FRAME, robustness
from workers.probes.cell_scores.contrasts import contrasts
from workers.statistics.units import Floats

GROUPS = tuple(Group(label=one) for one in ("women", "men"))
KINDS, WORDS = 12, 20
GENERATOR = np.random.default_rng(0)
OWN = GENERATOR.normal(size=WORDS)
"""What the model holds of each word, by which women exceed men."""
NOISE = 0.2 * GENERATOR.normal(size=(2 * KINDS, 2, WORDS))


def materials(words: int = WORDS, paired: bool = False) -> Materials:
    """Two frames of each kind; with pairs of opposites where asked."""
    poles = ("left", "right")
    attributes = tuple(
        Attribute(text=f"w{at:02}", pole=poles[at % 2] if paired else "", pair=f"p{at // 2}" if paired else "")
        for at in range(words)
    )
    templates = tuple(f"{{Group}} {verb} {{attribute}} in {year}." for year in range(KINDS) for verb in ("is", "looks"))
    return Materials(templates, GROUPS, attributes, ("",) * words, tuple(f"kind {at // 2}" for at in range(2 * KINDS)))


def found_in(scores: Floats, of: Materials) -> list[Measure]:
    spec = parse(
        {
            "name": "test",
            "probe": "ilps",
            "model": "path:./model",
            "groups": {"inline": ["women", "men"]},
            "prior": {"plural": "people"},
            "attributes": {"inline": [one.text for one in of.attributes]},
            "templates": {"inline": list(of.templates)},
        }
    )
    return list(robustness(cast("AssociationSpec", spec), of, scores, list(contrasts(of, scores, None)), CARD))


def scored(own: Floats = OWN, noise: float = 1.0) -> Floats:
    scores = noise * NOISE
    scores[:, 0] += own
    return scores


def of(found: list[Measure], statistic: str, **labels: Any) -> list[Measure]:
    own = [one for one in found if one.statistic == statistic]
    return [one for one in own if all(getattr(one, key) == label for key, label in labels.items())]


def test_a_clear_order_is_reliable_and_noise_is_not() -> None:
    (clear,) = of(found_in(scored(), materials()), "split_half_reliability", group_b="men")
    (noisy,) = of(found_in(scored(0 * OWN), materials()), "split_half_reliability", group_b="men")
    assert clear.value is not None
    assert clear.value > 0.95
    assert noisy.value is not None
    assert noisy.value < 0.7
    assert (clear.condition, clear.n, clear.n_units) == ("ilps_difference", WORDS, KINDS)
    (needed,) = of(found_in(scored(), materials()), "kinds_needed", group_b="men")
    assert needed.value is not None
    assert needed.value < KINDS


def test_rankings_within_a_group_have_theirs_also_of_pairs_of_opposites() -> None:
    found = found_in(scored(), materials(paired=True))
    ranked = {(one.group_a, one.condition) for one in of(found, "split_half_reliability", group_b="")}
    assert ranked == {(group, what) for group in ("women", "men") for what in ("ilps", "pair_score")}


def test_components_of_the_difference_are_given_by_contrast_and_pooled() -> None:
    found = found_in(scored(), materials())
    own = {one.condition: one.value for one in of(found, "difference_variance_component", group_b="men")}
    pooled = {one.condition: one.value for one in of(found, "difference_variance_component", group_a="")}
    assert list(own) == ["word", "kind", "frame", "word x kind", "residual"]
    assert own == pytest.approx(pooled)
    assert own["word"] == pytest.approx(OWN.var(ddof=1), rel=0.1)
    assert own["residual"] == pytest.approx(2 * 0.2**2, rel=0.2)
    scores = {one.condition for one in of(found, "variance_component")}
    assert scores == {"group", "word", "kind", "frame", "group x word", "group x kind", "word x kind", "residual"}


def test_words_that_some_sentence_cannot_score_are_left_out_of_the_components() -> None:
    scores = scored()
    scores[3, 0, 5] = np.nan
    word, *_ = of(found_in(scores, materials()), "difference_variance_component", group_b="men")
    assert word.n == (WORDS - 1) * 2 * KINDS
    assert word.value == pytest.approx(np.delete(OWN, 5).var(ddof=1), rel=0.1)
    scores[3] = np.nan
    none = of(found_in(scores, materials()), "difference_variance_component", group_b="men")
    assert [(one.value, one.reason) for one in none] == [(None, INCOMPLETE)] * 5


def test_without_a_second_frame_its_component_is_that_of_the_kind() -> None:
    every, single = materials(), scored()[::2]
    one = Materials(every.templates[::2], GROUPS, every.attributes, every.categories, every.kinds[::2])
    found = {one.condition: one for one in of(found_in(single, one), "difference_variance_component", group_b="men")}
    assert (found["frame"].value, found["frame"].reason) == (None, ONE_FRAME)
    assert found["word x kind"].value == pytest.approx(2 * 0.2**2, rel=0.2)


def test_a_kind_that_reverses_the_sign_is_there_by_name_and_the_range_without_one_kind() -> None:
    scores = scored(0 * OWN + 0.05, noise=0.0)
    scores[:2, 0] = -1.5
    found = found_in(scores, materials())
    (mean,) = of(found, "leave_one_kind_out", attribute="")
    assert mean.value == pytest.approx((-1.5 + 11 * 0.05) / 12)
    assert mean.ci_low == pytest.approx((-1.5 + 10 * 0.05) / 11)
    assert mean.ci_high == pytest.approx(0.05)
    by_kind = {one.template: one.value for one in of(found, "difference_by_kind")}
    assert by_kind == pytest.approx({"kind 0": -1.5, **{f"kind {at}": 0.05 for at in range(1, KINDS)}})
    (word,) = of(found, "leave_one_kind_out", attribute="w03")
    assert word.value == pytest.approx(mean.value)
    assert word.ci_high == pytest.approx(0.05)


def test_none_of_it_is_tested() -> None:
    found = found_in(scored(), materials())
    assert not any(one.verdict or one.p_value is not None for one in found)
    assert all(one.reason for one in found)
