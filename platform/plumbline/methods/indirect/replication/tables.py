"""The tables of the page on known biases, ours beside those that the thesis prints."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plumbline.methods.indirect.replication import printed
from plumbline.methods.indirect.replication.gendered import Gendered
from plumbline.methods.indirect.replication.printed import GENDERS, METHODS, Pair
from plumbline.methods.indirect.replication.ranking import Scores, Standing, by_target, coherence, shared, standings

MOST = 10
COHERENT = 0.7
FARTHEST = 6
"""Of each side, where none of the printed occupations is among the targets."""

Orders = Mapping[tuple[str, str], list[Standing]]
"""By method and gender the targets, those tied most to the gender first."""


@dataclass(frozen=True, slots=True)
class Row:
    """One place of the ten targets that are tied most to a gender; by method ours, and the occupation in the print."""

    place: int
    ours: dict[str, Standing]
    printed: dict[str, str]


@dataclass(frozen=True, slots=True)
class TopTen:
    """The first ten of both orders for a gender."""

    gender: str
    rows: list[Row]
    first: int
    """So many places of both orders are compared: ten, or the upper half of fewer targets than twenty."""
    shared: set[str]
    """Those among the first of both orders."""
    chance: float
    """How many would be, were the two orders unrelated."""
    coherent: dict[str, float | None]
    """By method whether the gender's words agree on the order (Spearman's rho); below COHERENT the places are loose."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A target among those that name no gender: its standing for either gender by either score."""

    target: str
    gender: str
    """To which word vectors tie it (Bolukbasi et al. 2016); empty for one that is not in the printed tables."""
    ours: dict[str, dict[str, Standing]]
    printed: dict[str, Pair]

    def difference(self, method: str) -> int:
        """Below zero it stands higher for the female gender."""
        return self.ours[method]["female"].rank - self.ours[method]["male"].rank

    @property
    def cells(self) -> Iterator[tuple[str, Standing, Standing, int, dict[str, int]]]:
        """By method both standings, their difference, and the printed ranks with theirs; none where not printed."""
        for method in METHODS:
            own, theirs = self.ours[method], self.printed.get(method)
            printed = dict(zip(GENDERS, theirs, strict=True), difference=theirs[0] - theirs[1]) if theirs else {}
            yield method, own["female"], own["male"], self.difference(method), printed


def orders(own: Gendered, direct: Scores, indirect: Scores, *, neutral: bool = False) -> Orders:
    """The targets' standings; `neutral`: among those alone that name no gender themselves."""
    kept = own.neutral if neutral else own.targets
    tables = dict(zip(METHODS, (direct, indirect), strict=True))
    return {
        (method, gender): standings(scores.only(kept, own.of(gender)))
        for method, scores in tables.items()
        for gender in GENDERS
    }


def top_tens(own: Gendered, direct: Scores, indirect: Scores, model: str) -> list[TopTen]:
    """`model` is that of the print; empty where the targets are not its occupations."""
    tables = dict(zip(METHODS, (direct, indirect), strict=True))
    return [
        _top_ten(gender, {method: one.only(own.targets, own.of(gender)) for method, one in tables.items()}, model)
        for gender in GENDERS
    ]


def _top_ten(gender: str, scores: Mapping[str, Scores], model: str) -> TopTen:
    ours = {method: standings(one) for method, one in scores.items()}
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
    """The occupations of the printed tables; where none is a target, those whose indirect ranks differ most."""
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
    """The target whose indirect scores differ most between the genders; empty where there is none."""
    places = {gender: by_target(found["indirect", gender]) for gender in GENDERS}
    gaps = {target: abs(one.value - places["male"][target].value) for target, one in places["female"].items()}
    return max(gaps, key=lambda target: gaps[target], default="")


def file_of_orders(
    own: Gendered, found: Orders, among_neutral: Orders, named: Mapping[str, str]
) -> list[dict[str, Any]]:
    """For the CSV: one row a target, gender and method; `named` has the statistic of each method."""
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
    """For the CSV: one row a target, with the ranks that the thesis prints of `model`."""
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
