"""Findings with a known other reason: a word that echoes a group, or groups whose names differ in length."""

from django.db.models import QuerySet

from plumbline.findings.models import Finding
from plumbline.spec.grammar import Word
from plumbline.spec.group_in_word import group_in_word
from plumbline.spec.measure import OTHER_GROUPS
from plumbline.spec.word_echo import echo

MOST_READ = 20


def first_without_doubt(ordered: QuerySet[Finding]) -> Finding | None:
    """Return the first finding of the first run whose word echoes no group and whose groups have names of one length.

    If the run has none, the very first. `ordered` has the findings of one run together. One query.
    """
    found = list(ordered[:MOST_READ])
    own = (one for one in found if _run(one) == _run(found[0]))
    return next((one for one in own if not (_echoes(one) or length_doubt(one))), found[0] if found else None)


def length_doubt(one: Finding) -> str:
    """Return that the names of a finding's two groups have different numbers of words, or "" if they have not."""
    groups = named_groups(one)
    if len({len(group.split()) for group in groups}) < 2:
        return ""
    first, second = groups
    return f"The names “{first}” and “{second}” differ in length. The difference may come from that alone."


def _run(one: Finding) -> int | None:
    return one.latest.run_number if one.latest else None


def _echoes(one: Finding) -> bool:
    groups = named_groups(one)
    word, named = Word(one.attribute, one.attribute), {group: Word(group, group, group) for group in groups}
    return bool(one.attribute and (echo(one.attribute, groups) or group_in_word(word, named)))


def named_groups(one: Finding) -> list[str]:
    """Return the groups that a finding names. The other groups have no name."""
    return [group for group in (one.group_a, one.group_b) if group and group != OTHER_GROUPS]
