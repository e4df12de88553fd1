"""Notices about the names that an import writes: no group, another group, or a group that is new to the list."""

from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any

from plumbline.spec.numbers import counted
from plumbline.vocab.models import Name, NameList

MOST_NAMED = 5
WITHOUT_GROUP = "SODAPOP refuses such a name. The indirect score leaves it out of its correlation within groups."
NO_GROUP = "no group"


def name_notices(added: Iterable[Any], changed: Iterable[tuple[Any, Any]]) -> list[str]:
    """Return the notices about names. Entries of other kinds give none.

    `changed` holds the stored row and the new entry of each.
    """
    pairs = [(old, new) for old, new in changed if isinstance(new, Name)]
    written = [new for new in added if isinstance(new, Name)] + [new for _, new in pairs]
    ungrouped = [one.name for one in written if not one.group.strip()]
    moves = [f"{new.name!r} from {_group(old)} to {_group(new)}" for old, new in pairs if old.group != new.group]
    return [*_ungrouped_notice(ungrouped), *_moves_notice(moves)]


def new_group_notices(names: NameList, written: Iterable[Any]) -> list[str]:
    """Return a notice of the groups that no name of a stored list has yet. A list without groups gives none."""
    known = sorted({group for group in names.entries.values_list("group", flat=True) if group.strip()})
    new = Counter(one.group for one in written if one.group.strip() and one.group not in known)
    if not known or not new:
        return []
    told = _first([f"{group!r} ({counted(number, 'name')}{_meant(group, known)})" for group, number in new.items()])
    others = f"If it is misspelt, correct the file: the list has {_first([repr(group) for group in known])}."
    return [f"This list had no name of {told} before. {others}"]


def _meant(group: str, known: Sequence[str]) -> str:
    near = get_close_matches(group, known, n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


def _ungrouped_notice(names: Sequence[str]) -> list[str]:
    has = "has" if len(names) == 1 else "have"
    which = _first([repr(name) for name in names])
    return [f"{counted(len(names), 'name')} {has} no group: {which}. {WITHOUT_GROUP}"] if names else []


def _moves_notice(moves: Sequence[str]) -> list[str]:
    if not moves:
        return []
    verb = "changes its group" if len(moves) == 1 else "change their groups"
    return [f"{counted(len(moves), 'name')} {verb}: {_first(moves)}."]


def _group(name: Name) -> str:
    return repr(name.group) if name.group.strip() else NO_GROUP


def _first(texts: Sequence[str]) -> str:
    more = f" and {len(texts) - MOST_NAMED:,} more" if len(texts) > MOST_NAMED else ""
    return ", ".join(texts[:MOST_NAMED]) + more
