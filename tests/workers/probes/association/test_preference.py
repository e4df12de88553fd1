"""Attribute preference (Kurita et al. 2019, Table 5): hand-worked, with rows, ties, gaps and neutral words."""

from typing import Any

import numpy as np
import pytest

from plumbline.methods.association.log_probability import CARD
from plumbline.spec.association import AssociationSpec
from plumbline.spec.audit import parse
from plumbline.spec.content import Attribute
from plumbline.spec.errors import SpecError
from plumbline.spec.measure import Measure
from workers.probes.association.preference import NONE, preferences
from workers.probes.cell_scores.shared_differences import by_family
from workers.statistics.crossed_means import crossed_mean_of_table

TITLES = [("chief", 1), ("clerk", 3), ("nurse", 1), ("guard", 5)]
LISTS = {
    "titles": [{"text": title, "category": f"{rows} row{'s' * (rows > 1)}"} for title, rows in TITLES],
    "plain": [{"text": word} for word in ("here", "there", "late")],
}


def spec_of(targets: tuple[str, ...] = ("he", "she"), **params: Any) -> tuple[AssociationSpec, dict[str, Any]]:
    snapshots = {name: {"entries": entries} for name, entries in LISTS.items()}
    found = parse(
        {
            "name": "test",
            "probe": "log_probability",
            "model": "path:./model",
            "groups": {"inline": list(targets)},
            "attributes": [{"list": name, "sha256": name} for name in LISTS],
            "templates": {"inline": ["{group} is {attribute}.", "{group} was {attribute}."]},
            "params": params,
        }
    )
    found.check(snapshots)
    assert isinstance(found, AssociationSpec)
    return found, snapshots


def told(bias: list[float], **params: Any) -> list[Measure]:
    """The measures where he exceeds she by these numbers, on average over two templates that differ."""
    scores = np.zeros((2, 2, 7))
    scores[0, 0], scores[1, 0] = np.array(bias) + 1, np.array(bias) - 1
    spec, snapshots = spec_of(**params)
    return preferences(spec, spec.materials(snapshots), scores)


def one(found: list[Measure], statistic: str, category: str, variant: str = "") -> Measure:
    (match,) = (m for m in found if (m.statistic, m.category, m.variant) == (statistic, category, variant))
    return match


def test_the_share_weighs_word_families_and_kinds_of_sentence_alike() -> None:
    """In the first kind three of four titles lean to he, in the second none: each template is a kind here."""
    share = one(told([0.5, 0.1, -2.0, 0.3, -1.0, -1.0, 1.0]), "attribute_preference", "titles")
    assert share.value == 3 / 8
    assert share.p_value == crossed_mean_of_table(np.array([[1, 0], [1, 0], [0, 0], [1, 0]]), null=0.5).p_value
    assert (share.group_a, share.group_b, share.unit) == ("he", "she", "word family and kind of sentence")
    assert (share.n_units, share.n, share.reason) == (2, 4 * 4, "")


def test_a_share_of_words_that_all_lean_alike_has_an_interval_with_a_width() -> None:
    """Two kinds, in both of which all four titles lean to he: Clopper and Pearson's limit of 2 of 2 is 0.1581."""
    share = one(told([9.0] * 7), "attribute_preference", "titles")
    assert (share.value, share.ci_high, share.p_value, share.reason) == (1.0, 1.0, 0.5, "")
    assert share.ci_low == pytest.approx(0.1581, abs=1e-4)


def test_the_paper_counts_each_attribute_once_by_its_mean_over_templates() -> None:
    words = one(told([0.5, 0.1, -2.0, 0.3, -1.0, -1.0, 1.0]), "attribute_preference", "titles", "by words")
    assert (words.value, words.p_value, words.n_units, words.unit) == (0.75, None, 4, "stimulus word")


def test_the_share_by_rows_weighs_each_title_by_its_rows() -> None:
    rows = one(told([0.5, 0.1, -2.0, -0.3, -1.0, -1.0, 1.0]), "attribute_preference", "titles", "by rows")
    assert rows.value == pytest.approx(4 / 10)
    assert (rows.n_units, rows.reason) == (4, "10 rows of 4 attributes; describes these words in these sentences")


def test_only_sets_with_rows_have_a_share_by_rows() -> None:
    assert {m.category for m in told([1.0] * 7) if m.variant == "by rows"} == {"titles"}


def test_grades_of_one_title_are_one_family() -> None:
    attributes = [Attribute(text=text) for text in ("CIVIL ENGINEER II", "ENGINEER PT", "NURSE", "NURSE (RN)")]
    attributes += [Attribute(text="RN", family="nurse")]
    table = by_family(attributes, np.array([[1.0, 0.0, 1.0, 1.0, 0.0], [1.0, 1.0, 0.0, 0.0, 0.0]]))
    assert table == pytest.approx(np.array([[0.5, 1.0], [0.5, 0.0], [1.0, 0.0]]))


def test_ties_and_attributes_without_a_score_are_counted_and_reported() -> None:
    share = one(told([0.0, 0.1, np.nan, 0.3, -1.0, -1.0, 1.0]), "attribute_preference", "titles", "by words")
    assert share.value == pytest.approx(2 / 3)
    assert share.n_units == 3
    assert "ties: 1 attribute at exactly 0" in share.reason
    assert "left out: 1 attribute with a sentence that cannot be scored" in share.reason


def test_a_set_of_which_nothing_can_be_scored_is_reported_empty() -> None:
    found = told([np.nan] * 4 + [1.0, -1.0, 1.0], neutral="plain")
    for statistic in ("attribute_preference", "median_log_probability_bias"):
        measure = one(found, statistic, "titles")
        assert (measure.value, measure.n_units) == (None, 0)
        assert measure.reason.startswith(NONE)
    assert one(found, "preference_over_neutral", "titles - plain").reason == NONE


def test_a_shift_of_all_words_moves_the_share_and_not_what_exceeds_neutral_words() -> None:
    bias = np.array([0.5, 0.1, -2.0, 0.3, -1.0, 0.2, 0.0])
    before, after = told(bias.tolist(), neutral="plain"), told((bias + 5).tolist(), neutral="plain")
    assert one(after, "attribute_preference", "titles").value == 1.0
    assert one(after, "attribute_preference", "plain", "by words").value == 1.0
    first, second = (one(found, "preference_over_neutral", "titles - plain") for found in (before, after))
    assert first.value == second.value == pytest.approx((3 + 2 + 0 + 3) / 12)
    assert first.p_value == second.p_value
    medians = [one(found, "median_log_probability_bias", "titles").value for found in (before, after)]
    assert medians == pytest.approx([0.2, 5.2])


def test_the_other_prior_is_reported_in_the_variant() -> None:
    variants = {m.variant for m in told([1.0] * 7, prior_masks="per_subword")}
    assert variants == {
        "prior_masks per_subword",
        "prior_masks per_subword, by words",
        "prior_masks per_subword, by rows",
    }


def test_three_targets_are_compared_only_where_sides_are_named() -> None:
    spec, snapshots = spec_of(("he", "she", "it"))
    assert preferences(spec, spec.materials(snapshots), np.zeros((2, 3, 7))) == []
    sided, _ = spec_of(("he", "she", "it"), sides=[["he"], ["she", "it"]], neutral="plain")
    assert {m.group_b for m in preferences(sided, sided.materials(snapshots), np.ones((2, 3, 7)))} == {"she + it"}


def test_neutral_words_must_be_a_list_of_the_audit() -> None:
    with pytest.raises(SpecError, match=r"params\.neutral names 'calm', which is not a list"):
        spec_of(neutral="calm")
    with pytest.raises(SpecError, match=r"needs two targets, or params\.sides"):
        spec_of(("he", "she", "it"), neutral="plain")


@pytest.mark.parametrize(
    ("category", "rows"), [("171 rows", 171), ("1 row", 1), ("", 1), ("negative", 1), ("0 rows", 1)]
)
def test_a_category_may_count_rows(category: str, rows: int) -> None:
    assert Attribute(text="guard", category=category).rows == rows


def test_every_statistic_is_on_the_card() -> None:
    found = {m.statistic for m in told([1.0, -1.0] * 3 + [0.5], neutral="plain")}
    assert found == {"attribute_preference", "median_log_probability_bias", "preference_over_neutral"}
    assert found <= {statistic.name for statistic in CARD.statistics}
