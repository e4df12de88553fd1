"""What a run found, in words: from its measures, which already carry the uncertainty."""

from collections.abc import Sequence
from dataclasses import dataclass

from plumbline.spec.measure import Measure

SIGNIFICANT_Q = 0.05


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


def _significant(measures: Sequence[Measure], towards_a: bool) -> list[Measure]:
    side = _strongest(measures, towards_a)
    return [one for one in side if one.q_value is not None and one.q_value < SIGNIFICANT_Q]


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


def sentences(model: str, contrast: Contrast) -> list[str]:
    """Three sentences: how many differences, which words lean to which side, and what this cannot tell."""
    a, b = contrast.group_a, contrast.group_b
    tied_a, tied_b = len(contrast.significant(True)), len(contrast.significant(False))
    units = max((one.n_units for one in contrast.differences), default=0)
    return [
        f"Of {len(contrast.differences)} attributes, {model} ties {tied_a} more to {a} than to {b}, and {tied_b} more"
        f" to {b} than to {a} (q < {SIGNIFICANT_Q}, {units} template frames){_shift(contrast)}.",
        f"Beyond what all words of a list share, {_leaning(contrast, True)}, and {_leaning(contrast, False)}"
        f" (q < {SIGNIFICANT_Q}).",
        "This says what the model associates, not what people are; another set of templates or words may show more,"
        " and a difference near zero is no proof of fairness.",
    ]


def _shift(contrast: Contrast) -> str:
    """The mean over a list's words: a difference that all words share says nothing about any one of them."""
    shifts = [
        f"{one.value:+.2f} [{one.ci_low:+.2f}, {one.ci_high:+.2f}] over {one.category or 'the attributes'}"
        for one in contrast.overall
        if one.value is not None and one.ci_low is not None and one.ci_high is not None
    ]
    return f"; all words share a shift of {' and '.join(shifts)}" if shifts else ""


def _leaning(contrast: Contrast, towards_a: bool) -> str:
    """How many words lean to a side, and the strongest of these."""
    group = contrast.group_a if towards_a else contrast.group_b
    words = contrast.leaning(towards_a)
    if not words:
        return f"none leans to {group}"
    strongest = ", ".join(f'"{one.attribute}"' for one in words[:3])
    return f"{len(words)} {'leans' if len(words) == 1 else 'lean'} to {group} (most of all {strongest})"
