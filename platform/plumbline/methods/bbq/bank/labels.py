"""Pairs of people with different labels: from a template's own lists, or from the vocabulary of its category.

Source: Parrish et al. 2022, section 3 and appendix A, and the published examples.
"""

from collections.abc import Iterator
from itertools import permutations

from plumbline.methods.bbq.bank.draws import CUT, Draws
from plumbline.methods.bbq.bank.people import Together, both_orders, labelled, person_of_label
from plumbline.methods.bbq.bank.templates import Template
from plumbline.methods.bbq.bank.vocabulary import Vocabulary
from plumbline.methods.bbq.bank.word_list_cells import name_lists

OCCUPATION = "Occupation"
IN_PAIRS = ("Gender_identity",)
"""Categories in which each label meets each other of its subcategory."""


def of_own_lists(row: Template, original: bool) -> Iterator[Together]:
    """Return each word of the first list with each of the second. A mirrored row supplies the other order."""
    first, second = name_lists(row.fills, original)
    for one in first:
        for other in second:
            yield ((labelled(one, row.info1), labelled(other, row.info2)),)


def of_vocabulary(row: Template, vocabulary: Vocabulary, draws: Draws) -> Iterator[Together]:
    """Return labels of the stereotyped groups with others, in both orders.

    Raises ValueError if there are none of either.
    """
    pool = vocabulary.of(row.category, row.subcategory)
    if row.category in IN_PAIRS:
        return (((person_of_label(one), person_of_label(other)),) for one, other in permutations(pool, 2))
    if row.subcategory == OCCUPATION:
        return _of_jobs(row, vocabulary, draws)
    return _of_targets(row, vocabulary, draws)


def _of_targets(row: Template, vocabulary: Vocabulary, draws: Draws) -> Iterator[Together]:
    pool = vocabulary.of(row.category, row.subcategory)
    targets = [label for label in pool if label.is_of(row.stereotyped)]
    others = [label for label in pool if not label.is_of(row.stereotyped)]
    if not targets or not others:
        told = ", ".join(row.stereotyped) or "nobody"
        raise ValueError(
            f"the vocabulary of {row.category} has {'no label outside of' if targets else 'none of'} {told};"
            " give the template lists in Names, or the vocabulary the labels"
        )
    for target in draws.some(targets):
        for other in draws.some(others):
            yield both_orders(person_of_label(target), person_of_label(other))


def _of_jobs(row: Template, vocabulary: Vocabulary, draws: Draws) -> Iterator[Together]:
    """Return five drawn jobs, each with all of the other class, in both orders."""
    jobs = vocabulary.of(row.category, OCCUPATION)
    for job in draws.some(jobs, CUT):
        for other in jobs:
            if other.code != job.code:
                yield both_orders(person_of_label(job), person_of_label(other))
