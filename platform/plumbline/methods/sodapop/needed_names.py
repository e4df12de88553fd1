"""The number of names that each group needs before one word can become significant."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, count
from math import ceil

from plumbline.spec.power.attainable_p import of_draws, of_splits
from plumbline.spec.power.detectable_effects import fewest_unanimous

MOST_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Needs:
    """A family of `words`, each compared between all pairs of groups at `alpha`.

    `groups` has the number of names of each group. A test takes all splits of names up to `draws`, else `draws`.
    """

    groups: Mapping[str, int]
    words: int
    alpha: float
    draws: int

    @property
    def pairs(self) -> list[tuple[str, str]]:
        return [*combinations(self.groups, 2)]

    @property
    def members(self) -> int:
        return self.words * len(self.pairs)

    def names(self, members: int) -> int | None:
        """Return the fewest names of each group with which one of `members` comparisons can become significant.

        None if no number of names suffices with these permutations.
        """
        if not self._reached(of_draws(self.draws), members):
            return None
        return next(size for size in count(1) if self._reached(self._least_p(size, size), members))

    def sentences(self) -> list[str]:
        """Return the sentences on the number of names that a group needs, and on the groups with fewer."""
        alone, together = self.names(self.members), self.names(1)
        if alone is None or together is None:
            return [
                f"With {self.draws:,} permutations no number of names makes a single one of {self.words} words"
                f" significant. Set `permutations` to {ceil(self.members / self.alpha) - 1:,} or more."
            ]
        return [
            f"A single one of {self.words} words can become significant if both groups have at least {alone} names."
            f" With fewer than {together} names in both groups, no number of words can.",
            *self._short(),
        ]

    def _short(self) -> Iterator[str]:
        short = [(a, b) for a, b in self.pairs if not self._reached(self._pair_p(a, b), self.members)]
        if short:
            shown = ", ".join(f"{a} ({self.groups[a]}) with {b} ({self.groups[b]})" for a, b in short[:MOST_SHOWN])
            more = f" and {len(short) - MOST_SHOWN:,} more" if len(short) > MOST_SHOWN else ""
            of = "This pair" if len(self.pairs) == 1 else f"{len(short):,} of {len(self.pairs):,} pairs"
            have = "has" if len(short) == 1 else "have"
            yield f"{of} of groups {have} too few names for a single word: {shown}{more}."

    def _pair_p(self, a: str, b: str) -> float:
        return self._least_p(self.groups[a], self.groups[b])

    def _least_p(self, first: int, second: int) -> float:
        return of_splits(first, second, self.draws, self.draws)

    def _reached(self, p: float, members: int) -> bool:
        return fewest_unanimous(p, members, self.alpha) <= 1
