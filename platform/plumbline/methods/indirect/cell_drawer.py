"""The drawer of one cell of the explorer: the first names that link a target with a feature."""

from typing import Any

from plumbline.audits.models import Run
from plumbline.methods.indirect.bridge_links import links
from plumbline.methods.indirect.name_scatter import drawn
from plumbline.results.grid import Cell

TEMPLATE = "indirect/cell_drawer.html"


def context(run: Run, where: Cell) -> dict[str, Any]:
    """Return the context: each first name as a dot by its direct scores, and the names with the largest influence."""
    return drawn(links(run.pk, where.group_a, where.attribute))
