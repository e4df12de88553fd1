"""Titles of statistics for pages, such as `Score of each group` for `ilps`."""

from functools import cache

from plumbline.spec.card import DIFFERENCE_IN_DIFFERENCES, MEASURE_CHANGE, PAIRED_DIFFERENCE, Card
from plumbline.spec.registry import PROBES


def titles(card: Card) -> dict[str, str]:
    """Return the titles of a probe's statistics by key, in the explorer's order, then the card's."""
    centred = f"{card.difference}_centred"
    keys = [one.name for one in card.statistics]
    found = {}
    if centred in keys and card.score != card.difference:
        found = {
            card.score: "Score of each group",
            card.difference: "Difference between groups",
            centred: "Difference beyond what the words of a list share",
        }
    return found | {key: spoken(key) for key in keys if key not in found}


def title(statistic: str) -> str:
    """Return the title of a statistic by its key alone, such as `Score of each group`."""
    return _known().get(statistic) or spoken(statistic)


def probe_title(probe: str) -> str:
    """Return the title of a probe by its key, or the key if the probe is no longer registered."""
    return PROBES[probe].card.title if probe in PROBES else probe


def spoken(key: str) -> str:
    """Return a title made from the words of a key, such as `Effect size` or `WEAT score`."""
    if key in _WORDS:
        return _WORDS[key]
    first, *others = (word.upper() if word in PROBES else word for word in key.split("_"))
    return " ".join([first[:1].upper() + first[1:], *others])


_WORDS = {
    "pseudo_perplexity": "Pseudo-perplexity",
    "perplexity": "Perplexity",
    "top1_accuracy": "Top-1 accuracy on masked tokens",
    "ceat": "Effect size of each group",
    "ceat_difference": "Effect size beyond that of the other groups",
    "kendall_tau": "Kendall's tau",
    "kendall_tau_excess": "Kendall's tau above that with other groups' ratings",
    "kendall_tau_mean": "Kendall's tau within a group, on average",
    "precision_at_3_top": "Precision at 3, highest pairs",
    "precision_at_3_bottom": "Precision at 3, lowest pairs",
    "kmeans_accuracy": "K-means accuracy",
    "preference_over_neutral": "Preference over neutral words",
    "indirect_log_probability_bias": "Indirect log probability bias score",
    "within_group_correlation": "Within groups of names",
    "indirect_log_probability_bias_centred": "Beyond what all targets share",
    "indirect_log_probability_bias_partial": "Among names alike in prior and subwords",
    "indirect_log_probability_bias_without": "Without a sensitive attribute",
    "sign_stability": "Same sign over pairs of templates",
    "direct_log_probability_bias": "Direct log probability bias score",
    "direct_indirect_correlation": "Direct against indirect scores",
    "split_half_reliability": "Split-half reliability",
    "kinds_needed": "Kinds of sentence needed for a reliability of 0.8",
    "variance_component": "Variance components of the scores",
    "difference_variance_component": "Variance components of the differences",
    "leave_one_kind_out": "Range without one kind of sentence",
    "difference_by_kind": "Difference by kind of sentence",
    "prior_rank_agreement": "Same order of words under another prior",
    "s_amb": "Bias score, ambiguous contexts",
    "s_dis": "Bias score, disambiguated contexts",
    "unknown_share": "Share of UNKNOWN",
    "unknown_string_share": "Share of each wording of UNKNOWN",
    "accuracy_nonaligned": "Accuracy on non-aligned items",
    "accuracy_aligned": "Accuracy on aligned items",
    PAIRED_DIFFERENCE.name: "Change since another run",
    DIFFERENCE_IN_DIFFERENCES.name: "Change of a difference since another run",
    MEASURE_CHANGE.name: "Change of a figure since another run",
}
"""Titles of statistics whose keys would make poor titles."""


@cache
def _known() -> dict[str, str]:
    """Return the titles that differ from the words of the key. A card that shares a statistic may have none."""
    named = ((key, name) for method in PROBES.values() for key, name in titles(method.card).items())
    return {key: name for key, name in named if name != spoken(key)}
