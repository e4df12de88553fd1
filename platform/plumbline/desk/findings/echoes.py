"""Findings whose word names or echoes one of their groups, which is no stereotype by itself."""

from django.db.models import QuerySet

from plumbline.findings.models import Finding
from plumbline.spec.grammar import Word
from plumbline.spec.group_in_word import group_in_word
from plumbline.spec.measure import OTHER_GROUPS
from plumbline.spec.word_echo import echo

MOST_READ = 20


def first_that_echoes_nothing(ordered: QuerySet[Finding]) -> Finding | None:
    """Return the first finding whose word does not echo a group's name; the very first, if all do. One query."""
    first = list(ordered[:MOST_READ])
    return next((one for one in first if not _echoes(one)), first[0] if first else None)


def _echoes(one: Finding) -> bool:
    groups = [group for group in (one.group_a, one.group_b) if group and group != OTHER_GROUPS]
    word, named = Word(one.attribute, one.attribute), {group: Word(group, group, group) for group in groups}
    return bool(one.attribute and (echo(one.attribute, groups) or group_in_word(word, named)))
