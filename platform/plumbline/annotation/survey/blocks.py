"""Which answers a release publishes, and with which demographics. Pure functions.

A release consists of blocks: the raters of one group with the same published demographics, at least LEAST_RATERS of
them. Every cell of every export is a union of blocks, and so is the difference of two exports.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

from plumbline.spec.judgements import DEMOGRAPHICS, LEAST_RATERS

Person = TypeVar("Person", bound=Hashable)
Profile = tuple[tuple[str, str], ...]
"""Published demographics: field and value, in the order of DEMOGRAPHICS."""


def releasable(waiting: Iterable[tuple[Person, str]], least: int = LEAST_RATERS) -> dict[str, set[Person]]:
    """Return the raters by group, without groups that fewer than `least` wait for. `waiting` holds rater and group."""
    found: dict[str, set[Person]] = defaultdict(set)
    for person, group in waiting:
        found[group].add(person)
    return {group: people for group, people in found.items() if len(people) >= least}


def profiles(
    raters: Mapping[str, set[Person]], answers: Mapping[Person, Mapping[str, str]], least: int = LEAST_RATERS
) -> dict[Person, Profile]:
    """Return the demographics that may be published of each rater.

    Starts from all answers and drops the last field of raters in small blocks, until each block of each group has
    at least `least` raters. The block without demographics counts, too: it is what a difference would leave.
    """
    found = {person: _whole(answers[person]) for people in raters.values() for person in people}
    while small := _small(raters, found, least):
        for person in small:
            found[person] = found[person][:-1]
    return found


def _whole(answers: Mapping[str, str]) -> Profile:
    return tuple((field, answers[field]) for field in DEMOGRAPHICS if answers.get(field))


def _small(raters: Mapping[str, set[Person]], found: Mapping[Person, Profile], least: int) -> set[Person]:
    """Return the raters who must lose a field."""
    return {person for people in raters.values() for person in _small_of(people, found, least)}


def _small_of(people: set[Person], found: Mapping[Person, Profile], least: int) -> set[Person]:
    blocks: dict[Profile, set[Person]] = defaultdict(set)
    for person in people:
        blocks[found[person]].add(person)
    silent = blocks.pop((), set())
    small = {person for block in blocks.values() if len(block) < least for person in block}
    if not small and 0 < len(silent) < least:
        return min(
            blocks.values(), key=lambda block: (len(block), sorted(found[one] for one in block)[0]), default=set()
        )
    return small
