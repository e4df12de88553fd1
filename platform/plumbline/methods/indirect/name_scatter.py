"""The first names behind an indirect score: as dots by their direct scores, and those with the largest influence."""

from collections.abc import Sequence
from typing import Any

from plumbline.methods.indirect.bridge_links import Link
from plumbline.pages.charts.scatter import WIDTH, Point, scatter

MOST_NAMES = 5


def drawn(names: Sequence[Link], width: int = WIDTH) -> dict[str, Any]:
    """Return the context of the drawing, and the names with the highest and the lowest sums of both scores."""
    points = [Point(one.target, one.feature, "", f"{one.name}: {one.target:+.2f}, {one.feature:+.2f}") for one in names]
    ordered = sorted(names, key=lambda one: one.target + one.feature)
    return {
        "names": len(names),
        "scatter": scatter(points, width),
        "both": ordered[::-1][:MOST_NAMES],
        "neither": ordered[:MOST_NAMES],
    }
