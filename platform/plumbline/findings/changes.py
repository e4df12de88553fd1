"""Tested changes of findings since an earlier run, as the comparison of the two runs stored them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from plumbline.audits.models import Run
from plumbline.findings.models import Finding
from plumbline.results import before_after, models
from plumbline.spec.card import DIFFERENCE_IN_DIFFERENCES, MEASURE_CHANGE

_LABELS = ("statistic", "group_a", "group_b", "category", "condition", "attribute", "template")
"""The labels of the view. It compares each run's own definition, so it has no variant."""


@dataclass(frozen=True, slots=True)
class Change:
    compared_with: int
    change_outcome: str
    change: float | None
    change_low: float | None
    change_high: float | None
    change_q: float | None

    def fields(self) -> dict[str, Any]:
        return asdict(self)


def changes_since(run: Run, earlier: Collection[int], known: Sequence[Finding]) -> dict[tuple[int, str], Change]:
    """Return the changes of findings between an earlier run and this one, by the earlier run and identity."""
    return {
        (before, finding.identity): _change(before, row)
        for before in sorted(earlier)
        if are_compared(run, before)
        for finding, row in _rows(run, before, known)
    }


def are_compared(run: Run, before: int) -> bool:
    tested = (DIFFERENCE_IN_DIFFERENCES.name, MEASURE_CHANGE.name)
    return models.Measure.objects.filter(run=run.pk, statistic__in=tested, variant=f"run:{before}").exists()


def _rows(run: Run, before: int, known: Sequence[Finding]) -> list[tuple[Finding, Mapping[str, Any]]]:
    by_labels = {tuple(getattr(one, name) for name in _LABELS): one for one in known if not _is_other_variant(one)}
    found: list[tuple[Finding, Mapping[str, Any]]] = []
    for statistic in sorted({one.statistic for one in known}):
        words = sorted({one.attribute for one in known if one.statistic == statistic})
        for row in before_after.of_statistic(run.pk, before, statistic, words):
            if finding := by_labels.get(tuple(row[name] for name in _LABELS)):
                found.append((finding, row))
    return found


def _is_other_variant(finding: Finding) -> bool:
    """Return whether somebody pinned a measure under another prior, which the view leaves out."""
    return finding.variant.startswith("prior: ")


def _change(before: int, row: Mapping[str, Any]) -> Change:
    return Change(before, row["outcome"], row["change"], row["change_low"], row["change_high"], row["change_q"])
