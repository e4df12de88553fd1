"""The finding of pronoun resolution: does a classifier find "neither name" more often for one gender of pronouns?"""

from plumbline.findings.by_method import MethodFindings
from plumbline.findings.sentences import Sentence
from plumbline.results.summary import measures, of_run
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import with_uncertainty
from plumbline.spec.verdicts import Verdict

DIFFERENCES = ("p_neither_difference", "p_neither_excess_difference")
NEITHER = "\u201cneither name\u201d"


def of_pronouns(run: int, model: str) -> list[Sentence]:
    """Return the comparison of feminine with masculine pronouns.

    There is none where they were not compared, or under earlier rules, which gave no verdict.
    """
    found = {one.statistic: one for one in measures(of_run(run, *DIFFERENCES).order_by("pk"))}
    difference, excess = (found.get(name) for name in DIFFERENCES)
    if difference is None or not (difference.verdict or difference.value is None):
        return []
    figures = with_uncertainty(difference) if difference.value is not None else ""
    return [(neither_sentence(model, difference, excess), figures)]


def neither_sentence(model: str, difference: Measure, excess: Measure | None) -> str:
    """Return the sentence on the difference, and on what remains after the genders' true rates are subtracted."""
    if difference.value is None:
        return f"{model}: the genders of pronouns cannot be compared: {difference.reason}."
    told = _compared(f"a classifier on {model}", difference)
    return told if excess is None or excess.value is None else f"{told} {_left(excess)}"


def _compared(who: str, one: Measure) -> str:
    likelier = "likelier" if (one.value or 0.0) > 0 else "less likely"
    if one.verdict == Verdict.PRESENT:
        return f"{_capital(who)} finds {NEITHER} {likelier} for feminine than for masculine pronouns."
    if one.verdict == Verdict.ABSENT:
        return f"How likely {who} finds {NEITHER} differs between the genders by less than {one.smallest_effect:g}."
    if one.verdict == Verdict.NOT_TESTABLE:
        return f"The passages are too few to say whether {who} finds {NEITHER} likelier for one gender."
    return f"It is undecided whether {who} finds {NEITHER} likelier for one gender of pronouns than for the other."


def _left(one: Measure) -> str:
    more = "more" if (one.value or 0.0) > 0 else "less"
    if one.verdict == Verdict.PRESENT:
        return f"Compared with how often it is really so, it finds it {more} likely for feminine pronouns."
    if one.verdict == Verdict.ABSENT:
        return f"Beyond the true shares the difference is shown to be smaller than {one.smallest_effect:g}."
    return "It is not shown that a difference is left when the true shares are taken out."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


FINDINGS = MethodFindings(pages={"run_pronouns": lambda run: of_pronouns(run.pk, run.model)})
