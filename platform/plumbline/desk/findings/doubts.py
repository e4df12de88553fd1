"""Findings with a known other reason: a word that echoes a group, or groups whose names differ in length."""

from collections.abc import Mapping

from django.db.models import QuerySet

from plumbline.audits.freezing import frozen_groups
from plumbline.audits.states import RunState
from plumbline.findings.models import Finding
from plumbline.spec.grammar import Word
from plumbline.spec.group_in_word import group_in_word
from plumbline.spec.measure import OTHER_GROUPS
from plumbline.spec.word_echo import echo

MOST_READ = 20


def first_without_doubt(ordered: QuerySet[Finding]) -> Finding | None:
    """Return the first finding of the first run whose word echoes no group and whose groups have names of one length.

    If the run has none, the very first. `ordered` has the findings of one run together. Two queries.
    """
    found = list(ordered[:MOST_READ])
    if not found:
        return None
    names = _names_asked(found[0])
    own = (one for one in found if _run(one) == _run(found[0]))
    return next((one for one in own if not (echoes(one) or _differing(one, names))), found[0])


def length_doubt(one: Finding) -> str:
    """Return that the names of a finding's two groups have different numbers of words, or "" if they have not."""
    if not (names := _differing(one, _names_asked(one))):
        return ""
    first, second = names
    return f"The names “{first}” and “{second}” differ in length. The difference may come from that alone."


def _differing(one: Finding, asked: Mapping[str, str]) -> list[str]:
    """Return the names of the two groups, as they were asked, if they differ in their number of words."""
    names = [asked.get(group, group) for group in named_groups(one)]
    return names if len({len(name.split()) for name in names}) > 1 else []


def _names_asked(one: Finding) -> dict[str, str]:
    """Return the names of groups in the sentences of the finding's latest run, by label.

    Of a live run nothing is read: a worker may hold its words.
    """
    run = one.latest.run if one.latest else None
    found = frozen_groups(run) if run and run.state == RunState.DONE else None
    return {group.label: group.plural or group.singular or group.label for group in found[1]} if found else {}


def _run(one: Finding) -> int | None:
    return one.latest.run_number if one.latest else None


def echoes(one: Finding) -> bool:
    """Return whether a finding's word names one of its groups, or is spelled like its name."""
    groups = named_groups(one)
    word, named = Word(one.attribute, one.attribute), {group: Word(group, group, group) for group in groups}
    return bool(one.attribute and (echo(one.attribute, groups) or group_in_word(word, named)))


def named_groups(one: Finding) -> list[str]:
    """Return the groups that a finding names. The other groups have no name."""
    return [group for group in (one.group_a, one.group_b) if group and group != OTHER_GROUPS]
