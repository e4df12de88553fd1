"""A measure: one number about a run with its uncertainty, as probes compute it and the store holds it."""

from dataclasses import dataclass

WITHOUT_FLAGGED = "without flagged"
"""The suffix of the variant of measures that exclude what a curator flagged."""

FAMILY_AND_KIND = "word family and kind of sentence"
"""The unit of means over the words of a list in several kinds of sentence, which generalise over both. The number of
units is that of which there are fewer."""

OTHER_GROUPS = "(other groups)"
"""The second group of a difference from the mean over all other groups."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A value in the unit of its statistic, never in percent, or None with its reason.

    An empty `variant` is the primary definition. Overall rows leave `template` and `attribute` empty. `prior` names the
    prior of the spec. It is empty if the method has its own. `unit` is the unit of generalisation, which intervals
    and tests resample. `n` counts items and `n_units` units. `n_frames` counts frames of sentences, which are nested in
    kinds of sentence (0 if there are none).

    `verdict` is empty for descriptive figures and for measures of earlier releases. `smallest_effect` is the margin of
    the verdict in the unit of the value, or None. `equivalence_p` belongs to the two one-sided tests against the
    margin. `least_p` is the smallest p that the test could have returned. Their q-values are `equivalence_q` and
    `reachable_q`. `confounds` names, separated by commas, the conditions of other measures (matched, adjusted) in which
    a difference is no longer significant. On such a measure itself it names its own condition.
    """

    statistic: str
    unit: str
    n: int
    n_units: int
    value: float | None
    ci_low: float | None = None
    ci_high: float | None = None
    p_value: float | None = None
    familywise_p_value: float | None = None
    equivalence_p: float | None = None
    least_p: float | None = None
    q_value: float | None = None
    verdict: str = ""
    smallest_effect: float | None = None
    reachable_q: float | None = None
    equivalence_q: float | None = None
    confounds: str = ""
    n_frames: int = 0
    variant: str = ""
    prior: str = ""
    group_a: str = ""
    group_b: str = ""
    category: str = ""
    condition: str = ""
    attribute: str = ""
    template: str = ""
    reason: str = ""


def join_variants(*parts: str) -> str:
    """Return the variant of a measure that all these parts describe; empty parts are left out."""
    return ", ".join(filter(None, parts))


def join_reasons(*parts: str) -> str:
    """Return the reason of a measure that has several; empty parts are left out."""
    return "; ".join(filter(None, parts))
