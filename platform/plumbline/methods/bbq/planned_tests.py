"""The tests of a BBQ plan: bias scores, over templates."""

from collections.abc import Iterable, Iterator
from math import ceil, isnan, log
from typing import TYPE_CHECKING

from plumbline.spec.banks.bbq_question import AMBIG, DISAMBIG, Question
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
        for test in _of_condition(spec, condition, [len(own) for own in by_category.values()])
    ]


def _of_condition(spec: "BbqSpec", condition: str, counts: list[int]) -> Iterator[PlannedTest]:
    notes = _without_errors(spec, condition, counts)
    yield _test(spec, condition, sum(counts), 1, "in all {} contexts together", notes)
    if len(counts) > 1:
        testable = [count for count in counts if count >= spec.params.fewest_templates]
        fewest = min(testable, default=max(counts))
        yield _test(spec, condition, fewest, len(testable) or len(counts), "in {} contexts of one category")


def _test(
    spec: "BbqSpec", condition: str, templates: int, members: int, where: str, notes: tuple[str, ...] = ()
) -> PlannedTest:
    statistic, named = SCORES[condition]
    counts = counted(templates, "template")
    return PlannedTest(
        statistic=statistic,
        labels={**_WHOLE, "category": "category" in where},
        effect=f"a bias score of {{}} or more {where.format(named)}",
        unit="template",
        n_units=templates,
        subject="A category of this plan" if "category" in where else "This plan",
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
        notes=notes,
    )


def _without_errors(spec: "BbqSpec", condition: str, counts: list[int]) -> tuple[str, ...]:
    """Return p against the margin of a model that never gives a biased answer: (1 - margin)^n."""
    margin = spec.margin(Scale.RATE)
    if isnan(margin) or condition != AMBIG:
        return ()
    needed = ceil(log(spec.alpha) / log(1 - margin))
    few = sum(count < needed for count in counts)
    if not few:
        return ()
    return (
        f"A category without any error shows a bias below {margin:g} from {needed} templates on."
        f" {few} of {len(counts)} {'categories has' if few == 1 else 'categories have'} fewer.",
    )
