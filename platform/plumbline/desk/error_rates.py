"""The error rates of classifiers that were fine-tuned from a model, for its page."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from plumbline.audits.models import ErrorRates
from plumbline.findings.error_rates import Row, change_rows, rate_rows
from plumbline.spec.measure import Measure

MOST = 10


@dataclass(frozen=True, slots=True)
class Shown:
    """The latest measurement of one classifier, with rows for both tables. Without a parent there are no changes."""

    kept: ErrorRates
    rates: list[Row]
    changes: list[Row]

    @property
    def sentences(self) -> int:
        return int(self.kept.card["sentences"]["n"])

    @property
    def not_alike(self) -> list[str]:
        """What the trainings of both classifiers do not share, so that the base alone explains no change."""
        return list(self.kept.card.get("before", {}).get("not_alike", ()))


def error_rates_of(reference: str) -> list[Shown]:
    """Return the latest error rates of each classifier that is this model or was fine-tuned from it."""
    found = ErrorRates.objects.filter(Q(classifier=reference) | Q(base=reference))
    latest: dict[tuple[str, str], ErrorRates] = {}
    for one in found.order_by("-id")[: MOST * MOST]:
        latest.setdefault((one.classifier, one.before), one)
    return [_shown(one) for one in list(latest.values())[:MOST]]


def _shown(kept: ErrorRates) -> Shown:
    card = kept.card
    differences = list(_measures(card["differences"]))
    before = list(_measures(card.get("before", {}).get("differences", ())))
    changed = list(_measures(card.get("changes", ())))
    changes = change_rows(before, differences, changed) if changed else []
    return Shown(kept, rate_rows(list(_measures(card["rates"])), differences), changes)


def _measures(rows: Any) -> Iterator[Measure]:
    return (Measure(**row) for row in rows)
