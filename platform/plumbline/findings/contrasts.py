"""Findings about the contrasts of a run, from its measures with their uncertainty."""

from collections.abc import Mapping, Sequence
from typing import Any

from plumbline.findings.prior_agreement import agreement_sentence, under_others
from plumbline.results.tallies import Side, Tally
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import with_interval
from plumbline.spec.verdicts import Verdict

ALPHA = 0.05
"""The default level of a spec."""


def alpha_of(spec: Mapping[str, Any]) -> float:
    """Return the level of a stored spec, which may be older than the key."""
    return float(spec.get("alpha", ALPHA))


def families_of(spec: Mapping[str, Any]) -> Sequence[str]:
    """Return the columns that define a family for q-values in a stored spec."""
    families: list[str] = spec.get("families", ["statistic"])
    return families


def is_present(measure: Measure) -> bool:
    """Return whether the verdict is that the effect differs from zero. Measures of earlier rules have no verdict."""
    return measure.verdict == Verdict.PRESENT


def verdict_clause(measure: Measure) -> str:
    """Return what the verdict adds to a sentence that describes an effect; a present one needs nothing."""
    clauses = {
        Verdict.ABSENT.value: f"; it is shown to be smaller than {measure.smallest_effect or 0.0:g}",
        Verdict.UNDECIDED.value: "; whether it holds beyond these sentences is undecided",
        Verdict.NOT_TESTABLE.value: "; these sentences are too few to test it",
    }
    return clauses.get(measure.verdict, "")


def tally_sentences(model: str, found: Tally, alpha: float = ALPHA) -> list[str]:
    """Return sentences on the number of differences, the means of lists, and the words that lean.

    Measures of earlier rules have no verdict and give no sentence.
    """
    if not found.judged:
        return []
    means = [one for one in found.overall if one.value is not None]
    shared = [text for one in means for text in (_shared(model, one), _priors(found, one)) if text]
    if found.judged == found.not_testable:
        return [_not_testable(found), *shared]
    return [_counted(model, found, alpha), *shared, _leanings(model, found)]


def _counted(model: str, found: Tally, alpha: float) -> str:
    a, b = found.a, found.b
    more = [
        f"{_are(found.absent)} shown to differ by less than {found.smallest_effect:g}." if found.absent else "",
        f"{_are(found.undecided)} undecided." if found.undecided else "",
        f"{found.not_testable} cannot be tested." if found.not_testable else "",
    ]
    told = (
        f"Of {found.attributes} attributes, {model} links {a.linked} more strongly to {a.group} than to {b.group}, and"
        f" {b.linked} more strongly to {b.group} than to {a.group} (q < {alpha:g}, {found.units} kinds of sentence)."
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
    """Return the sentence on the mean difference of a list. It says nothing about any single word."""
    words = one.category or "the attributes"
    figures = with_interval(one)
    if one.verdict == Verdict.PRESENT:
        towards, other = (one.group_a, one.group_b) if (one.value or 0) > 0 else (one.group_b, one.group_a)
        return f"On average {model} links the words of {words} more strongly to {towards} than to {other}: {figures}."
    if one.verdict == Verdict.ABSENT:
        return f"The mean difference over {words} is shown to be smaller than {one.smallest_effect:g}: {figures}."
    if one.verdict == Verdict.NOT_TESTABLE:
        told = f"In these sentences the mean difference over {words} is {figures}."
        return f"{told} These sentences are too few to say more."
    return f"It is undecided whether the words of {words} differ on average: {figures}."


def _priors(found: Tally, one: Measure) -> str:
    return agreement_sentence(one, under_others(found.under_others, one))


def _leanings(model: str, found: Tally) -> str:
    return f"Compared with the average of their list, {_leaning(found.a)}, and {_leaning(found.b)}."


def _leaning(side: Side) -> str:
    """Return how many words lean to a side, with the strongest of them."""
    if not side.leaning:
        return f"no word is shown to lean to {side.group}"
    strongest = ", ".join(f'"{word}"' for word in side.words)
    words = "word leans" if side.leaning == 1 else "words lean"
    return f"{side.leaning} {words} to {side.group} (most of all {strongest})"
