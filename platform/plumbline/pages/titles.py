"""What people call a statistic: pages say it in words, the store by a key such as `ilps_difference`."""

from functools import cache

from plumbline.spec.card import PAIRED_DIFFERENCE, Card
from plumbline.spec.registry import PROBES


def titles(card: Card) -> dict[str, str]:
    """A probe's statistics by key, for pages that name the probe already: in the explorer's order, then the card's."""
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
    """A statistic by its key alone, as `Score of each group`."""
    return _known().get(statistic) or spoken(statistic)


def probe_title(probe: str) -> str:
    """A probe by its key, as its card calls it; one that is gone stands as it is."""
    return PROBES[probe].card.title if probe in PROBES else probe


def spoken(key: str) -> str:
    """`Effect size`, `WEAT score`: the words of a key, probes in capitals."""
    if key in _WORDS:
        return _WORDS[key]
    first, *others = (word.upper() if word in PROBES else word for word in key.split("_"))
    return " ".join([first[:1].upper() + first[1:], *others])


_WORDS = {
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
}
"""Of statistics whose key would read ill."""


@cache
def _known() -> dict[str, str]:
    """What titles say beyond the words of the key; a card that shares a statistic may have none for it."""
    named = ((key, name) for method in PROBES.values() for key, name in titles(method.card).items())
    return {key: name for key, name in named if name != spoken(key)}
