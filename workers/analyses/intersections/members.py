"""The pairs among a run's groups, and the positions of their components."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plumbline.spec.content import Group

Indices = npt.NDArray[np.intp]
NONE = -1


@dataclass(frozen=True, slots=True)
class Members:
    """Pairs whose two components are in the run too, as positions among the run's groups."""

    pairs: Indices
    """The pairs, [pairs]."""
    first: Indices
    """Their first components, [pairs]."""
    second: Indices
    """Their second components, [pairs]."""
    reverse: Indices
    """The row in `pairs` of the pair in the other order, or NONE, [pairs]."""
    singles: Indices
    """The groups that are not pairs."""
    incomplete: tuple[tuple[str, str], ...]
    """Pairs without their components: label, and the missing groups."""
    lexical: npt.NDArray[np.bool_]
    """Whether a pair has a word of its own (Latinas) and therefore no order, [pairs]."""

    def __len__(self) -> int:
        return len(self.pairs)


def members_of(groups: Sequence[Group]) -> Members:
    """Return the pairs of the run. A component is found by its label in the curated list that the pair was made of."""
    place = {group.label: index for index, group in enumerate(groups) if not group.components}
    whole, incomplete = [], []
    for index, group in enumerate(groups):
        if lacking := [label for label in group.components if label not in place]:
            incomplete.append((group.label, " and ".join(lacking)))
        elif group.components:
            whole.append((index, *(place[label] for label in group.components)))
    rows = np.array(whole, dtype=np.intp).reshape(-1, 3)
    at = {(first, second): row for row, (_, first, second) in enumerate(whole)}
    lexical = np.array([is_lexical(*(groups[number] for number in three)) for three in whole], dtype=bool)
    reverse = np.array([at.get((second, first), NONE) for _, first, second in whole], dtype=np.intp)
    reverse[lexical | lexical[reverse]] = NONE
    return Members(
        pairs=rows[:, 0],
        first=rows[:, 1],
        second=rows[:, 2],
        reverse=reverse,
        lexical=lexical,
        singles=np.array(sorted(place.values()), dtype=np.intp),
        incomplete=tuple(incomplete),
    )


def is_lexical(pair: Group, first: Group, second: Group) -> bool:
    """Return whether a pair has a word of its own: no form of it contains a whole form of either component.

    A composed name always does: "Asian women" contains women, "teenagers with disabilities" teenagers.
    """
    return not any(
        f" {part} " in f" {whole} " for whole in _forms(pair) for one in (first, second) for part in _forms(one)
    )


def _forms(group: Group) -> tuple[str, ...]:
    return tuple(form.casefold() for form in (group.label, group.singular, group.plural) if form)
