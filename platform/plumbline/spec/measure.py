"""A measure: one number about a run, with its uncertainty, as probes compute it and the store keeps it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Measure:
    """A value is in the unit of its statistic, never in percent; an undefined one is None with its reason.

    An empty `variant` is the primary definition; overall rows leave `template` and `attribute` empty.
    `prior` names the prior that the spec chose; it is empty where the method has its own.
    `unit` is the unit of generalisation that intervals and tests resample, `n` the number of items, `n_units` of units.
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
    q_value: float | None = None
    variant: str = ""
    prior: str = ""
    group_a: str = ""
    group_b: str = ""
    category: str = ""
    condition: str = ""
    attribute: str = ""
    template: str = ""
    reason: str = ""
