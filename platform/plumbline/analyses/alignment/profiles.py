"""The profile of one group over the pairs of opposites: the model's scores and people's ratings, each in its unit."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from django.db.models import Max, Min

from plumbline.analyses.alignment.statistics import KENDALL_TAU
from plumbline.audits.freezing import frozen_spec
from plumbline.audits.models import Run
from plumbline.findings.prior_agreement import is_same_verdict, under_others
from plumbline.findings.robustness import bands
from plumbline.results import summary
from plumbline.spec.banks.pairs import Pair, pairs_of
from plumbline.spec.card import Card, Statistic
from plumbline.spec.content import Attribute, Group
from plumbline.spec.errors import InputError
from plumbline.spec.judgements import LEAST_RATERS, Floats, Judgements
from plumbline.spec.measure import Measure
from plumbline.spec.prior import is_under_other
from plumbline.spec.robustness import RELIABILITY
from plumbline.spec.shared_statistics import PAIR_SCORE


@dataclass(frozen=True, slots=True)
class People:
    """Ratings of one group on one pair, 0 (left) to 100 (right). No mean below LEAST_RATERS raters."""

    raters: int
    mean: float | None = None
    sd: float | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One pair of opposites. Rank 1 leans farthest to the right."""

    left: str
    right: str
    measure: Measure
    people: People | None
    model_rank: int | None = None
    people_rank: int | None = None
    under_others: tuple[Measure, ...] = ()
    """The same measure under other priors than the spec's."""

    @property
    def depends(self) -> bool:
        """Whether another prior leads to another verdict."""
        judged = self.measure.verdict and self.under_others
        return bool(judged) and not all(is_same_verdict(self.measure, one) for one in self.under_others)

    @property
    def pair(self) -> str:
        return self.measure.attribute

    @property
    def dimension(self) -> str:
        return self.measure.category

    @property
    def towards(self) -> str:
        """The pole to which the model leans."""
        return self.right if (self.measure.value or 0) > 0 else self.left


@dataclass(frozen=True, slots=True)
class Asked:
    """The groups, pairs and ratings of a run, as far as its spec is still valid."""

    groups: Mapping[str, Group]
    pairs: Mapping[str, Pair]
    attributes: Sequence[Attribute]
    judgements: Judgements | None

    def poles(self, pair: str) -> tuple[str, str]:
        if known := self.pairs.get(pair):
            return self.attributes[known.left].text, self.attributes[known.right].text
        left, _, right = pair.partition(" - ")
        return left, right

    def people(self, group: str) -> dict[str, People]:
        """Return people's ratings by pair. Empty for a group without ratings."""
        if self.judgements is None or group not in self.groups:
            return {}
        values = self.judgements.held_against([self.groups[group]], list(self.pairs.values()))[:, 0]
        return {name: found for name, column in zip(self.pairs, values.T, strict=True) if (found := _people(column))}


def asked_of(run: Run) -> Asked:
    try:
        spec, snapshots = frozen_spec(run)
        groups, attributes = spec.rated_words(snapshots)
        judgements = spec.judgements(snapshots)
        pairs = pairs_of(attributes)
    except InputError:
        return Asked({}, {}, (), None)
    return Asked({one.label: one for one in groups}, {one.name: one for one in pairs}, attributes, judgements)


def statistic_of(card: Card | None) -> Statistic | None:
    """Return the statistic of a method for a group and a pair of opposites, or None."""
    named = {one.name: one for one in card.statistics} if card else {}
    if card is None or KENDALL_TAU.name not in named:
        return None
    return named.get(PAIR_SCORE.name) or named[card.score]


def groups_of(run: int, statistic: str) -> list[str]:
    """Return the groups that have a profile, in the order of the spec."""
    found = summary.of_run(run, statistic).exclude(attribute="").filter(template="")
    return list(found.values_list("group_a", flat=True).annotate(first=Min("pk")).order_by("first"))


def end_of(run: int, statistic: str) -> float:
    """Return the end of the model's axis on either side of zero: the largest value over all groups of the run."""
    found = summary.of_run(run, statistic).exclude(attribute="").filter(template="")
    bounds = found.aggregate(Max("value"), Min("value"))
    return max((abs(value) for value in bounds.values() if value is not None), default=0.0) or 1.0


def rows_of(run: int, statistic: str, group: str, asked: Asked, *, banded: bool = False) -> list[Row]:
    """Return all pairs of the group by dimension, in the order of the spec.

    With `banded` (their order is unreliable), pairs of one band share its best rank.
    """
    found = summary.under_every_prior(run, statistic).filter(group_a=group, template="").exclude(attribute="")
    people = asked.people(group)
    every = summary.measures(found.order_by("pk"))
    measures = [one for one in every if not is_under_other(one)]
    model_ranks = _ranks({one.attribute: one.value for one in measures})
    if banded:
        model_ranks = _ranks_of_bands(measures, model_ranks)
    people_ranks = _ranks({pair: one.mean for pair, one in people.items()})
    rows = [
        Row(
            *asked.poles(one.attribute),
            one,
            people.get(one.attribute),
            model_ranks.get(one.attribute),
            people_ranks.get(one.attribute),
            tuple(under_others(every, one)),
        )
        for one in measures
    ]
    order = list(dict.fromkeys(row.dimension for row in rows))
    return sorted(rows, key=lambda row: order.index(row.dimension))


def reliability_of(run: int, statistic: str, group: str) -> Measure | None:
    """Return the reliability of the order of the group's pairs."""
    own = summary.of_run(run, RELIABILITY.name).filter(group_a=group, group_b="", condition=statistic)
    return next(iter(summary.measures(own.order_by("pk")[:1])), None)


def _ranks_of_bands(measures: Sequence[Measure], ranks: Mapping[str, int]) -> dict[str, int]:
    ranked = sorted((one for one in measures if one.attribute in ranks), key=lambda one: ranks[one.attribute])
    best: dict[int, int] = {}
    numbered = zip(ranked, bands(ranked), strict=True)
    return {one.attribute: best.setdefault(band, ranks[one.attribute]) for one, band in numbered}


def tau_of(run: int, group: str) -> Measure | None:
    """Return the agreement of the model with all raters on this group."""
    own = summary.of_run(run, KENDALL_TAU.name).filter(group_a=group, category="", template="")
    return next(iter(summary.measures(own.order_by("pk")[:1])), None)


def frame(group: str, rows: Sequence[Row]) -> pl.DataFrame:
    """Return the profile as a table for a file, one row per pair."""
    return pl.DataFrame([_record(group, row) for row in rows], infer_schema_length=None)


def _record(group: str, row: Row) -> dict[str, Any]:
    one, people = row.measure, row.people
    words = {"group": group, "dimension": row.dimension, "pair": row.pair, "left": row.left, "right": row.right}
    model = {name: getattr(one, name) for name in ("value", "ci_low", "ci_high", "q_value", "n", "n_units", "unit")}
    return (
        words
        | {"statistic": one.statistic}
        | model
        | {
            "reason": one.reason,
            "model_rank": row.model_rank,
            "people_mean": people.mean if people else None,
            "people_sd": people.sd if people else None,
            "raters": people.raters if people else 0,
            "people_rank": row.people_rank,
        }
    )


def _people(column: Floats) -> People | None:
    own = column[~np.isnan(column)]
    if not own.size:
        return None
    if own.size < LEAST_RATERS:
        return People(int(own.size))
    return People(int(own.size), float(own.mean()), float(own.std(ddof=1)))


def _ranks(values: Mapping[str, float | None]) -> dict[str, int]:
    """Return the rank of each value, 1 for the largest. Equal values share the better rank. None has no rank."""
    known = {name: value for name, value in values.items() if value is not None}
    return {name: 1 + sum(other > value for other in known.values()) for name, value in known.items()}


def by_dimension(rows: Sequence[Row]) -> Iterator[tuple[str, list[Row]]]:
    """Yield each dimension with its rows, which keep their order."""
    for name in dict.fromkeys(row.dimension for row in rows):
        yield name, [row for row in rows if row.dimension == name]
