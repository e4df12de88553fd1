"""Into how many subwords the tokenizer of a run split its words, by the records of their scores."""

from collections.abc import Iterable

from sqlalchemy import ARRAY, ColumnElement, Integer, func, literal, select

from plumbline.results import statements
from plumbline.results.tables import association
from plumbline.results.terms import known_ids


def subwords_of(run: int, groups: Iterable[str], attributes: Iterable[str]) -> dict[str, int]:
    """Return the number of subwords of each attribute that the run asked with one of these groups. By an index."""
    groups, attributes = set(groups) - {""}, set(attributes) - {""}
    if not groups or not attributes:
        return {}
    ids = known_ids(groups | attributes)
    most = select(association.c.attribute, func.max(association.c.n_tokens)).where(
        association.c.run == run, _is_of("group", groups, ids), _is_of("attribute", attributes, ids)
    )
    words = {number: label for label, number in ids.items()}
    counts = statements.rows(most.group_by(association.c.attribute))
    return {words[attribute]: count for attribute, count in counts if count}


def _is_of(column: str, labels: Iterable[str], ids: dict[str, int]) -> ColumnElement[bool]:
    own = [ids[label] for label in labels if label in ids]
    return association.c[column] == func.any(literal(own, ARRAY(Integer)))
