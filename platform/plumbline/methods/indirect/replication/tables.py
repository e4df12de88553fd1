"""The tables of the page on known biases, with our figures and those of the thesis."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plumbline.methods.indirect.replication import printed
from plumbline.methods.indirect.replication.gendered import Gendered
from plumbline.methods.indirect.replication.printed import GENDERS, METHODS, Pair
from plumbline.methods.indirect.replication.ranking import (
    Scores,
    TargetRank,
    by_target,
    coherence,
    shared,
    target_ranks,
)

MOST = 10
COHERENT = 0.7
FARTHEST = 6
"""The number of targets per side if none of the printed occupations is a target."""

Orders = Mapping[tuple[str, str], list[TargetRank]]
"""The targets by method and gender, those linked most with the gender first."""


@dataclass(frozen=True, slots=True)
class Row:
    """One rank among the ten targets linked most with a gender: ours by method, and the printed occupation."""

    place: int
    ours: dict[str, TargetRank]
    printed: dict[str, str]


@dataclass(frozen=True, slots=True)
class TopTen:
    """The first ten of both orders for a gender."""

    gender: str
    rows: list[Row]
    first: int
    """The number of compared ranks: ten, or the upper half of fewer than twenty targets."""
    shared: set[str]
    """The targets among the first of both orders."""
    chance: float
    """The expected number of shared targets for unrelated orders."""
    coherent: dict[str, float | None]
    """For each method Spearman's rho between the orders of the gender's words. Below COHERENT, ranks are uncertain."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A target that names no gender, with its ranks for both genders by both scores."""

    target: str
    gender: str
    """The gender of its word vector (Bolukbasi et al. 2016). Empty if it is not in the printed tables."""
    ours: dict[str, dict[str, TargetRank]]
    printed: dict[str, Pair]

    def difference(self, method: str) -> int:
        """Return the difference of ranks. It is negative if the target ranks higher for the female gender."""
        return self.ours[method]["female"].rank - self.ours[method]["male"].rank

    @property
    def cells(self) -> Iterator[tuple[str, TargetRank, TargetRank, int, dict[str, int]]]:
        """Yield for each method both ranks, their difference, and the printed ranks with theirs, if printed."""
        for method in METHODS:
            own, theirs = self.ours[method], self.printed.get(method)
            printed = dict(zip(GENDERS, theirs, strict=True), difference=theirs[0] - theirs[1]) if theirs else {}
            yield method, own["female"], own["male"], self.difference(method), printed


def orders(own: Gendered, direct: Scores, indirect: Scores, *, neutral: bool = False) -> Orders:
    """Return the targets' ranks. With `neutral`, only targets that name no gender take part."""
    kept = own.neutral if neutral else own.targets
    tables = dict(zip(METHODS, (direct, indirect), strict=True))
    return {
        (method, gender): target_ranks(scores.only(kept, own.of(gender)))
        for method, scores in tables.items()
        for gender in GENDERS
    }


def top_tens(own: Gendered, direct: Scores, indirect: Scores, model: str) -> list[TopTen]:
    """Return the first ten for each gender.

    `model` is the printed one, or "" if the targets are not its occupations.
    """
    tables = dict(zip(METHODS, (direct, indirect), strict=True))
    return [
        _top_ten(gender, {method: one.only(own.targets, own.of(gender)) for method, one in tables.items()}, model)
        for gender in GENDERS
    ]


def _top_ten(gender: str, scores: Mapping[str, Scores], model: str) -> TopTen:
    ours = {method: target_ranks(one) for method, one in scores.items()}
    theirs = {method: printed.top_ten(model, gender, method) for method in METHODS} if model else {}
    most = min(MOST, len(ours["direct"]))
    rows = [
        Row(
            place + 1,
            {method: own[place] for method, own in ours.items()},
            {method: own[place] for method, own in theirs.items()},
        )
        for place in range(most)
    ]
    first = min(MOST, len(ours["direct"]) // 2)
    chance = first**2 / len(ours["direct"]) if first else 0.0
    coherent = {method: coherence(one) for method, one in scores.items()}
    return TopTen(gender, rows, first, shared(ours["direct"], ours["indirect"], first), chance, coherent)


def ranked(found: Orders, model: str) -> list[Ranked]:
    """Return the printed occupations among the targets. If there are none, those whose indirect ranks differ most."""
    known = [one for one in printed.ranked_occupations() if one in by_target(found["indirect", "female"])]
    return _ranked(found, known, model) if known else _farthest(every_ranked(found, ""))


def every_ranked(found: Orders, model: str) -> list[Ranked]:
    return _ranked(found, sorted(by_target(found["indirect", "female"])), model)


def _ranked(found: Orders, targets: Sequence[str], model: str) -> list[Ranked]:
    places = {key: by_target(rows) for key, rows in found.items()}
    theirs = printed.ranks(model) if model else {}
    sides = printed.ranked_occupations()
    return [
        Ranked(
            target,
            sides.get(target, "") if model else "",
            {method: {gender: places[method, gender][target] for gender in GENDERS} for method in METHODS},
            theirs.get(target, {}),
        )
        for target in targets
    ]


def _farthest(rows: list[Ranked]) -> list[Ranked]:
    ordered = sorted(rows, key=lambda one: one.difference("indirect"))
    return ordered if len(ordered) <= 2 * FARTHEST else [*ordered[:FARTHEST], *ordered[-FARTHEST:]]


def parted_most(found: Orders) -> str:
    """Return the target whose indirect scores differ most between the genders, or ""."""
    places = {gender: by_target(found["indirect", gender]) for gender in GENDERS}
    gaps = {target: abs(one.value - places["male"][target].value) for target, one in places["female"].items()}
    return max(gaps, key=lambda target: gaps[target], default="")


def file_of_orders(
    own: Gendered, found: Orders, among_neutral: Orders, named: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Return rows for the CSV: one per target, gender and method. `named` gives the statistic of each method."""
    neutral = {key: by_target(rows) for key, rows in among_neutral.items()}
    return [
        {
            "gender": gender,
            "statistic": named[method],
            "target": one.target,
            "names_a_gender": own.named.get(one.target, ""),
            "rank": one.rank,
            "best_rank_of_a_word": one.best,
            "worst_rank_of_a_word": one.worst,
            "rank_among_neutral": neutral[method, gender][one.target].rank if one.target not in own.named else None,
            "mean": one.value,
            "lowest_of_a_word": one.lowest,
            "highest_of_a_word": one.highest,
            "largest_q": one.q,
            "n": one.n,
        }
        for (method, gender), rows in found.items()
        for one in rows
    ]


def file_of_ranks(rows: Sequence[Ranked], model: str, named: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return rows for the CSV: one per target, with the ranks that the thesis prints for `model`."""
    return [
        {"target": one.target, "bolukbasi": one.gender, **named}
        | {
            f"{method}_{key}": value
            for method, female, male, difference, _ in one.cells
            for key, value in (("female", female.rank), ("male", male.rank), ("difference", difference))
        }
        | {
            f"thesis_{model}_{method}_{gender}": one.printed[method][place] if method in one.printed else None
            for method in (METHODS if model else ())
            for place, gender in enumerate(GENDERS)
        }
        for one in rows
    ]
