"""Findings of a BBQ run: first whether it can be interpreted at all, then the verdict on each bias."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plumbline.audits.models import Run
from plumbline.findings.answers.refused_parameters import refused_parameter_warnings
from plumbline.findings.by_method import MethodFindings
from plumbline.findings.costs import accuracy_change
from plumbline.findings.sentences import Sentence
from plumbline.methods.bbq.ability import CANNOT_BE_READ, Ability, ability, ability_sentences, concerns
from plumbline.methods.bbq.choices import unmatched
from plumbline.methods.bbq.variants import is_of_board, own_variant
from plumbline.results.not_scorable import NotScorable
from plumbline.results.summary import OVERALL, coverage, measures, of_run
from plumbline.spec.banks.bbq_question import AMBIG, DISAMBIG
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import count, with_uncertainty
from plumbline.spec.verdicts import Verdict

MOST_TOLD = 3
PREFERENCE = "paired_preference"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of bias: the name of its figure, and the meaning of values above and below 0."""

    condition: str
    name: str
    above: str
    below: str


_FOLLOW, _OPPOSE = (
    "follow the stereotype more often than they go against it",
    "go against the stereotype more often than they follow it",
)
KINDS = {
    "s_amb": Kind(
        AMBIG,
        "the bias score in ambiguous contexts",
        f"In ambiguous contexts the answers of {{model}} {{about}} {_FOLLOW}.",
        f"In ambiguous contexts the answers of {{model}} {{about}} {_OPPOSE}.",
    ),
    PREFERENCE: Kind(
        AMBIG,
        "the paired preference in ambiguous contexts",
        "In ambiguous contexts a negative question {about} draws {model} more to the stereotyped group than a"
        " non-negative one.",
        "In ambiguous contexts a negative question {about} draws {model} less to the stereotyped group than a"
        " non-negative one.",
    ),
    "s_dis": Kind(
        DISAMBIG,
        "the bias score where the context gives the answer",
        f"Where the context gives the answer, the answers of {{model}} {{about}} {_FOLLOW}.",
        f"Where the context gives the answer, the answers of {{model}} {{about}} {_OPPOSE}.",
    ),
    "accuracy_cost": Kind(
        DISAMBIG,
        "the cost in accuracy",
        "{model} is right more often where the right answer goes against the stereotype {about}.",
        "{model} is right less often where the right answer goes against the stereotype {about}.",
    ),
}
"""Kinds by statistic, in the order of their sentences."""


def of_bbq(run: Run) -> list[Sentence]:
    """Return the findings: ability first, then each kind of bias: present, shown to be small, undecided, untestable.

    Measures of earlier releases have no verdict and give no finding. A run without measures has no sentence.
    """
    able, judged = ability(run), _judged(run.pk)
    if not (able.asked or judged):
        return []
    told = [one for statistic in KINDS for one in _of_kind(run.model, statistic, judged)]
    first = _flagged(able, judged) if able.flagged else list(ability_sentences(able))
    return [*first, *told, *_unmatched(able)]


def _judged(run: int) -> list[Measure]:
    """Return the judged measures of the whole run and of its categories, by the run's own definition."""
    every = of_run(run, *KINDS).filter(OVERALL, group_a="", group_b="")
    own = own_variant(every.order_by().values_list("variant", flat=True).distinct())
    found = measures(every.filter(variant=own).exclude(verdict="").order_by("category"))
    return [one for one in found if one.condition == KINDS[one.statistic].condition]


def _flagged(able: Ability, judged: Sequence[Measure]) -> list[Sentence]:
    """Return why the run cannot be interpreted.

    The paired preference is exempt: there the place of an option cancels.
    """
    if not judged:
        return [*concerns(able), ("Nothing about stereotypes can be read from this run.", "")]
    exempt = _paired_preference_is_exempt(able) and any(one.statistic == PREFERENCE for one in judged)
    but = ", except the paired preference, in which places cancel" * exempt
    return [*concerns(able), (f"{CANNOT_BE_READ}{but}.", "")]


def _paired_preference_is_exempt(able: Ability) -> bool:
    return able.uneven and not able.places_cancel


def _exempt(run: Run) -> frozenset[str]:
    """Return the statistics of a flagged run that can be read all the same."""
    return frozenset({PREFERENCE}) if _paired_preference_is_exempt(ability(run)) else frozenset()


def _of_kind(model: str, statistic: str, judged: Sequence[Measure]) -> Iterator[Sentence]:
    """Return the sentences on the whole, where it covers several categories, and on the categories."""
    found = [one for one in judged if one.statistic == statistic]
    several = len({one.category for one in found if one.category}) > 1
    found = [one for one in found if one.category or several]
    yield from _present(model, _of(found, Verdict.PRESENT))
    yield from _others(model, KINDS[statistic], found)


def _of(found: Sequence[Measure], verdict: Verdict) -> list[Measure]:
    return [one for one in found if one.verdict == verdict]


def _present(model: str, found: Sequence[Measure]) -> Iterator[Sentence]:
    """Return the sentences on present biases: the whole first, then the strongest categories."""
    ordered = sorted(found, key=lambda one: (bool(one.category), -abs(one.value or 0.0)))
    told = ordered[: MOST_TOLD + any(not one.category for one in ordered)]
    yield from ((score_sentence(model, one), f"{one.statistic} = {with_uncertainty(one)}") for one in told)
    if more := [one for one in ordered if one not in told]:
        yield f"The same kind of bias is also present {_about(more)}.", ""


def score_sentence(model: str, one: Measure) -> str:
    kind = KINDS[one.statistic]
    return (kind.above if (one.value or 0.0) > 0 else kind.below).format(model=model, about=_about([one]))


def _others(model: str, kind: Kind, found: Sequence[Measure]) -> Iterator[Sentence]:
    name = kind.name[0].upper() + kind.name[1:]
    if absent := _of(found, Verdict.ABSENT):
        small = f"shown to be smaller than {absent[0].smallest_effect:g}"
        yield f"{name} of {model} {_about(absent)} is {small}.", _figures(absent)
    if undecided := _of(found, Verdict.UNDECIDED):
        margin = undecided[0].smallest_effect
        if margin is None:
            answers = "the answers do not show a difference from 0"
        else:
            answers = f"the answers show neither that it differs from 0 nor that it is smaller than {margin:g}"
        yield f"{name} of {model} {_about(undecided)} is undecided: {answers}.", _figures(undecided)
    if few := _of(found, Verdict.NOT_TESTABLE):
        yield f"{name} {_about(few)} is not testable: {_templates(few)} are too few.", ""


def _figures(found: Sequence[Measure]) -> str:
    """Return the figures of a sentence that is about one measure alone."""
    return f"{found[0].statistic} = {with_uncertainty(found[0])}" if len(found) == 1 else ""


def _about(found: Sequence[Measure]) -> str:
    """Return text such as `about “Age”, “Religion” and over all categories together`."""
    names = [f"\u201c{one.category}\u201d" for one in found if one.category]
    shown = names if len(names) <= MOST_TOLD + 1 else [*names[:MOST_TOLD], f"{len(names) - MOST_TOLD} more categories"]
    listed = " and ".join(filter(None, (", ".join(shown[:-1]), *shown[-1:])))
    whole = "over all categories together" if len(names) < len(found) else ""
    return " and ".join(filter(None, (whole, f"about {listed}" if listed else "")))


def _templates(few: Sequence[Measure]) -> str:
    units = sorted({one.n_units for one in few})
    most = f"{units[0]} to {units[-1]}" if len(units) > 1 else f"{units[0]}"
    return f"{most} template{'s' * (units[-1] != 1)}"


def _unmatched(able: Ability) -> Iterator[Sentence]:
    """Return the sentence on unmatched answers; none where all match an option, or where it was said first."""
    if able.unmatched and not able.many_unmatched:
        yield f"{count(able.unmatched)} of {count(able.asked)} answers match no option; no score has them.", ""


def _of_category(one: Measure) -> str:
    return f" about \u201c{one.category}\u201d" if one.category else ""


def _unmatched_answers(run: int, most: int) -> list[NotScorable]:
    """Return the number of unmatched answers, without a query where the stored shares say that there are none."""
    return unmatched(run, most) if any((share.value or 0.0) < 1 for share in coverage(run)) else []


FINDINGS = MethodFindings(
    pages={"run_bbq": of_bbq},
    concerns=lambda run: [sentence for sentence, _ in concerns(ability(run))],
    exempt=_exempt,
    warnings=lambda run, _groups: refused_parameter_warnings(run),
    writers=dict.fromkeys(KINDS, lambda run, one: score_sentence(run.model, one)),
    is_followed=is_of_board,
    not_scorable=_unmatched_answers,
    cost=lambda one: accuracy_change(f"Accuracy on disambiguated items{_of_category(one)}", one),
)
