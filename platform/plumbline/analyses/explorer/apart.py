"""How far an item of a word stands from those of the other groups in the same template."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import mean

from plumbline.results.items import Item


def apart(items: Sequence[Item]) -> dict[int, float]:
    """Return, by an item's id, its score minus the mean of the other items' in its template.

    `items` are those of one word and of all groups. An item without a score has none, and so has one that stands alone.
    """
    there: defaultdict[str, list[Item]] = defaultdict(list)
    for one in items:
        if one.score is not None:
            there[one.template].append(one)
    found: dict[int, float] = {}
    for same in there.values():
        scores = {one.id: float(one.score or 0.0) for one in same}
        for number, score in scores.items():
            if others := [other for key, other in scores.items() if key != number]:
                found[number] = score - mean(others)
    return found


def by_difference(items: Sequence[Item], differences: Mapping[int, float], group: str = "") -> list[Item]:
    """Return the items with the templates in order of a group's difference, the largest first.

    Without a name it is the first group's. So the sentences that contradict the others stand at one end. Templates
    without a difference come last.
    """
    first = group or min((one.group for one in items if one.id in differences), default="")
    places = {one.template: -differences[one.id] for one in items if one.group == first and one.id in differences}
    return sorted(items, key=lambda one: (one.template not in places, places.get(one.template, 0.0), one.template))
