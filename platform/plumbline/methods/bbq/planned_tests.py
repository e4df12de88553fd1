"""The tests of a BBQ plan: bias scores, over templates."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import ceil, isnan, log
from typing import TYPE_CHECKING

from plumbline.spec.banks.bbq_question import AMBIG, DISAMBIG, NAMES_SUFFIX, Question
from plumbline.spec.numbers import counted
from plumbline.spec.power.attainable_p import EXACT_UP_TO, of_sign_flips
from plumbline.spec.power.tests import PlannedTest
from plumbline.spec.verdicts import FEWEST_UNITS, Scale

if TYPE_CHECKING:
    from plumbline.methods.bbq.spec import BbqSpec

SCORES = {AMBIG: ("s_amb", "ambiguous"), DISAMBIG: ("s_dis", "disambiguated")}

_WHOLE = dict.fromkeys(("group_a", "group_b", "attribute", "template"), False)
"""Columns that are empty if a score is of a category or of everything."""


def of_scores(spec: "BbqSpec", questions: Iterable[Question]) -> list[PlannedTest]:
    """Return the tests in ambiguous and in disambiguated contexts: of all questions together, and of categories."""
    templates: dict[str, dict[str, set[str]]] = {condition: {} for condition in SCORES}
    for one in questions:
        templates[one.condition].setdefault(one.reported, set()).add(one.cluster)
    return [
        test
        for condition, by_category in templates.items()
        if by_category
        for test in _of_condition(spec, condition, {category: len(own) for category, own in by_category.items()})
    ]


def _of_condition(spec: "BbqSpec", condition: str, by_category: Mapping[str, int]) -> Iterator[PlannedTest]:
    counts = list(by_category.values())
    whole = _test(spec, condition, sum(counts), 1, "in all {} contexts together")
    yield replace(whole, notes=_without_errors(spec, condition, counts), needs=_with_names(by_category))
    if len(counts) > 1:
        testable = [count for count in counts if count >= whole.fewest]
        fewest, members = min(testable, default=max(counts)), len(testable) or len(counts)
        categories = _test(spec, condition, fewest, members, "in {} contexts of one category")
        yield replace(categories, warnings=_too_few(counts, whole))


def _test(spec: "BbqSpec", condition: str, templates: int, members: int, where: str) -> PlannedTest:
    statistic, named = SCORES[condition]
    counts = counted(templates, "template")
    return PlannedTest(
        statistic=statistic,
        labels={**_WHOLE, "category": "category" in where},
        effect=f"a bias score of {{}} {where.format(named)}",
        unit="template",
        n_units=templates,
        given=f"{counts} in a category" if "category" in where else "",
        members=members,
        alpha=spec.alpha,
        margin=spec.margin(Scale.RATE),
        least_p=of_sign_flips(templates, spec.params.permutations),
        member="category",
        unanimous=f"all {counts} lean the same way" if templates <= EXACT_UP_TO else "",
        flips_signs=True,
        largest=1.0,
        fewest=max(FEWEST_UNITS, spec.params.fewest_templates),
    )


def _with_names(categories: Iterable[str]) -> tuple[str, ...]:
    """Return why a plan has more categories than its banks, if some questions name people."""
    named = next((one for one in categories if one.endswith(NAMES_SUFFIX)), None)
    return (f"Templates with proper names count as a category of their own, such as {named}.",) if named else ()


def _too_few(counts: Sequence[int], whole: PlannedTest) -> tuple[str, ...]:
    """Return how many categories have too few templates for a test, and what can be tested if none has enough."""
    few = sorted(count for count in counts if count < whole.fewest)
    if not few:
        return ()
    least, most = few[0], counted(few[-1], "template")
    have = f"{'it has' if len(few) == 1 else 'they have'} {most if least == few[-1] else f'{least} to {most}'}"
    why = f"{have}, and a test needs {whole.fewest}."
    if len(few) < len(counts):
        return (f"{len(few)} of {len(counts)} categories of this plan cannot be tested: {why}",)
    rest = " Only the scores over all categories together can be tested." if whole.is_possible else ""
    return (f"None of the {len(counts)} categories of this plan can be tested: {why}{rest}",)


def _without_errors(spec: "BbqSpec", condition: str, counts: Sequence[int]) -> tuple[str, ...]:
    """Return how many categories are too small to show that they have no bias, even if the model makes no error.

    The p-value against the margin is then (1 - margin)^n.
    """
    margin = spec.margin(Scale.RATE)
    if isnan(margin) or condition != AMBIG:
        return ()
    needed = ceil(log(spec.alpha) / log(1 - margin))
    few = sum(count < needed for count in counts)
    if not few:
        return ()
    return (
        f"A run can show that a category's bias is below {margin:g} only with {needed} or more templates, even if the"
        f" model makes no error. {_having_fewer(few, len(counts))}",
    )


def _having_fewer(few: int, of: int) -> str:
    if of == 1:
        return "The only category of this plan has fewer."
    if few == of:
        return f"All {of} categories of this plan have fewer."
    return f"{few} of {of} categories of this plan {'has' if few == 1 else 'have'} fewer."
