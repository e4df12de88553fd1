"""What the guide shows: one finding of the latest audit with its sentences, and its difference as a factor."""

from dataclasses import dataclass

from django.db.models import F
from django.db.models.functions import Abs

from plumbline.audits.model_kinds import kind_of
from plumbline.audits.models import ModelUnderAudit
from plumbline.desk.findings.doubts import first_without_doubt, length_doubt
from plumbline.desk.findings.examples import examples_of
from plumbline.desk.findings.factors import Factor, factor_of
from plumbline.findings.models import Finding, Observation, State
from plumbline.pages.finding_examples import Examples
from plumbline.spec.likelihood import OF_PROBABILITIES
from plumbline.spec.registry import PROBES


@dataclass(frozen=True, slots=True)
class Example:
    """A finding to explain, with its sentences and its difference as a factor."""

    finding: Finding
    latest: Observation
    examples: Examples
    factor: Factor
    doubt: str
    """A known other reason of the difference, or ""."""
    prior_cancels: bool
    """Whether the prior is the same for each group in all sentences. On a causal model it depends on the template."""


def example() -> Example | None:
    """Return the largest difference on one word in the latest run that has one, or None. A fixed number of queries.

    A finding with a known other reason is no good example, nor is one that somebody dismissed.
    """
    finding = _finding()
    if finding is None or finding.latest is None:
        return None
    factor = factor_of(finding, finding.latest)
    if factor is None:
        return None
    cancels = kind_of(finding.latest.run.model) != "causal" if finding.latest.run else False
    return Example(finding, finding.latest, examples_of(finding), factor, length_doubt(finding), cancels)


def _finding() -> Finding | None:
    statistics = {PROBES[name].card.difference for name in OF_PROBABILITIES}
    found = Finding.objects.filter(probe__in=OF_PROBABILITIES, statistic__in=statistics, latest__verdict="present")
    on_words = found.filter(latest__run__isnull=False, latest__withheld=False).exclude(attribute="").exclude(group_b="")
    shown = on_words.exclude(state=State.DISMISSED).exclude(
        latest__run__model__in=ModelUnderAudit.objects.archived_references()
    )
    ordered = shown.order_by("-latest__run_number", Abs(F("latest__value")).desc(), "pk")
    return first_without_doubt(ordered.select_related("latest__run", "latest__finding", "plan"))
