"""Mean scores of words over a run's records, one row per word, from which effect sizes are computed."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ARRAY, ColumnElement, Integer, func, literal, select, tuple_

from plumbline.results import statements
from plumbline.results.tables import association, term
from plumbline.results.terms import known_ids, texts_of

MOST_LEFT_OUT = 20_000
"""The most items without a score that are read."""


def of_attributes(run: int, sentences: Sequence[tuple[str, str]], attributes: Sequence[str]) -> dict[str, float]:
    """Return each attribute's mean score over sentences (template, group), without attributes that lack a score."""
    ids = known_ids([label for pair in sentences for label in pair] + [*attributes])
    pairs = [(ids[template], ids[group]) for template, group in sentences if template in ids and group in ids]
    if not pairs or len(pairs) < len(sentences):
        return {}
    where = (
        association.c.attribute == _any([ids[text] for text in attributes if text in ids]),
        association.c.group == _any(sorted({group for _, group in pairs})),
        tuple_(association.c.template, association.c.group).in_(pairs),
    )
    return _means(run, association.c.attribute, where, len(pairs))


def of_groups(run: int, groups: Sequence[str], attributes: Sequence[str]) -> dict[str, float]:
    """Return each group's mean score over the given attributes that it has a score with."""
    ids = known_ids([*groups, *attributes])
    where = (
        association.c.group == _any([ids[label] for label in groups if label in ids]),
        association.c.attribute == _any([ids[text] for text in attributes if text in ids]),
    )
    return _means(run, association.c.group, where, 1)


def not_scored(run: int, groups: Sequence[str], attributes: Sequence[str]) -> list[tuple[str, str, str, str]]:
    """Return group, attribute, template and reason of the items without a score, at most MOST_LEFT_OUT."""
    ids = known_ids([*groups, *attributes])
    columns = (association.c.group, association.c.attribute, association.c.template, association.c.reason)
    query = select(*columns).where(
        association.c.run == run,
        ~association.c.scorable,
        association.c.group == _any([ids[label] for label in groups if label in ids]),
        association.c.attribute == _any([ids[text] for text in attributes if text in ids]),
    )
    rows = statements.rows(query.limit(MOST_LEFT_OUT))
    texts = texts_of(number for row in rows for number in row)
    return [(texts[row[0]], texts[row[1]], texts[row[2]], texts[row[3]]) for row in rows]


def _means(run: int, word: ColumnElement[int], where: Sequence[ColumnElement[bool]], least: int) -> dict[str, float]:
    known = func.count(association.c.score)
    query = select(word.label("word"), func.avg(association.c.score).label("mean"))
    found = query.where(association.c.run == run, *where).group_by(word).having(known >= least).subquery()
    rows = statements.rows(select(term.c.text, found.c.mean).join(found, found.c.word == term.c.id))
    return {text: float(mean) for text, mean in rows}


def _any(numbers: Sequence[int]) -> ColumnElement[Any]:
    return func.any(literal(list(numbers), ARRAY(Integer)))
