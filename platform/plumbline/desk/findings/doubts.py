"""Findings whose word names or echoes one of their groups, which is no stereotype by itself."""

from django.db.models import QuerySet

from plumbline.findings.models import Finding
from plumbline.spec.grammar import Word
from plumbline.spec.group_in_word import group_in_word
from plumbline.spec.measure import OTHER_GROUPS
from plumbline.spec.word_echo import echo

MOST_READ = 20


def first_that_echoes_nothing(ordered: QuerySet[Finding]) -> Finding | None:
    """Return the first finding of the first run whose word does not echo a group's name; the very first, if all do.

    `ordered` has the findings of one run together. One query.
    """
    found = list(ordered[:MOST_READ])
    return next((one for one in found if _run(one) == _run(found[0]) and not _echoes(one)), found[0] if found else None)


def _run(one: Finding) -> int | None:
    return one.latest.run_number if one.latest else None


def _echoes(one: Finding) -> bool:
    groups = [group for group in (one.group_a, one.group_b) if group and group != OTHER_GROUPS]
    word, named = Word(one.attribute, one.attribute), {group: Word(group, group, group) for group in groups}
    return bool(one.attribute and (echo(one.attribute, groups) or group_in_word(word, named)))
