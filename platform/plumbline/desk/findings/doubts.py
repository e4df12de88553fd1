"""Findings with a known other reason: words that echo a group or were scored in part, names that differ in length."""

from collections.abc import Collection, Mapping, Sequence

from django.db.models import QuerySet

from plumbline.audits.freezing import frozen_groups
from plumbline.audits.states import RunState
from plumbline.findings.models import Finding
from plumbline.findings.split_words import split_words
from plumbline.findings.word_reasons import word_reasons
from plumbline.spec.grammar import Word
from plumbline.spec.measure import OTHER_GROUPS
from plumbline.spec.sentences import Words

MOST_READ = 20


def first_without_doubt(ordered: QuerySet[Finding]) -> Finding | None:
    """Return the first finding of the first run without a known other reason.

    Its word echoes no group and was scored whole, and its groups have names of one length. If the run has none, the
    very first. `ordered` has the findings of one run together. Four queries.
    """
    found = list(ordered[:MOST_READ])
    if not found:
        return None
    names = _names_asked(found[0])
    own = [one for one in found if _run(one) == _run(found[0])]
    split = _split_words(own)
    return next((one for one in own if not (echoes(one) or one.attribute in split or _differing(one, names))), found[0])


def length_doubt(one: Finding) -> str:
    """Return that the names of a finding's groups have different numbers of words, or "" if they have not."""
    if not (names := _differing(one, _names_asked(one))):
        return ""
    first, second = names
    return f"The names “{first}” and “{second}” differ in length. The difference may come from that alone."


def _differing(one: Finding, asked: Mapping[str, str]) -> list[str]:
    """Return the name of a group and the first name with another number of words that it is compared with, or nothing.

    Names as they were asked. A group that is compared with the mean of the others is compared with each of them.
    """
    others = sorted(set(asked) - {one.group_a}) if one.group_b == OTHER_GROUPS else [one.group_b]
    first = asked.get(one.group_a, one.group_a)
    names = (asked.get(group, group) for group in others if group and one.group_a)
    return next(([first, name] for name in names if len(name.split()) != len(first.split())), [])


def _split_words(findings: Sequence[Finding]) -> Collection[str]:
    """Return the words of one run's findings of which the run scored only the first subword."""
    run = findings[0].latest.run if findings[0].latest else None
    return split_words(run, findings) if run and run.state == RunState.DONE else ()


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
    """Return whether a finding's word names one of its groups or a gender, or is spelled like its name.

    A list of findings reads no words of runs, so their labels stand for all their forms.
    """
    groups = {group: Word(group, group, group) for group in named_groups(one)}
    words = Words(groups, {one.attribute: Word(one.attribute, one.attribute)}, ())
    return bool(one.attribute and word_reasons(words, (one.group_a, one.group_b), one.attribute))


def named_groups(one: Finding) -> list[str]:
    """Return the groups that a finding names. The other groups have no name."""
    return [group for group in (one.group_a, one.group_b) if group and group != OTHER_GROUPS]
