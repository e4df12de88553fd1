"""The report of a comparison of two runs as lines of text: cells, differences between groups, figures of whole runs."""

from collections.abc import Sequence

from plumbline.audits.models import Run
from plumbline.audits.reuse import rows_not_asked_anew
from plumbline.findings.contrasts import alpha_of, is_present
from plumbline.findings.sentences import group_name
from plumbline.spec.card import MEASURE_CHANGE
from plumbline.spec.errors import InputError
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import count, with_uncertainty
from workers.management.console import table

MOST_LISTED = 10


def comparison(first: Run, second: Run) -> list[str]:
    """Return what changed from the first run to the second, largest first.

    Raises InputError if the runs cannot be compared.
    """
    # The statistics take a second to load, and no other report needs them.
    from workers.comparison import compare_runs, differing

    if first.probe != second.probe:
        raise InputError(
            f"run {first.pk} is of the probe {first.probe} and run {second.pk} of {second.probe}; their scores"
            " differ in kind: compare runs of one probe."
        )
    found = compare_runs(first, second, contrasts=True)
    if not found.paired:
        raise InputError(f"runs {first.pk} and {second.pk} share no scorable item (template, group, attribute).")
    also, alpha = differing(first, second), alpha_of(second.spec)
    return [
        f"run {second.pk} minus run {first.pk}: {found.paired} items paired, {found.not_scorable} not scorable in one"
        f" of them, {found.only_first} only in run {first.pk}, {found.only_second} only in run {second.pk}",
        *([f"note: they also differ in {', '.join(also)}"] if also else []),
        *copied(first, second),
        *changed_cells(found.changes, len(found.moved), alpha),
        *changed_figures(found.contrasts, alpha),
    ]


def copied(first: Run, second: Run) -> list[str]:
    """Return how many records of the later run are copies, which cannot have changed."""
    reused = rows_not_asked_anew(first, second)
    told = "from earlier runs and did not ask the model for them again; a copied score cannot have changed"
    return [f"note: run {second.pk} took {count(reused)} of its records {told}"] if reused else []


def changed_cells(changes: Sequence[Measure], moved: int, alpha: float) -> list[str]:
    """Return how many groups and attributes changed, and the largest changes."""
    if not changes:
        return []
    rows = [(f"  {one.group_a}", one.attribute, with_uncertainty(one)) for one in changes[:MOST_LISTED]]
    return [f"{moved} of {len(changes)} cells moved (q < {alpha:g}); largest first:", *table(rows)]


def changed_figures(changes: Sequence[Measure], alpha: float) -> list[str]:
    """Return how many differences between groups, or figures of whole runs, changed, and the largest changes."""
    known = [one for one in changes if one.value is not None]
    if not known:
        return []
    what = "figures" if known[0].statistic == MEASURE_CHANGE.name else "differences between groups"
    present = sum(map(is_present, known))
    largest = sorted(known, key=lambda one: (not is_present(one), -abs(one.value or 0.0)))[:MOST_LISTED]
    rows = [(f"  {_label(one)}", with_uncertainty(one), one.verdict) for one in largest]
    return [f"{count(present)} of {count(len(known))} {what} changed (q < {alpha:g}); these first:", *table(rows)]


def _label(one: Measure) -> str:
    """Return what changed: the statistic of a figure, its category, the groups and the attribute."""
    of = one.condition if one.statistic == MEASURE_CHANGE.name else ""
    groups = " minus ".join(group_name(group) for group in (one.group_a, one.group_b) if group)
    return ", ".join(filter(None, (of, one.category, groups, one.attribute, one.template)))
