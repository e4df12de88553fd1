"""Human judgements as arrays: who rated which group how on which pair of opposites."""

import itertools
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from plumbline.spec.content import Group, Rating
from plumbline.spec.errors import SpecError
from plumbline.spec.pairs import Pair
from plumbline.spec.rating_flags import Flag, flagged, flags_of
from plumbline.spec.sources import Ratings, ratings_of

LEAST_RATERS = 5
"""Cells with fewer raters are hidden: few answers say much about a person and little about a group."""
DEMOGRAPHICS = ("gender", "race", "age", "education", "area")
_BANDS = (18, 25, 35, 45, 55, 65)
Label = TypeVar("Label", bound=Hashable)
Floats = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Judgements:
    """Ratings 0 (left pole) to 100 (right pole), [annotators, groups, pairs]; NaN where somebody was not asked."""

    annotators: tuple[str, ...]
    groups: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    """Left and right pole, as the ratings name them."""
    values: Floats
    told: tuple[dict[str, str], ...]
    """What each annotator told of themselves, by the names of DEMOGRAPHICS; what is not told is left out."""
    flags: tuple[Flag, ...] = ()
    """What stands out in the ratings; looked for by `checked`."""
    otherwise: Floats | None = None
    """Where there are flags: the values with the flagged ratings if `values` are without them, and the reverse."""

    def checked(self, *, keep: bool = False) -> "Judgements":
        """Flags looked for, and the flagged ratings left out, unless they are to be kept."""
        flags = flags_of(self.values, self.annotators, self.groups, self.pairs)
        if not flags:
            return self
        without = np.where(flagged(self.values, flags), np.nan, self.values)
        values, otherwise = (self.values, without) if keep else (without, self.values)
        return replace(self, values=values, otherwise=otherwise, flags=tuple(flags))

    def held_against(self, groups: Sequence[Group], pairs: Sequence[Pair]) -> Floats:
        """The ratings of these groups on these pairs, [annotators, groups, pairs]; NaN where there are none.

        A group is found by its `human_data_key` and its label; a pair by its key and its name, also turned round.
        SpecError where one annotator rates a group on a pair under two names.
        """
        found = np.full((len(self.annotators), len(groups), len(pairs)), np.nan)
        columns = [_columns(self.pairs, pair) for pair in pairs]
        for row, group in enumerate(groups):
            places = _places(self.groups, group)
            for at, (pair, named) in enumerate(zip(pairs, columns, strict=True)):
                for place, (column, turned) in itertools.product(places, named):
                    own = self.values[:, place, column]
                    known = ~np.isnan(own)
                    if (twice := known & ~np.isnan(found[:, row, at])).any():
                        rater = self.annotators[int(twice.argmax())]
                        names = " and ".join(repr(self.groups[place]) for place in places)
                        raise SpecError(f"{rater!r} rates {names} on {pair.name} under two names; keep one rating.")
                    found[known, row, at] = (100 - own if turned else own)[known]
        return found

    def check(self, groups: Sequence[Group], pairs: Sequence[Pair]) -> None:
        """SpecError where no rating is of any of these groups on any of these pairs."""
        if not pairs:
            raise SpecError(
                "'human' needs pairs of opposites: take a trait list, or give attributes 'pair' and 'pole'."
            )
        if np.isnan(self.held_against(groups, pairs)).all():
            raise SpecError(
                "'human': no rating is of any group and pair of this audit; give the groups and traits the"
                " 'human_data_key' that the ratings call them by."
            )

    def unasked(self, groups: Sequence[Group]) -> list[str]:
        """The rated groups that are none of these."""
        asked = {place for group in groups for place in _places(self.groups, group)}
        return [label for place, label in enumerate(self.groups) if place not in asked]

    def unasked_pairs(self, pairs: Sequence[Pair]) -> list[str]:
        """The rated pairs of opposites that are none of these, either way round."""
        asked = {place for pair in pairs for place, _ in _columns(self.pairs, pair)}
        return [f"{left} - {right}" for place, (left, right) in enumerate(self.pairs) if place not in asked]

    def parts(self) -> Iterator[tuple[str, Truths]]:
        """The annotators [annotators] by each thing they told, "gender: woman", and by gender within race.

        Ages are told in bands. Of what nobody told there is no part.
        """
        told = [{key: _band(value) if key == "age" else value for key, value in one.items()} for one in self.told]
        for field in DEMOGRAPHICS:
            for value in sorted({one[field] for one in told if field in one}):
                yield f"{field}: {value}", np.array([one.get(field) == value for one in told])
        both = sorted({(one["race"], one["gender"]) for one in told if {"race", "gender"} <= one.keys()})
        for race, gender in both:
            members = [(one.get("race"), one.get("gender")) == (race, gender) for one in told]
            yield f"race: {race}; gender: {gender}", np.array(members)


def judgements_named(human: Ratings | None, snapshots: Mapping[str, Mapping[str, Any]]) -> Judgements | None:
    """Those that a frozen spec names, without the flagged ones unless it keeps them. SpecError for ratings at odds."""
    if human is None:
        return None
    return judgements_of(ratings_of(human, snapshots)).checked(keep=human[0].flagged == "keep")


def judgements_of(ratings: Iterable[Rating]) -> Judgements:
    """The arrays of a list of ratings, all labels in their order of appearance.

    SpecError where one annotator rates a group on a pair twice, or tells two things of themselves.
    """
    rows = list(ratings)
    annotators = _numbered(row.annotator for row in rows)
    groups = _numbered(row.group for row in rows)
    pairs = _numbered((row.left, row.right) for row in rows)
    places = [(annotators[row.annotator], groups[row.group], pairs[row.left, row.right]) for row in rows]
    if twice := [row for row, count in zip(rows, _counts(places), strict=True) if count > 1]:
        first = twice[0]
        raise SpecError(f"{first.annotator!r} rates {first.group!r} on {first.left} - {first.right} twice; keep one.")
    values = np.full((len(annotators), len(groups), len(pairs)), np.nan)
    if rows:
        values[tuple(np.array(places).T)] = [row.rating for row in rows]
    return Judgements(tuple(annotators), tuple(groups), tuple(pairs), values, _told(rows, annotators))


def means(values: Floats, least: int = LEAST_RATERS) -> Floats:
    """Mean rating of each cell over the annotators, [groups, pairs]; NaN where fewer than `least` rated it."""
    count = (~np.isnan(values)).sum(axis=0)
    mean: Floats = np.full(count.shape, np.nan)
    np.divide(np.nansum(values, axis=0), count, out=mean, where=count >= max(least, 1))
    return mean


def _numbered(labels: Iterable[Label]) -> dict[Label, int]:
    """Each label with its place in the order of appearance."""
    return {label: place for place, label in enumerate(dict.fromkeys(labels))}


def _counts(places: list[tuple[int, int, int]]) -> list[int]:
    count = Counter(places)
    return [count[place] for place in places]


def _told(rows: list[Rating], annotators: Iterable[str]) -> tuple[dict[str, str], ...]:
    told: dict[str, dict[str, str]] = defaultdict(dict)
    for row in rows:
        for field in DEMOGRAPHICS:
            value = getattr(row, field)
            if value and told[row.annotator].setdefault(field, value) != value:
                raise SpecError(f"{row.annotator!r} has two values of {field}; keep one.")
    return tuple(told[annotator] for annotator in annotators)


def _places(labels: Sequence[str], group: Group) -> list[int]:
    """Where the group stands among those that were rated: once for each name that it has there."""
    return [place for place, label in enumerate(labels) if label in (group.human_data_key, group.label)]


def _columns(pairs: Sequence[tuple[str, str]], pair: Pair) -> list[tuple[int, bool]]:
    """Where the pair stands among those that were rated, and whether the other way round there."""
    names = (pair.human_data_key, pair.name)
    ways = ((f"{left} - {right}" in names, f"{right} - {left}" in names) for left, right in pairs)
    return [(place, not forth) for place, (forth, back) in enumerate(ways) if forth or back]


def _band(age: str) -> str:
    """The band of an age in years, such as 25-34; another text stays as it is."""
    if not age.isdecimal():
        return age
    starts = [start for start in _BANDS if int(age) >= start]
    if not starts:
        return "under 18"
    if starts[-1] == _BANDS[-1]:
        return "65 and over"
    return f"{starts[-1]}-{_BANDS[len(starts)] - 1}"
