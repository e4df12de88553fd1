"""The findings of pronoun resolution: can the classifier do the task, and is "neither name" likelier for one gender?"""

from collections.abc import Iterator

from plumbline.audits.models import Run
from plumbline.audits.variants import with_ancestors
from plumbline.findings.by_method import MethodFindings
from plumbline.findings.sentences import Sentence
from plumbline.methods.gap.spec import SAW_PASSAGES
from plumbline.results.summary import measures, of_run
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import sample, with_uncertainty
from plumbline.spec.verdicts import Verdict

DIFFERENCES = ("p_neither_difference", "p_neither_excess_difference")
NEITHER = "\u201cneither name\u201d"


def of_pronouns(run: Run) -> list[Sentence]:
    """Return what the run cannot show or how well the classifier resolves pronouns, then the comparison of genders.

    There is none where they were not compared, or under earlier rules, which gave no verdict.
    """
    found = {one.statistic: one for one in measures(of_run(run.pk, *DIFFERENCES).order_by("pk"))}
    difference, excess = (found.get(name) for name in DIFFERENCES)
    if difference is None or not (difference.verdict or difference.value is None):
        return []
    first = [(sentence, "") for sentence in concerns(run)] or list(_ability(run))
    return [*first, *_of_genders(run.model, difference, excess)]


def _of_genders(model: str, difference: Measure, excess: Measure | None) -> Iterator[Sentence]:
    """Return the difference of the genders, then what is left of it, each with its figures."""
    figures = with_uncertainty(difference) if difference.value is not None else ""
    yield neither_sentence(model, difference, None), figures
    if difference.value is not None and excess is not None and excess.value is not None:
        yield _left(excess), with_uncertainty(excess)


def concerns(run: Run) -> list[str]:
    """Return the reasons why the run says nothing about stereotypes; none if it does."""
    return [*_trained_on_passages(run.model), *_learnt_nothing(run)]


def _trained_on_passages(model: str) -> Iterator[str]:
    for one in with_ancestors(model):
        if one in SAW_PASSAGES:
            which = f"{model} saw" if one == model else f"{model} was made of {one}, which saw"
            yield f"{which} passages of GAP in training. Do not report its figures on GAP."


def _learnt_nothing(run: Run) -> Iterator[str]:
    own, commonest = _accuracy(run)
    if own and commonest and _lower_limit(own) <= (commonest.value or 0.0):
        yield (
            f"The classifier on {run.model} is not shown to be right more often than the commonest answer"
            f" ({_share(own)}; the commonest answer {commonest.value:.0%})."
        )


def _ability(run: Run) -> Iterator[Sentence]:
    own, commonest = _accuracy(run)
    if own and commonest:
        told = f"The classifier on {run.model} resolves pronouns right more often than the commonest answer would"
        yield f"{told}.", f"accuracy = {_share(own)}, commonest answer {commonest.value:.0%}  {sample(own)}"


def _accuracy(run: Run) -> tuple[Measure | None, Measure | None]:
    """Return the accuracy over all passages, and that of always giving the commonest answer."""
    whole = of_run(run.pk, "accuracy").filter(group_a="", value__isnull=False)
    found = {one.condition: one for one in measures(whole.order_by("pk"))}
    return found.get(""), found.get("chance")


def _lower_limit(one: Measure) -> float:
    return (one.value or 0.0) if one.ci_low is None else one.ci_low


def _share(one: Measure) -> str:
    limits = f" [{one.ci_low:.0%}, {one.ci_high:.0%}]" if one.ci_low is not None and one.ci_high is not None else ""
    return f"{one.value:.0%}{limits}"


def neither_sentence(model: str, difference: Measure, excess: Measure | None) -> str:
    """Return the sentence on the difference, and on what remains after the genders' true rates are subtracted."""
    if difference.value is None:
        return f"{model}: the genders of pronouns cannot be compared: {difference.reason}."
    told = _compared(f"a classifier on the embeddings of {model}", difference)
    return told if excess is None or excess.value is None else f"{told} {_left(excess)}"


def _compared(who: str, one: Measure) -> str:
    more = "higher" if (one.value or 0.0) > 0 else "lower"
    gives = f"gives {NEITHER} a {more} probability for feminine than for masculine pronouns"
    if one.verdict == Verdict.PRESENT:
        return f"{who[:1].upper()}{who[1:]} {gives}."
    if one.verdict == Verdict.ABSENT:
        margin = f"is shown to differ between the genders of pronouns by less than {one.smallest_effect:g}"
        return f"The probability that {who} gives {NEITHER} {margin}."
    if one.verdict == Verdict.NOT_TESTABLE:
        return f"The passages are too few to test whether {who} {gives}."
    return f"It is undecided whether {who} {gives}."


def _left(one: Measure) -> str:
    """Return the sentence on the difference of P(neither) minus the share of passages in which neither is right."""
    apart = "After the true shares of such pronouns are subtracted,"
    if one.verdict == Verdict.PRESENT:
        return f"{apart} the probability is {'higher' if (one.value or 0.0) > 0 else 'lower'} for feminine pronouns."
    if one.verdict == Verdict.ABSENT:
        return f"{apart} the difference is shown to be smaller than {one.smallest_effect:g}."
    if one.verdict == Verdict.NOT_TESTABLE:
        return f"{apart} the passages are too few to test the difference."
    return f"{apart} it is undecided whether a difference is left."


def _excess_sentence(model: str, one: Measure) -> str:
    more = "higher" if (one.value or 0.0) > 0 else "lower"
    return (
        f"A classifier on the embeddings of {model} gives {NEITHER} a {more} probability for feminine than for"
        " masculine pronouns, after the true shares of such pronouns are subtracted."
    )


def _topic_sentence(model: str, one: Measure) -> str:
    more = "higher" if (one.value or 0.0) > 0 else "lower"
    return (
        f"The more {model} links the topics of a passage with men, the {more} is the probability that a classifier on"
        f" its embeddings gives {NEITHER}."
    )


FINDINGS = MethodFindings(
    pages={"run_pronouns": of_pronouns},
    concerns=concerns,
    writers={
        "p_neither_difference": lambda run, one: neither_sentence(run.model, one, None),
        "p_neither_excess_difference": lambda run, one: _excess_sentence(run.model, one),
        "topic_bias_correlation": lambda run, one: _topic_sentence(run.model, one),
    },
    # The overall differences are those of the topics' words, which serve the correlation.
    is_followed=lambda _one: False,
)
