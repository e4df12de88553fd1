"""One cell of the indirect page: its score, what remains after controls, and the names behind it."""

from dataclasses import dataclass
from typing import Any

from django.http import Http404

from plumbline.audits.models import Run
from plumbline.methods.indirect.added_cells import source_of
from plumbline.methods.indirect.bridge_links import links
from plumbline.methods.indirect.card import CENTRED, DIRECT, PARTIAL, SCORE, SIGN, WITHIN, WITHOUT, WITHOUT_VARIANT
from plumbline.methods.indirect.name_scatter import drawn
from plumbline.methods.indirect.sensitive_links import ties
from plumbline.methods.indirect.variants import shown
from plumbline.methods.indirect.words import sensitive_slugs
from plumbline.pages.cell_text import cell_text
from plumbline.pages.charts.geometry import Bar, Dot, Scale, bar
from plumbline.pages.grid import Choice
from plumbline.results import summary
from plumbline.spec.measure import Measure

NARROW = 360
"""The width of the names' drawing in the drawer, in pixels."""
HUNDREDTHS = Scale(-1.0, 1.0, 0.0, 100.0, is_cut=True)
"""The axis of the bars, in hundredths."""
OF_R = (SCORE, WITHIN, CENTRED, PARTIAL, WITHOUT)
"""The correlations over names, which share one axis."""


@dataclass(frozen=True, slots=True)
class Left:
    """One of the correlations of a cell, as a bar between -1 and 1. `what` is what it controls for."""

    what: str
    measure: Measure
    is_plain: bool

    @property
    def bar(self) -> Bar:
        return bar(self.measure.value, 1.0)

    @property
    def interval(self) -> Dot | None:
        one = self.measure
        return HUNDREDTHS.dot(one.value, one.ci_low, one.ci_high)


def context(run: Run, choice: Choice, slug: str, target: str, feature: str) -> dict[str, Any]:
    """Return the context of the drawer. Raises Http404 for a cell that neither the run nor its added words have."""
    # The data behind an added word's cell are in the word's own run.
    where, list_there = source_of(run, slug, target, feature) or (run, slug)
    known = measures_of(where, list_there, target, feature)
    own = known.get((choice.statistic.name, choice.variant or ""))
    if own is None:
        raise Http404("The table of this run has no such cell.")
    names = links(where.pk, target, feature, list_there)
    return {
        "run": run,
        "is_own": where == run,
        "choice": choice,
        "list": slug,
        "target": target,
        "feature": feature,
        "measure": own,
        "copied": cell_text(
            f"{target} × {feature}", own, f"{own.statistic} {own.variant}".strip(), choice.statistic.unit, run
        ),
        "is_r": choice.statistic.name in OF_R,
        "score": known.get((SCORE, "")),
        "left": left_of(run, known),
        "stability": known.get((SIGN, "")),
        "ties": ties(where, list_there, target, feature) if where == run else [],
        "direct": known.get((DIRECT, "")),
        **drawn(names, NARROW),
    }


def measures_of(run: Run, slug: str, target: str, feature: str) -> dict[tuple[str, str], Measure]:
    """Return the run's measures of a target and a feature of a list, by statistic and variant."""
    asked = summary.of_run(run.pk, *OF_R, SIGN, DIRECT)
    rows = asked.filter(group_a=target, attribute=feature, category=slug, group_b="", template="").order_by("pk")
    return {(one.statistic, shown(run, one.variant)): one for one in summary.measures(rows)}


def left_of(run: Run, known: dict[tuple[str, str], Measure]) -> list[Left]:
    """Return the plain score, then what remains within groups, without each sensitive set, and after other controls."""
    found = [Left("the score itself", known[SCORE, ""], True)] if (SCORE, "") in known else []
    taken = {(WITHIN, ""): "the names' groups"}
    taken |= {(WITHOUT, f"{WITHOUT_VARIANT}{slug}"): slug for slug in sensitive_slugs(run)}
    taken |= {(PARTIAL, ""): "the names' prior and subwords", (CENTRED, ""): "what all targets share"}
    return found + [Left(what, known[key], False) for key, what in taken.items() if key in known]
