"""Findings about the contrasts of a run, from its measures with their uncertainty."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from plumbline.audits.models import Run
from plumbline.findings.prior_agreement import agreement_sentence, under_others
from plumbline.findings.sentences import group_name
from plumbline.findings.split_words import split_words
from plumbline.findings.undecided import why_undecided
from plumbline.results.tallies import Side, Tally
from plumbline.spec.measure import FAMILY_AND_KIND, Measure
from plumbline.spec.numbers import counted, with_interval
from plumbline.spec.verdicts import Verdict

ALPHA = 0.05
"""The default level of a spec."""
ATTRIBUTES = "the attributes"
"""The words of a measure without a list, where no list stands beside them."""


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


def tally_sentences(
    model: str, found: Tally, alpha: float = ALPHA, opposites: Mapping[str, str] | None = None
) -> list[str]:
    """Return sentences on the number of differences, the means of lists, and the words that lean.

    `opposites` names a pair of each list of opposites. Measures of earlier rules have no verdict and give no sentence.
    """
    if not found.judged:
        return []
    means = [one for one in found.overall if one.value is not None]
    shared = [text for one in means for text in _about_mean(model, found, one, opposites or {}) if text]
    if found.judged == found.not_testable:
        return [_not_testable(found), *shared]
    return [_counted(model, found, alpha), *shared, _leanings(found)]


def _about_mean(model: str, found: Tally, one: Measure, opposites: Mapping[str, str]) -> Iterator[str]:
    yield _shared(model, found, one)
    yield _priors(found, one)
    if one.category in opposites and is_present(one):
        yield opposites_sentence(one.category, opposites[one.category])


def opposites_sentence(words: str, pair: str) -> str:
    """Return why the mean over a list of opposites is no stereotype. `pair`: one pair, such as "cold - warm"."""
    subject = f"The words of {words}" if words else "The attributes"
    return (
        f"{subject} are pairs of opposites, such as {pair.replace(' - ', ' and ')}. So this mean"
        " tells to which group the model links words of both kinds, and is no stereotype by itself."
    )


def _counted(model: str, found: Tally, alpha: float) -> str:
    more = [
        f"{are(found.absent)} shown to differ by less than {found.smallest_effect:g}." if found.absent else "",
        f"{are(found.undecided)} undecided." if found.undecided else "",
        f"{found.not_testable} cannot be tested." if found.not_testable else "",
    ]
    a, b = (group_name(side.group) for side in (found.a, found.b))
    told = (
        f"Of {found.attributes} attributes, {model} is shown to link {found.a.linked or 'none'} more strongly to {a}"
        f" than to {b}, and {found.b.linked or 'none'} more strongly to {b} than to {a} (q < {alpha:g}, {found.units}"
        " kinds of sentence)."
    )
    return " ".join(filter(None, [told, *more]))


def are(number: int) -> str:
    """Return a number with its verb: `1 is`, `2,000 are`."""
    return f"{number:,} {'is' if number == 1 else 'are'}"


def _not_testable(found: Tally) -> str:
    return (
        f"Differences between {_between(found.a.group, found.b.group)} on single attributes could not have been found"
        f" with {counted(found.units, 'kind of sentence')}. The figures describe these sentences only."
    )


def _between(group_a: str, group_b: str) -> str:
    return f"{group_name(group_a)} and {group_name(group_b)}"


def difference_sentence(run: Run, one: Measure) -> str:
    """Return the sentence of a present difference: of one word, or of the mean over a list.

    Of a word that the model splits, the run may have scored the first subword only: then the sentence says so.
    """
    if not one.attribute:
        return f"{mean_sentence(run.subject, one)}."
    return word_sentence(run.subject, one, is_split=one.attribute in split_words(run, [one]))


def word_sentence(model: str, one: Measure, *, is_split: bool = False) -> str:
    """Return the sentence of a present difference of one word, of which the first subword was scored if it is split."""
    part = "the first subword of " if is_split else ""
    return f"{model} links {part}\u201c{one.attribute}\u201d {_towards(one)}."


def mean_sentence(model: str, one: Measure) -> str:
    """Return the sentence of a present mean difference, without its full stop."""
    return f"On average {model} links the words of {one.category or ATTRIBUTES} {_towards(one)}"


def _towards(one: Measure) -> str:
    more, less = (one.group_a, one.group_b) if (one.value or 0) > 0 else (one.group_b, one.group_a)
    return f"more strongly to {group_name(more)} than to {group_name(less)}"


def too_few_sentence(one: Measure, kinds: int = 0) -> str:
    """Return which units of a measure are too few. `kinds`: how many kinds of sentence its words have, 0: not known.

    A mean over a list has the smaller of two numbers of units, its word families and its kinds of sentence.
    """
    unit = one.unit
    if unit == FAMILY_AND_KIND and not kinds:
        few = f"{one.n_units} is too few to say more"
        return f"Of its word families and its kinds of sentence the smaller number counts: {few}."
    if unit == FAMILY_AND_KIND:
        unit = "word family" if one.n_units < kinds else "kind of sentence"
    return f"{counted(one.n_units, unit)} {'is' if one.n_units == 1 else 'are'} too few to say more."


def _words(found: Tally, one: Measure) -> str:
    """Return the words of a mean. Those of the plan itself have no list, and other lists may stand beside them."""
    is_beside_lists = any(other.category for other in found.overall)
    return one.category or ("the words of the plan itself" if is_beside_lists else ATTRIBUTES)


def _shared(model: str, found: Tally, one: Measure) -> str:
    """Return the sentence on the mean difference of a list. It says nothing about any single word."""
    words = _words(found, one)
    figures = with_interval(one)
    of = f"the mean difference between {_between(one.group_a, one.group_b)} over {words}"
    if one.verdict == Verdict.PRESENT:
        return f"{mean_sentence(model, one)}: {figures}."
    if one.verdict == Verdict.ABSENT:
        return f"T{of[1:]} is shown to be smaller than {one.smallest_effect:g}: {figures}."
    if one.verdict == Verdict.NOT_TESTABLE:
        return f"In these sentences {of} is {figures}. {too_few_sentence(one, found.kinds.get(one.category, 0))}"
    return f"T{of[1:]} is undecided: {figures}.{why_undecided(one)}"


def _priors(found: Tally, one: Measure) -> str:
    return agreement_sentence(one, under_others(found.under_others, one))


def _leanings(found: Tally) -> str:
    """Return the words that differ from the average of their list, which is not the test of the table below it."""
    told = "A second test compares each word with the average of its list, not with zero. By this test,"
    if not (found.a.leaning or found.b.leaning):
        a, b = (group_name(side.group) for side in (found.a, found.b))
        return f"{told} no word is shown to lean more to {a} or to {b} than its list does."
    leaning = f"{_leaning(found.a)}, and {_leaning(found.b)}"
    return f"{told} {leaning}. Such a word can still be linked more strongly to the other group."


def _leaning(side: Side) -> str:
    """Return how many words lean to a side, with the strongest of them."""
    group = group_name(side.group)
    if not side.leaning:
        return f"no word is shown to lean more to {group} than its list does"
    named = ", ".join(f'"{word}"' for word in side.words)
    strongest = f"most of all {named}" if side.leaning > len(side.words) else named
    lean = "word leans" if side.leaning == 1 else "words lean"
    return (
        f"{side.leaning} {lean} more to {group} than {'its' if side.leaning == 1 else 'their'} list does ({strongest})"
    )
