"""Findings in words, from a handful of measures."""

from plumbline.results.findings import contrasts, sentences
from plumbline.spec.measure import Measure


def difference(attribute: str, value: float | None, q: float | None, **more: object) -> Measure:
    labels = {"statistic": "ilps_difference", "group_a": "women", "group_b": "men", "attribute": attribute} | more
    return Measure(unit="template", n=12, n_units=12, value=value, q_value=q, **labels)  # type: ignore[arg-type]


MEASURES = [
    difference("nurses", 1.0, 0.01),
    difference("nannies", 2.0, 0.2),
    difference("captains", -1.5, 0.001),
    difference("opticians", None, None, reason="no scorable item"),
    difference("nurses", 1.2, 0.01, statistic="ilps_difference_centred"),
    difference("", -0.25, 0.3, ci_low=-0.5, ci_high=0.1, category="occupations"),
]


def test_the_strongest_come_first_and_on_their_own_side() -> None:
    (contrast,) = contrasts(MEASURES, "ilps_difference")
    assert [one.attribute for one in contrast.strongest(True)] == ["nannies", "nurses"]
    assert [one.attribute for one in contrast.strongest(False)] == ["captains"]
    assert [one.attribute for one in contrast.significant(True)] == ["nurses"]


def test_three_sentences_tell_counts_strongest_and_what_this_cannot_tell() -> None:
    (contrast,) = contrasts(MEASURES, "ilps_difference")
    first, second, third = sentences("path:./model", contrast)
    assert first.startswith("Of 4 attributes, path:./model ties 1 more to women than to men, and 1 more to men")
    assert "q < 0.05, 12 template frames" in first
    assert "all words share a shift of -0.25 [-0.50, +0.10] over occupations" in first
    assert second.endswith('1 leans to women (most of all "nurses"), and none leans to men (q < 0.05).')
    assert "no proof of fairness" in third


def test_a_run_without_differences_has_no_findings() -> None:
    assert contrasts(MEASURES, "log_probability_bias") == []
