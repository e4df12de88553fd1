"""A measure: one number about a run, with its uncertainty, as probes compute it and the store keeps it."""

from dataclasses import dataclass

WITHOUT_FLAGGED = "without flagged"
"""How the variant of a measure ends that leaves out what a curator flagged."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A value is in the unit of its statistic, never in percent; an undefined one is None with its reason.

    An empty `variant` is the primary definition; overall rows leave `template` and `attribute` empty.
    `prior` names the prior that the spec chose; it is empty where the method has its own.
    `unit` is the unit of generalisation that intervals and tests resample, `n` the number of items, `n_units` of units,
    `n_frames` of frames of sentences, which are nested in units that are kinds of sentence (0 where there are none).

    `verdict` is empty where none is given: for a figure that only describes, and for measures of earlier releases.
    `smallest_effect` is the margin that it was judged by, in the unit of the value; None: none was declared.
    `equivalence_p` is that of the two one-sided tests against the margin, `least_p` the smallest p that the test could
    have given; their q-values are `equivalence_q` and `reachable_q`.
    `confounds` names the conditions of other measures (matched, adjusted) in which a difference that is present is not
    significant any more, with a comma between them; on such a measure itself, its own condition.
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
