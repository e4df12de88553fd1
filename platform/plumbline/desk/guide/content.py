"""What the guide shows: one finding of the latest audit with its sentences, and its difference as a factor."""

from dataclasses import dataclass

from django.db.models import F
from django.db.models.functions import Abs

from plumbline.audits.models import ModelUnderAudit
from plumbline.desk.findings.echoes import first_that_echoes_nothing
from plumbline.desk.findings.examples import examples_of
from plumbline.desk.findings.factors import OF_PROBABILITIES, Factor, factor_of
from plumbline.findings.models import Finding, Observation
from plumbline.pages.finding_examples import Examples
from plumbline.spec.registry import PROBES


@dataclass(frozen=True, slots=True)
class Example:
    """A finding to explain, with its sentences and its difference as a factor."""

    finding: Finding
    latest: Observation
    examples: Examples
    factor: Factor


def example() -> Example | None:
    """Return the largest difference on one word in the latest run that has one, or None. A fixed number of queries.

    A word that echoes its group's name is no good example.
    """
    finding = _finding()
    if finding is None or finding.latest is None:
        return None
    factor = factor_of(finding, finding.latest)
    return Example(finding, finding.latest, examples_of(finding), factor) if factor else None


def _finding() -> Finding | None:
    statistics = {PROBES[name].card.difference for name in OF_PROBABILITIES}
    found = Finding.objects.filter(probe__in=OF_PROBABILITIES, statistic__in=statistics, latest__verdict="present")
    on_words = found.filter(latest__run__isnull=False, latest__withheld=False).exclude(attribute="").exclude(group_b="")
    shown = on_words.exclude(latest__run__model__in=ModelUnderAudit.objects.archived_references())
    ordered = shown.order_by("-latest__run_number", Abs(F("latest__value")).desc(), "pk")
    return first_that_echoes_nothing(ordered.select_related("latest__run", "plan"))
