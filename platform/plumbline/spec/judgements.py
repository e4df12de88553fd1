"""Human judgements as arrays of annotators, groups and pairs of opposites."""

import itertools
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from plumbline.spec.banks.pairs import Pair
from plumbline.spec.content import Group, Rating
from plumbline.spec.errors import SpecError
from plumbline.spec.rating_flags import Flag, flagged, flags_of
from plumbline.spec.sources import Ratings, ratings_of

LEAST_RATERS = 5
"""The fewest raters of a visible cell. Few answers say much about a person and little about a group."""
DEMOGRAPHICS = ("gender", "race", "age", "education", "area")
_BANDS = (18, 25, 35, 45, 55, 65)
Label = TypeVar("Label", bound=Hashable)
Floats = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Judgements:
    """Ratings from 0 (left pole) to 100 (right pole), [annotators, groups, pairs]. NaN: not rated."""

    annotators: tuple[str, ...]
    groups: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    """The left and the right pole, as the ratings name them."""
    values: Floats
    demographics: tuple[dict[str, str], ...]
    """The self-reported demographics of each annotator by the names of DEMOGRAPHICS, without what is not reported."""
    flags: tuple[Flag, ...] = ()
    """Suspicious ratings, which `checked` looks for."""
    otherwise: Floats | None = None
    """If there are flags: the values with the flagged ratings if `values` omits them, and the reverse."""

    def checked(self, *, keep: bool = False) -> "Judgements":
        """Return the judgements with their flags, without the flagged ratings unless `keep` is true."""
        flags = flags_of(self.values, self.annotators, self.groups, self.pairs)
        if not flags:
            return self
        without = np.where(flagged(self.values, flags), np.nan, self.values)
        values, otherwise = (self.values, without) if keep else (without, self.values)
        return replace(self, values=values, otherwise=otherwise, flags=tuple(flags))

    def held_against(self, groups: Sequence[Group], pairs: Sequence[Pair]) -> Floats:
        """Return the ratings of these groups on these pairs, [annotators, groups, pairs]. NaN: not rated.

        A group matches by its `human_data_key` or label, a pair by its key or name, also in reverse order. Raises
        SpecError if an annotator rates a group on a pair under two names.
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
        """Raise SpecError if there are no pairs, or no rating of any of these groups on any of these pairs."""
        if not pairs:
            raise SpecError(
                "'human' needs pairs of opposites: use a trait list, or give the attributes 'pair' and 'pole'."
            )
        if np.isnan(self.held_against(groups, pairs)).all():
            raise SpecError(
                "'human': no rating matches a group and a pair of this audit; give the groups and traits the"
                " 'human_data_key' that the ratings call them by."
            )

    def other_rated_groups(self, groups: Sequence[Group]) -> list[str]:
        """Return the rated groups that are not among these groups."""
        asked = {place for group in groups for place in _places(self.groups, group)}
        return [label for place, label in enumerate(self.groups) if place not in asked]

    def other_rated_pairs(self, pairs: Sequence[Pair]) -> list[str]:
        """Return the rated pairs of opposites that are not among these pairs, in either order."""
        asked = {place for pair in pairs for place, _ in _columns(self.pairs, pair)}
        return [f"{left} - {right}" for place, (left, right) in enumerate(self.pairs) if place not in asked]

    def parts(self) -> Iterator[tuple[str, Truths]]:
        """Yield parts of the annotators as masks [annotators]: by each answer ("gender: woman") and by gender within
        race.

        Ages are grouped in bands. Annotators without an answer belong to no part.
        """
        answers = [
            {key: _band(value) if key == "age" else value for key, value in one.items()} for one in self.demographics
        ]
        for field in DEMOGRAPHICS:
            for value in sorted({one[field] for one in answers if field in one}):
                yield f"{field}: {value}", np.array([one.get(field) == value for one in answers])
        both = sorted({(one["race"], one["gender"]) for one in answers if {"race", "gender"} <= one.keys()})
        for race, gender in both:
            members = [(one.get("race"), one.get("gender")) == (race, gender) for one in answers]
            yield f"race: {race}; gender: {gender}", np.array(members)


def judgements_named(human: Ratings | None, snapshots: Mapping[str, Mapping[str, Any]]) -> Judgements | None:
    """Return the ratings that a frozen spec names, without flagged ones unless the spec keeps them, or None.

    Raises SpecError for conflicting ratings.
    """
    if human is None:
        return None
    return judgements_of(ratings_of(human, snapshots)).checked(keep=human[0].flagged == "keep")


def judgements_of(ratings: Iterable[Rating]) -> Judgements:
    """Return the ratings as arrays, with all labels in order of appearance.

    Raises SpecError if an annotator rates a group on a pair twice, or reports two values of one demographic.
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
    return Judgements(tuple(annotators), tuple(groups), tuple(pairs), values, _demographics(rows, annotators))


def means(values: Floats, least: int = LEAST_RATERS) -> Floats:
    """Return the mean rating of each cell over the annotators, [groups, pairs]. NaN: fewer than `least` ratings."""
    count = (~np.isnan(values)).sum(axis=0)
    mean: Floats = np.full(count.shape, np.nan)
    np.divide(np.nansum(values, axis=0), count, out=mean, where=count >= max(least, 1))
    return mean


def _numbered(labels: Iterable[Label]) -> dict[Label, int]:
    """Number the distinct labels in order of appearance."""
    return {label: place for place, label in enumerate(dict.fromkeys(labels))}


def _counts(places: list[tuple[int, int, int]]) -> list[int]:
    count = Counter(places)
    return [count[place] for place in places]


def _demographics(rows: list[Rating], annotators: Iterable[str]) -> tuple[dict[str, str], ...]:
    answers: dict[str, dict[str, str]] = defaultdict(dict)
    for row in rows:
        for field in DEMOGRAPHICS:
            value = getattr(row, field)
            if value and answers[row.annotator].setdefault(field, value) != value:
                raise SpecError(f"{row.annotator!r} has two values of {field}; keep one.")
    return tuple(answers[annotator] for annotator in annotators)


def _places(labels: Sequence[str], group: Group) -> list[int]:
    """Return the indexes of the group among the rated labels, one for each of its names there."""
    return [place for place, label in enumerate(labels) if label in (group.human_data_key, group.label)]


def _columns(pairs: Sequence[tuple[str, str]], pair: Pair) -> list[tuple[int, bool]]:
    """Return the indexes of the pair among the rated pairs, each with whether the order is reversed there."""
    names = (pair.human_data_key, pair.name)
    ways = ((f"{left} - {right}" in names, f"{right} - {left}" in names) for left, right in pairs)
    return [(place, not forth) for place, (forth, back) in enumerate(ways) if forth or back]


def _band(age: str) -> str:
    """Return the band of an age in years, such as 25-34. Other texts stay as they are."""
    if not age.isdecimal():
        return age
    starts = [start for start in _BANDS if int(age) >= start]
    if not starts:
        return "under 18"
    if starts[-1] == _BANDS[-1]:
        return "65 and over"
    return f"{starts[-1]}-{_BANDS[len(starts)] - 1}"
