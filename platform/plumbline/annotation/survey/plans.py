"""What each person is shown: groups in balanced order, pairs in random order, and the steps. Pure functions."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import permutations

Shown = Mapping[str, Sequence[int]]
"""How often each group was shown in each position."""


class Step(Enum):
    INSTRUCTION = "instruction"
    GROUP = "group"
    NAME_CHECK = "name_check"
    WORD_CHECK = "word_check"
    REPEAT = "repeat"
    ABOUT_YOU = "about_you"


@dataclass(frozen=True, slots=True)
class Place:
    """One page of a person's way. `group` is the index of the group that it is about, if there is one."""

    step: Step
    group: int | None = None


def places(groups: int) -> list[Place]:
    """Return the pages for this number of groups.

    Source: Cao et al. 2022, section 4: a check after the first group, another after the second, a repetition at the
    end, then demographics.
    """
    return [Place(Step.INSTRUCTION), *_groups(groups), Place(Step.REPEAT), Place(Step.ABOUT_YOU)]


def _groups(groups: int) -> Iterator[Place]:
    checks = {0: Step.NAME_CHECK, 1: Step.WORD_CHECK}
    for number in range(groups):
        yield Place(Step.GROUP, number)
        if number in checks:
            yield Place(checks[number], number)


def draw(shown: Shown, each: int, dice: random.Random) -> list[str]:
    """Return the groups for the next person: those shown least, in the order that balances the positions.

    Ties are broken at random.
    """
    labels = list(shown)
    dice.shuffle(labels)
    chosen = sorted(labels, key=lambda label: sum(shown[label]))[:each]
    dice.shuffle(chosen)
    return list(min(permutations(chosen), key=lambda order: _load(shown, [*order])))


def _load(shown: Shown, order: Sequence[str]) -> int:
    """Return how often these groups were in these positions."""
    return sum(shown[label][place] for place, label in enumerate(order))


def counted(shown: Shown, order: Sequence[str]) -> dict[str, list[int]]:
    """Return the counts with one more person, who sees this order."""
    found = {label: list(counts) for label, counts in shown.items()}
    for place, label in enumerate(order):
        found[label][place] += 1
    return found


def pair_order(seed: int, pairs: int) -> list[int]:
    """Return the indexes of the pairs in this person's order, the same for all groups."""
    order = list(range(pairs))
    _dice(seed, "pairs").shuffle(order)
    return order


def repeated_pairs(seed: int, pairs: int, repeated: int) -> list[int]:
    """Return the indexes of the pairs that this person rates twice."""
    return _dice(seed, "repeated").sample(range(pairs), min(repeated, pairs))


def repeated_group(seed: int, rated: Sequence[str]) -> str | None:
    """Return the group that this person rates twice, the last one only if there is no other; None if none is rated."""
    earlier = rated[:-1] or rated
    return _dice(seed, "group").choice(earlier) if earlier else None


def name_options(seed: int, group: str, groups: Sequence[str], wanted: int = 4) -> list[str]:
    """Return the group among others of the survey, shuffled."""
    dice = _dice(seed, "names")
    others = [label for label in groups if label != group]
    options = [group, *dice.sample(others, min(wanted - 1, len(others)))]
    dice.shuffle(options)
    return options


def _dice(seed: int, purpose: str) -> random.Random:
    return random.Random(f"{purpose} {seed}")  # noqa: S311 -- an order that can be made again, no secret
