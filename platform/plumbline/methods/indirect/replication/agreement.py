"""Agreement of indirect with direct scores: by gender word (Table 3.5) and by list (Tables 3.6, A.1 to A.4)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from plumbline.methods.indirect.replication.printed import GENDERS, LISTS
from plumbline.spec.measure import Measure


@dataclass(frozen=True, slots=True)
class Agreed:
    """A correlation of the direct with the indirect score. `printed` is the thesis' value for the chosen model."""

    word: str
    """The word, or "" for a whole gender and for all words."""
    gender: str
    measure: Measure
    printed: float | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """One list of targets with one list of features in the latest run that has it.

    `run` is 0 for printed values alone.
    """

    run: int
    measure: Measure | None
    printed: float | None


def of_list(found: Iterable[Measure], slug: str) -> Measure | None:
    """Return the correlation over all pairs of a target and a word of the list, or None."""
    return next((one for one in found if one.category == slug and not one.attribute and not one.group_b), None)


def of_genders(
    found: Sequence[Measure], slug: str, words: Mapping[str, str], printed: Mapping[str, float]
) -> list[Agreed]:
    """Return the correlations for a list of gender words: over all words, for the mean of each gender, and by word."""
    own = [one for one in found if one.category == slug]
    rows = [Agreed("", "", one, printed.get("words")) for one in own if not one.attribute + one.group_b]
    for gender in GENDERS:
        rows += [Agreed("", gender, one, printed.get(gender)) for one in own if one.group_b == gender]
    alone = {one.attribute: one for one in own if one.attribute and not one.group_b}
    return rows + [Agreed(word, words[word], alone[word]) for word in words if word in alone]


def matrix(
    runs: Mapping[str, tuple[int, Sequence[Measure]]], printed: Mapping[tuple[str, str], float | None]
) -> dict[str, dict[str, Cell]]:
    """Return cells by list of features and list of targets, with the thesis' values.

    Lists follow the thesis' order, others come last. Printed cells without a run are included.
    """
    features = {one.category: None for _, found in runs.values() for one in found if _of_whole_list(one)}
    targets = _in_order(runs, {target for target, _ in printed})
    rows = _in_order(features, {feature for _, feature in printed})
    return {row: {target: _cell(runs, printed, target, row) for target in targets} for row in rows}


def _of_whole_list(measure: Measure) -> bool:
    return not measure.attribute and not measure.group_b


def _in_order(ours: Iterable[str], theirs: Collection[str]) -> list[str]:
    known = [one for one in LISTS if one in theirs]
    return [*known, *(one for one in ours if one not in known)]


def _cell(
    runs: Mapping[str, tuple[int, Sequence[Measure]]],
    printed: Mapping[tuple[str, str], float | None],
    target: str,
    feature: str,
) -> Cell:
    run, found = runs.get(target, (0, ()))
    measure = of_list(found, feature)
    return Cell(run if measure else 0, measure, printed.get((target, feature)))
