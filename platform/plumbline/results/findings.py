"""What a run found, in words: from its measures, which already carry the uncertainty."""

from collections.abc import Sequence
from dataclasses import dataclass

from plumbline.spec.measure import Measure
from plumbline.spec.numbers import with_interval

SIGNIFICANT_Q = 0.05
WORDS_TOLD = 3


@dataclass(frozen=True, slots=True)
class Contrast:
    """The differences between two groups in one run, attribute by attribute, largest first."""

    group_a: str
    group_b: str
    differences: tuple[Measure, ...]
    overall: tuple[Measure, ...] = ()
    """The mean difference over the words of each list: the part that all its words share."""
    centred: tuple[Measure, ...] = ()
    """The differences beyond that part."""

    def strongest(self, towards_a: bool, most: int | None = None) -> list[Measure]:
        """The attributes that are tied more to one side, the strongest first."""
        return _strongest(self.differences, towards_a)[:most]

    def significant(self, towards_a: bool) -> list[Measure]:
        return _significant(self.differences, towards_a)

    def leaning(self, towards_a: bool) -> list[Measure]:
        """The attributes that lean to one side beyond what all words of their list share."""
        return _significant(self.centred, towards_a)


def is_significant(measure: Measure) -> bool:
    """Beyond chance in its family; one without a q is not."""
    return measure.q_value is not None and measure.q_value < SIGNIFICANT_Q


def _significant(measures: Sequence[Measure], towards_a: bool) -> list[Measure]:
    return list(filter(is_significant, _strongest(measures, towards_a)))


def _strongest(measures: Sequence[Measure], towards_a: bool) -> list[Measure]:
    side = [one for one in measures if one.value is not None and (one.value > 0) == towards_a]
    return sorted(side, key=lambda one: -abs(one.value or 0.0))


def contrasts(measures: Sequence[Measure], difference: str) -> list[Contrast]:
    """The contrasts of a run from its measures of the statistic `difference` and of its centred form."""
    found: dict[tuple[str, str], list[Measure]] = {}
    for measure in measures:
        if measure.statistic in (difference, f"{difference}_centred"):
            found.setdefault((measure.group_a, measure.group_b), []).append(measure)
    return [_contrast(difference, groups, members) for groups, members in found.items()]


def _contrast(difference: str, groups: tuple[str, str], members: Sequence[Measure]) -> Contrast:
    own = [one for one in members if one.statistic == difference]
    return Contrast(
        *groups,
        differences=tuple(one for one in own if one.attribute),
        overall=tuple(one for one in own if not one.attribute),
        centred=tuple(one for one in members if one.statistic != difference),
    )


@dataclass(frozen=True, slots=True)
class Side:
    """One group of a contrast: how many attributes are tied more to it, how many lean to it, and some of these."""

    group: str
    tied: int
    leaning: int
    words: tuple[str, ...]
    """The strongest of those that lean to it."""


@dataclass(frozen=True, slots=True)
class Tally:
    """A contrast counted: all that its sentences are told from."""

    a: Side
    b: Side
    attributes: int
    units: int
    overall: tuple[Measure, ...]


def tally(contrast: Contrast) -> Tally:
    a, b = (_side(contrast, towards_a) for towards_a in (True, False))
    units = max((one.n_units for one in contrast.differences), default=0)
    return Tally(a, b, attributes=len(contrast.differences), units=units, overall=contrast.overall)


def _side(contrast: Contrast, towards_a: bool) -> Side:
    leaning = contrast.leaning(towards_a)
    return Side(
        group=contrast.group_a if towards_a else contrast.group_b,
        tied=len(contrast.significant(towards_a)),
        leaning=len(leaning),
        words=tuple(one.attribute for one in leaning[:WORDS_TOLD]),
    )


def sentences(model: str, contrast: Contrast) -> list[str]:
    """Three sentences: how many differences, which words lean to which side, and what this cannot tell."""
    return told(model, tally(contrast))


def told(model: str, found: Tally) -> list[str]:
    """The same, of a contrast that somebody else has counted."""
    a, b = found.a, found.b
    return [
        f"Of {found.attributes} attributes, {model} ties {a.tied} more to {a.group} than to {b.group}, and {b.tied}"
        f" more to {b.group} than to {a.group} (q < {SIGNIFICANT_Q}, {found.units} template frames){_shift(found)}.",
        f"Beyond what all words of a list share, {_leaning(a)}, and {_leaning(b)} (q < {SIGNIFICANT_Q}).",
        "This says what the model associates, not what people are; another set of templates or words may show more,"
        " and a difference near zero is no proof of fairness.",
    ]


def _shift(found: Tally) -> str:
    """The mean over a list's words: a difference that all words share says nothing about any one of them."""
    shifts = [
        f"{with_interval(one)} over {one.category or 'the attributes'}"
        for one in found.overall
        if one.value is not None and one.ci_low is not None and one.ci_high is not None
    ]
    return f"; all words share a shift of {' and '.join(shifts)}" if shifts else ""


def _leaning(side: Side) -> str:
    """How many words lean to a side, and the strongest of these."""
    if not side.leaning:
        return f"none leans to {side.group}"
    strongest = ", ".join(f'"{word}"' for word in side.words)
    return f"{side.leaning} {'leans' if side.leaning == 1 else 'lean'} to {side.group} (most of all {strongest})"
