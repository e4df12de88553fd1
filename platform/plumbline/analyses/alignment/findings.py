"""Findings on whether a model agrees more with people's ratings of a group than with ratings of other groups."""

from plumbline.analyses.alignment.statistics import EXCESS, KENDALL_TAU
from plumbline.audits.models import Run
from plumbline.findings.prior_agreement import agreement_sentence, under_others
from plumbline.findings.sentences import Sentence, primary_first
from plumbline.results.summary import OVERALL, measures, of_run, under_every_prior
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import compared, count, number, probability, with_interval
from plumbline.spec.prior import is_under_other
from plumbline.spec.verdicts import Verdict

OPPOSED = "but the shared order is opposed: tau itself is negative"


def of_people(run: int, model: str) -> list[Sentence]:
    """Return the verdict on the excess over exchanged ratings, with tau, its mean over exchanges and other priors.

    There is none without ratings, or for measures of earlier rules, which have no verdict.
    """
    every = under_every_prior(run, EXCESS.name, KENDALL_TAU.name).filter(OVERALL, group_a="", category="")
    found = measures(every.order_by("pk"))
    specified = [one for one in found if not is_under_other(one)]
    names = primary_first({one.variant for one in specified if one.statistic == EXCESS.name and one.verdict})
    own = {(one.statistic, one.condition): one for one in specified if one.variant in names[:1]}
    excess, tau = own.get((EXCESS.name, "model")), own.get((KENDALL_TAU.name, "model"))
    if excess is None or tau is None or not excess.verdict:
        return []
    told = (people_sentence(model, excess, tau), figures(excess, tau, own.get((KENDALL_TAU.name, "exchanged"))))
    agreement = agreement_sentence(excess, under_others(found, excess))
    return [told, *([(agreement, "")] if agreement else [])]


def people_sentence(model: str, excess: Measure, tau: Measure) -> str:
    """Return the sentence for the verdict on the excess. The sign of tau alone says nothing about it."""
    groups = f"{count(excess.n_units)} group{'' if excess.n_units == 1 else 's'}"
    match excess.verdict:
        case Verdict.PRESENT:
            return _present(model, excess.value or 0.0, tau.value or 0.0)
        case Verdict.ABSENT:
            return (
                f"{model} is about as close to what people say of other groups as to what they say of the group itself:"
                f" the difference is shown to be smaller than {excess.smallest_effect:g}."
            )
        case Verdict.NOT_TESTABLE:
            return (
                f"{groups} are too few to test whether {model} is closer to what people say of a group than of others."
            )
        case _:
            return f"It is undecided whether {model} is closer to what people say of a group than of others ({groups})."


def _present(model: str, excess: float, tau: float) -> str:
    if excess < 0:
        return f"{model} is closer to what people say of other groups than to what they say of the group itself."
    opposed = f", {OPPOSED}" if tau < 0 else ""
    return f"{model} is closer to what people say of a group than to what they say of others{opposed}."


def finding_sentence(run: Run, one: Measure) -> str:
    """Return the sentence of a present excess, with the tau beside it, whose sign it may contradict."""
    beside = of_run(run.pk, KENDALL_TAU.name).filter(
        OVERALL, group_a="", category="", condition=one.condition, variant=one.variant
    )
    tau = beside.values_list("value", flat=True).first()
    return _present(run.subject, one.value or 0.0, tau or 0.0)


WRITERS = {EXCESS.name: finding_sentence}


def figures(excess: Measure, tau: Measure, exchanged: Measure | None) -> str:
    """Return `difference +0.09 [+0.03, +0.15]  25 groups  q = 0.006  tau +0.06, with exchanged ratings -0.03`."""
    q = f"  q {compared(probability(excess.q_value))}" if excess.q_value is not None else ""
    other = f", with exchanged ratings {number(exchanged.value)}" if exchanged else ""
    return f"difference {with_interval(excess)}  {count(excess.n_units)} groups{q}  tau {number(tau.value)}{other}"
