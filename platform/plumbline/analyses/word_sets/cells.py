"""Effect sizes of groups on pairs of opposites and over random cuts of a set, for pages."""

from collections.abc import Sequence
from dataclasses import dataclass

from plumbline.pages.charts.direction_style import Lean, lean
from plumbline.results.summary import measures, of_run
from plumbline.spec.measure import Measure

FEW = "drawn with replacement"
"""The prefix of the summary's reason if a word had fewer sentences than were drawn."""


@dataclass(frozen=True, slots=True)
class Cuts:
    """The spread of the effect size over random cuts of the larger set."""

    count: int
    deviation: float | None
    least: float | None
    greatest: float | None


@dataclass(frozen=True, slots=True)
class Cell:
    """An effect size of a group on a pair of opposites."""

    measure: Measure
    lean: Lean
    repeated: bool
    """Whether some word had fewer sentences than were drawn."""


def cuts_of(run: int) -> Cuts | None:
    """Return the spread over cuts for the whole run, or None for sets of equal size, which are not cut."""
    found = {one.condition: one for one in measures(of_run(run, "effect_size_of_cuts").filter(template=""))}
    if not found:
        return None
    values = [found[name].value for name in ("standard deviation", "least", "greatest")]
    return Cuts(found["least"].n, *values)


def groups_on_pairs(found: Sequence[Measure]) -> tuple[list[str], list[tuple[str, list[Cell | None]]]]:
    """Return the pairs, and for each group its cells in the same order, from the measures `ceat`."""
    pairs = list(dict.fromkeys(one.attribute for one in found))
    end = max((abs(one.value) for one in found if one.value is not None), default=1.0)
    cells = {(one.group_a, one.attribute): Cell(one, lean(one.value, end), one.reason.startswith(FEW)) for one in found}
    groups = dict.fromkeys(one.group_a for one in found)
    return pairs, [(group, [cells.get((group, pair)) for pair in pairs]) for group in groups]
