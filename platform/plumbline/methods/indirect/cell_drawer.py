"""The drawer of one cell of the explorer: the first names that link a target with a feature."""

from typing import Any

from plumbline.audits.models import Run
from plumbline.methods.indirect.bridge_links import links
from plumbline.pages.charts.scatter import Point, scatter
from plumbline.results.grid import Cell

TEMPLATE = "indirect/cell_drawer.html"
MOST_NAMES = 5


def context(run: Run, where: Cell) -> dict[str, Any]:
    """Return the context: each first name as a dot by its direct scores, and the names with the largest influence."""
    names = links(run.pk, where.group_a, where.attribute)
    points = [Point(one.target, one.feature, "", f"{one.name}: {one.target:+.2f}, {one.feature:+.2f}") for one in names]
    return {
        "names": len(names),
        "scatter": scatter(points),
        "both": sorted(names, key=lambda one: -(one.target + one.feature))[:MOST_NAMES],
        "neither": sorted(names, key=lambda one: one.target + one.feature)[:MOST_NAMES],
    }
