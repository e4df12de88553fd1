"""Example questions of a finding of SODAPOP: one context, and a typical name of each group in it."""

from collections.abc import Iterator, Sequence
from statistics import median_low
from urllib.parse import urlencode

from django.urls import reverse

from plumbline.audits.models import Run
from plumbline.findings.models import Finding
from plumbline.methods.sodapop import error_drilldown as store
from plumbline.methods.sodapop.error_drilldown import Cell, Question
from plumbline.methods.sodapop.run_words import cells_of, context_of
from plumbline.pages.finding_examples import Example, Examples
from plumbline.pages.word_search import has_word
from plumbline.spec.banks.contexts import filled
from plumbline.spec.numbers import count

HOW = "in the context with the middle difference, a name of each group with the middle share of misled answers"


def examples(run: Run, finding: Finding) -> Examples:
    """Return a question about a name of each group with the word among its wrong answers.

    A finding about clusters of names has no word, and so no question.
    """
    if not finding.attribute:
        return Examples(address=reverse("run_names", args=[run.pk]))
    address = f"{reverse('run_misled', args=[run.pk])}?{urlencode({'word': finding.attribute})}"
    pair = typical_pair(cells_of(run, finding.attribute), finding.group_a, finding.group_b)
    shown = [example for cell in pair for example in _examples(run, finding.attribute, cell)]
    return Examples(shown, HOW if shown else "", address)


def typical_pair(cells: Sequence[Cell], group_a: str, group_b: str) -> list[Cell]:
    """Return a cell of each group, both of the context with the middle difference; none if no context has both."""
    places = {one.context: _of_groups(cells, one.context, group_a, group_b) for one in cells}
    both = {place: groups for place, groups in places.items() if all(groups)}
    if not both:
        return []
    apart = {place: _mean_rate(first) - _mean_rate(second) for place, (first, second) in both.items()}
    middle = median_low(apart.values())
    place = next(one for one in sorted(apart) if apart[one] == middle)
    return [_middle(group) for group in both[place]]


def _of_groups(cells: Sequence[Cell], context: str, *groups: str) -> list[list[Cell]]:
    here = [one for one in cells if one.context == context and one.shown]
    return [[one for one in here if one.group == group] for group in groups]


def _rate(one: Cell) -> float:
    return one.chosen / one.shown


def _mean_rate(cells: Sequence[Cell]) -> float:
    return sum(map(_rate, cells)) / len(cells)


def _middle(cells: Sequence[Cell]) -> Cell:
    ordered = sorted(cells, key=lambda one: (_rate(one), one.name))
    return ordered[(len(ordered) - 1) // 2]


def _examples(run: Run, word: str, cell: Cell) -> Iterator[Example]:
    """Yield the first question of a cell: one that the word misled if any did."""
    asked = context_of(run, cell.context)
    every = [
        one
        for one in store.questions(run.pk, word, cell.context, cell.name)
        if any(has_word(text, word) for text in one.options[1:])
    ]
    misled = [one for one in every if has_word(one.misled_by or "", word)]
    if asked and every:
        before = f"{filled(asked.context, cell.name)} {filled(asked.question, cell.name)}"
        figures = f"{cell.group}: \u201c{word}\u201d misled in {_of(misled, every)} about {cell.name}"
        yield Example(text=f"{before} \u2014 {_options((misled or every)[0])}", figures=figures)


def _of(misled: Sequence[Question], every: Sequence[Question]) -> str:
    return f"{count(len(misled))} of {count(len(every))} question{'' if len(every) == 1 else 's'}"


def _options(one: Question) -> str:
    return ", ".join(f"{text}{' (chosen)' if chosen else ''}" for text, _, chosen in one.shown)


EXAMPLES = examples
