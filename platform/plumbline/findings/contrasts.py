"""What a run found, in words: from its measures, which already carry the uncertainty."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plumbline.findings.prior_agreement import agreement_sentence, under_others
from plumbline.results.tallies import WORDS_TOLD, Side, Tally
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import with_interval
from plumbline.spec.prior import is_under_other
from plumbline.spec.verdicts import Verdict

ALPHA = 0.05
"""The default of a spec."""
EARLIER = "This run was summarised under earlier rules, so it has no verdicts. Summarise it again to get them."
CAVEAT = (
    "This says what the model associates, not what people are. Other templates or words may show more. What is"
    " undecided is no proof of fairness."
)


@dataclass(frozen=True, slots=True)
class Contrast:
    """The differences between two groups in one run, attribute by attribute, largest first."""

    group_a: str
    group_b: str
    differences: tuple[Measure, ...]
    overall: tuple[Measure, ...] = ()
    """The mean difference over the words of each list: the part that all its words share."""
    centred: tuple[Measure, ...] = ()
    """The differences from that mean."""
    under_others: tuple[Measure, ...] = ()
    """The means over lists under other priors than the spec's, where these do not cancel."""

    def strongest(self, towards_a: bool, most: int | None = None) -> list[Measure]:
        """The attributes that are linked more strongly to one side, the strongest first."""
        return _strongest(self.differences, towards_a)[:most]

    def present(self, towards_a: bool) -> list[Measure]:
        return _present(self.differences, towards_a)

    def leaning(self, towards_a: bool) -> list[Measure]:
        """The attributes that lean to one side, compared with the average of their list."""
        return _present(self.centred, towards_a)


def alpha_of(spec: Mapping[str, Any]) -> float:
    """The level of a spec as stored, which may be older than the key."""
    return float(spec.get("alpha", ALPHA))


def families_of(spec: Mapping[str, Any]) -> Sequence[str]:
    """The columns that make a family for q-values, of a spec as stored."""
    families: list[str] = spec.get("families", ["statistic"])
    return families


def is_present(measure: Measure) -> bool:
    """Whether its summary found that it differs from zero; measures of earlier rules have no verdict."""
    return measure.verdict == Verdict.PRESENT


def _present(measures: Sequence[Measure], towards_a: bool) -> list[Measure]:
    return list(filter(is_present, _strongest(measures, towards_a)))


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
    own = [one for one in members if one.statistic == difference and not is_under_other(one)]
    return Contrast(
        *groups,
        differences=tuple(one for one in own if one.attribute),
        overall=tuple(one for one in own if not one.attribute),
        centred=tuple(one for one in members if one.statistic != difference),
        under_others=tuple(one for one in members if is_under_other(one) and not one.attribute),
    )


def tally(contrast: Contrast) -> Tally:
    a, b = (_side(contrast, towards_a) for towards_a in (True, False))
    verdicts = Counter(one.verdict for one in contrast.differences)
    return Tally(
        a,
        b,
        attributes=len(contrast.differences),
        units=max((one.n_units for one in contrast.differences), default=0),
        overall=contrast.overall,
        absent=verdicts[Verdict.ABSENT],
        undecided=verdicts[Verdict.UNDECIDED],
        not_testable=verdicts[Verdict.NOT_TESTABLE],
        smallest_effect=max(filter(None, (one.smallest_effect for one in contrast.differences)), default=None),
        under_others=contrast.under_others,
    )


def _side(contrast: Contrast, towards_a: bool) -> Side:
    leaning = contrast.leaning(towards_a)
    return Side(
        group=contrast.group_a if towards_a else contrast.group_b,
        tied=len(contrast.present(towards_a)),
        leaning=len(leaning),
        words=tuple(one.attribute for one in leaning[:WORDS_TOLD]),
    )


def sentences(model: str, contrast: Contrast, alpha: float = ALPHA) -> list[str]:
    """How many differences, the mean of each list, which words lean compared with it, and what this cannot tell."""
    return tally_sentences(model, tally(contrast), alpha)


def tally_sentences(model: str, found: Tally, alpha: float = ALPHA) -> list[str]:
    """The same, of a contrast that somebody else has counted."""
    means = [one for one in found.overall if one.value is not None]
    shared = [text for one in means for text in (_shared(model, one), _priors(found, one)) if text]
    if not found.judged:
        return [EARLIER, *shared, CAVEAT]
    if found.judged == found.not_testable:
        return [_not_testable(found), *shared, CAVEAT]
    return [_counted(model, found, alpha), *shared, _leanings(model, found), CAVEAT]


def _counted(model: str, found: Tally, alpha: float) -> str:
    a, b = found.a, found.b
    more = [
        f"{_are(found.absent)} shown to differ by less than {found.smallest_effect:g}." if found.absent else "",
        f"{_are(found.undecided)} undecided." if found.undecided else "",
        f"{found.not_testable} cannot be tested." if found.not_testable else "",
    ]
    told = (
        f"Of {found.attributes} attributes, {model} links {a.tied} more strongly to {a.group} than to {b.group}, and"
        f" {b.tied} more strongly to {b.group} than to {a.group} (q < {alpha:g}, {found.units} kinds of sentence)."
    )
    return " ".join(filter(None, [told, *more]))


def _are(number: int) -> str:
    return f"{number} {'is' if number == 1 else 'are'}"


def _not_testable(found: Tally) -> str:
    return (
        f"Differences on single attributes could not have been found with {found.units}"
        f" kind{'' if found.units == 1 else 's'} of sentence. The figures describe these sentences only."
    )


def _shared(model: str, one: Measure) -> str:
    """A difference that all words of a list share says nothing about any one of them."""
    words = one.category or "the attributes"
    figures = with_interval(one)
    if one.verdict == Verdict.PRESENT:
        towards, other = (one.group_a, one.group_b) if (one.value or 0) > 0 else (one.group_b, one.group_a)
        return f"On average {model} links the words of {words} more strongly to {towards} than to {other}: {figures}."
    if one.verdict == Verdict.ABSENT:
        return f"The mean difference over {words} is shown to be smaller than {one.smallest_effect:g}: {figures}."
    if one.verdict == Verdict.NOT_TESTABLE:
        return f"In these sentences the mean difference over {words} is {figures}. They are too few to say more."
    return f"It is undecided whether the words of {words} differ on average: {figures}."


def _priors(found: Tally, one: Measure) -> str:
    return agreement_sentence(one, under_others(found.under_others, one))


def _leanings(model: str, found: Tally) -> str:
    return f"Compared with the average of their list, {_leaning(found.a)}, and {_leaning(found.b)}."


def _leaning(side: Side) -> str:
    """How many words lean to a side, and the strongest of these."""
    if not side.leaning:
        return f"no word is shown to lean to {side.group}"
    strongest = ", ".join(f'"{word}"' for word in side.words)
    words = "word leans" if side.leaning == 1 else "words lean"
    return f"{side.leaning} {words} to {side.group} (most of all {strongest})"
