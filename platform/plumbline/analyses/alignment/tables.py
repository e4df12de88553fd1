"""Tables of a run's agreement with people: overall, by group, by raters, and the curve of template choices."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from plumbline.analyses.alignment.statistics import ALIGNMENT, EXCESS, KENDALL_TAU, WITH_EXTRA
from plumbline.findings.prior_agreement import prior_title
from plumbline.results import summary
from plumbline.spec.card import Statistic
from plumbline.spec.measure import Measure
from plumbline.spec.prior import is_under_other

TAU, PRECISION = KENDALL_TAU.name, "precision_at_3"
CONDITIONS = {
    "model": "This model",
    "exchanged": "Other groups' ratings",
    "chance": "Chance",
    "group_blind": "Group-blind",
    "human_ceiling": "People among themselves",
}
VARIANTS = {
    "mirrored": "Every pair counted in both directions",
    "independent_cells": "Cells treated as independent (the paper's own p)",
    "test_groups": "Without the pilot's groups",
    "one_against_rest": "People: each rater against the mean of the others",
    "flagged_kept": "With the flagged ratings",
    "flagged_out": "Without the flagged ratings",
}
CHOSEN = "chosen"
MOST_NAMED = 60
ORDERS: dict[str, tuple[str, Callable[["OfGroup"], Any]]] = {
    "tau": ("highest tau first", lambda row: (_last(row.tau.value, -1), row.group)),
    "precision": ("highest precision first", lambda row: (_last(row.shares[0], -1), row.group)),
    "n": ("fewest pairs first", lambda row: (row.tau.n, row.group)),
    "group": ("by group", lambda row: row.group.casefold()),
}


@dataclass(frozen=True, slots=True)
class ComparedStatistic:
    """One statistic over all groups, in each of CONDITIONS that has it."""

    statistic: Statistic
    cells: tuple[tuple[str, Measure | None], ...]


@dataclass(frozen=True, slots=True)
class OfGroup:
    """The agreement on one group. Precision exists only for all raters together."""

    group: str
    tau: Measure
    precision: Measure | None = None
    top: Measure | None = None
    bottom: Measure | None = None

    @property
    def shares(self) -> list[float | None]:
        """Precision at 3: both ends, the three highest and the three lowest pairs."""
        return [one.value if one else None for one in (self.precision, self.top, self.bottom)]


@dataclass(frozen=True, slots=True)
class Part:
    """The agreement of the model with the raters who share one answer about themselves."""

    name: str
    tau: Measure
    excess: Measure | None
    precision: Measure | None
    ceiling: Measure | None
    """The agreement of these raters among themselves."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One choice of templates: its tau on the pilot's groups and on the others."""

    template: str
    pilot: Measure
    held_out: Measure | None
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Groups or pairs without a counterpart or with too few ratings, by reason."""

    reason: str
    names: tuple[str, ...]
    """The names of groups or pairs of opposites."""

    @property
    def more(self) -> int:
        """The number of names that a page does not show."""
        return max(0, len(self.names) - MOST_NAMED)

    @property
    def named(self) -> tuple[str, ...]:
        return self.names[:MOST_NAMED]


class Alignment:
    """All measures of a run's agreement, read in one query. Each table selects from them."""

    def __init__(self, found: Sequence[Measure]) -> None:
        self.measures = [replace(one, variant=_own(one.variant)) for one in found if not is_under_other(one)]
        self.under_others = [one for one in found if is_under_other(one)]

    def __bool__(self) -> bool:
        return bool(self.measures)

    def overall(self, statistic: str, condition: str, variant: str = "") -> Measure | None:
        return self._one(statistic=statistic, condition=condition, variant=variant, group_a="", category="")

    def by_condition(self) -> list[ComparedStatistic]:
        return [
            ComparedStatistic(one, tuple((title, self.overall(one.name, key)) for key, title in CONDITIONS.items()))
            for one in ALIGNMENT
        ]

    def priors(self) -> list[str]:
        """Return the other priors of the model's agreement, in words."""
        return list(dict.fromkeys(prior_title(one) for one in self.under_others))

    def by_prior(self) -> list[ComparedStatistic]:
        """Return the model's agreement under the spec's prior and under each other prior."""
        overall = [one for one in self.under_others if one.condition == "model" and not one.group_a]
        found = {(one.statistic, prior_title(one)): one for one in overall}
        return [
            ComparedStatistic(
                one,
                (
                    ("as specified", self.overall(one.name, "model")),
                    *((title, found.get((one.name, title))) for title in self.priors()),
                ),
            )
            for one in ALIGNMENT
        ]

    def with_extra(self) -> list[tuple[Statistic, Measure | None, Measure]]:
        """Return each statistic of the poles alone and averaged with the adjectives beside them; empty without any."""
        found = [(one, self.overall(one.name, "model", WITH_EXTRA)) for one in ALIGNMENT]
        return [(one, self.overall(one.name, "model"), beside) for one, beside in found if beside is not None]

    def groups_with_extra(self) -> list[tuple[str, list[tuple[float | None, float | None]]]]:
        """Return each group's tau and precision at 3, of the poles alone and with the adjectives beside them."""
        rows: dict[str, dict[tuple[str, str], float | None]] = {}
        for one in self.measures:
            if one.group_a and one.condition == "model" and not one.category + one.template + one.attribute:
                rows.setdefault(one.group_a, {})[one.statistic, one.variant] = one.value
        return [
            (group, [(own.get((name, "")), own.get((name, WITH_EXTRA))) for name in (TAU, PRECISION)])
            for group, own in sorted(rows.items(), key=lambda row: row[0].casefold())
            if (TAU, WITH_EXTRA) in own
        ]

    def variants(self) -> list[tuple[str, Measure]]:
        """Return the other definitions by statistic, each with its description."""
        own = [one for one in self.measures if one.variant in VARIANTS]
        own = [one for one in own if not (one.template or one.group_a or one.category or one.attribute)]
        return [(_how(one), one) for name in VARIANTS for one in own if one.variant == name]

    def of_groups(self, part: str, order: str) -> list[OfGroup]:
        """Return the groups with a value, ordered by one of ORDERS. `part` names the raters ("gender: woman"), "" for
        all.
        """
        rows = []
        for one in self.measures:
            if (
                (one.statistic, one.condition, one.category, one.variant) != (TAU, "model", part, "")
                or not one.group_a
                or one.value is None
            ):
                continue
            same: dict[str, str] = {"group_a": one.group_a, "category": part, "condition": "model", "variant": ""}
            ends = [self._one(statistic=f"{PRECISION}{end}", **same) for end in ("", "_top", "_bottom")]
            rows.append(OfGroup(one.group_a, one, *ends))
        return sorted(rows, key=ORDERS[order][1])

    def parts(self) -> list[Part]:
        found = []
        for one in self.measures:
            if one.category and one.statistic == TAU and one.condition == "model" and not one.group_a + one.variant:
                own: dict[str, str] = {"category": one.category, "group_a": "", "variant": ""}
                excess, precision = (
                    self._one(statistic=name, condition="model", **own) for name in (EXCESS.name, PRECISION)
                )
                ceiling = self._one(statistic=TAU, condition="human_ceiling", **own)
                found.append(Part(one.category, one, excess, precision, ceiling))
        return found

    def candidates(self) -> list[Candidate]:
        """Return the choices of templates, the highest tau on the pilot first."""
        own = [one for one in self.measures if one.statistic == TAU and one.template]
        elsewhere = {one.template: one for one in own if one.condition == "held_out"}
        found = [
            Candidate(one.template, one, elsewhere.get(one.template), one.variant == CHOSEN)
            for one in own
            if one.condition == "pilot"
        ]
        return sorted(found, key=lambda one: (_last(one.pilot.value, -1), one.template))

    def worth(self) -> Measure | None:
        """Return the tau of the chosen templates on groups and raters that did not take part in the choice."""
        own = (one for one in self.measures if one.statistic == TAU and one.condition == "held_out")
        return next((one for one in own if one.variant == CHOSEN), None)

    def left_out(self) -> list[LeftOut]:
        """Return the groups without agreement by reason. Groups of this audit precede groups that were only rated."""
        missing = [one for one in self.measures if one.statistic == TAU and one.value is None and not one.category]
        return _by_reason((one.reason, one.group_a) for one in missing if one.group_a and not one.attribute)

    def pairs_left_out(self) -> list[LeftOut]:
        """Return the pairs of opposites without ratings, and the rated pairs that are not in this audit."""
        return _by_reason(
            (one.reason, one.attribute)
            for one in self.measures
            if one.statistic == TAU and one.attribute and not one.group_a
        )

    def flagged(self) -> list[LeftOut]:
        """Return the cells with suspicious ratings by reason."""
        own = (one for one in self.measures if one.statistic == TAU and one.attribute and one.group_a)
        return _by_reason((one.reason, f"{one.group_a}, {one.attribute}") for one in own)

    @property
    def flagged_kept(self) -> bool:
        """Whether the spec keeps the flagged ratings. The figures without them are then shown, too."""
        return any(one.variant == "flagged_out" for one in self.measures)

    def _one(self, **wanted: str) -> Measure | None:
        for one in self.measures:
            if not (one.template or one.attribute) and all(getattr(one, key) == value for key, value in wanted.items()):
                return one
        return None


def _by_reason(found: Iterable[tuple[str, str]]) -> list[LeftOut]:
    names: dict[str, list[str]] = {}
    for reason, name in found:
        names.setdefault(reason, []).append(name)
    return [LeftOut(reason, tuple(own)) for reason, own in names.items()]


def alignment_of(run: int) -> Alignment:
    names = [one.name for one in ALIGNMENT]
    return Alignment(summary.measures(summary.under_every_prior(run, *names).order_by("pk")))


def _own(variant: str) -> str:
    """Return the variant without the part that the whole run differs in from the method's primary definition."""
    return next((one for one in variant.split(", ") if one in (*VARIANTS, CHOSEN, WITH_EXTRA)), "")


def _how(one: Measure) -> str:
    """Return the description of a variant, with its condition unless that is the model."""
    words = VARIANTS[one.variant]
    return words if one.condition == "model" or words.startswith("People") else f"{words}: {CONDITIONS[one.condition]}"


def _last(value: float | None, sign: int) -> tuple[bool, float]:
    """Return a sort key that puts undefined values at the end."""
    return (value is None, 0.0 if value is None else sign * value)
