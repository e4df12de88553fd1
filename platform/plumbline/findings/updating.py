"""Writes the findings of a run from its measures. Repeating it changes nothing. A new summary updates the same rows."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import pghistory
from django.db import transaction
from django.db.models import Max

from plumbline.audits.clock import ClockTimestamp
from plumbline.audits.models import Phase, Run
from plumbline.findings import observing, reopening
from plumbline.findings.by_method import concerns, findings_of
from plumbline.findings.identity import digest_of, identity_of, labels_of, model_of, release_of, series_of
from plumbline.findings.locks import wait_for_others
from plumbline.findings.models import Finding, Observation, Update
from plumbline.findings.selection import Selected, rules_of, selected
from plumbline.spec.finding_rules import Rows
from plumbline.spec.measure import Measure
from plumbline.vocab.authors import os_user

MOST_OTHER_RUNS = 50
"""The most runs of a plan, the latest first, in which a new finding is looked up."""


@transaction.atomic
def update(run: Run) -> Update:
    """Add the run's new findings, and write what the run shows about all findings of its plan and model."""
    wait_for_others(f"findings of {series_of(run)}")
    # Before its measures are read: a summary that ends meanwhile has another time, so its findings are due again.
    summarised = summarised_at(run)
    with pghistory.context(command="findings", os_user=os_user()):
        chosen = selected(run)
        withheld = _withheld(run)
        _add(run, [one for of in chosen if of.rule.statistic not in withheld for one in of.taken])
        known = findings_like(run)
        _observe_in_other_runs(run, known)
        before = observing.sentences_of(run, known)
        observing.observe(run, known, withheld)
        reopening.reopen(run, known, before)
    return _written(run, summarised, chosen, withheld)


def findings_like(run: Run) -> list[Finding]:
    """Return all findings of the run's plan, model and probe."""
    same = Finding.objects.filter(series=series_of(run), model=model_of(run), probe=run.probe)
    return list(same.select_for_update(of=("self",)).order_by("pk"))


def summarised_at(run: Run) -> datetime | None:
    """Return when the run's summary was made."""
    found: datetime | None = Phase.objects.filter(run=run, name="summary").aggregate(at=Max("done_at"))["at"]
    return found


def _withheld(run: Run) -> frozenset[str]:
    """Return the statistics that a run with concerns cannot show, such as a bias of a model that cannot do the task."""
    rules = rules_of(run.probe)
    if rules is None or not concerns(run):
        return frozenset()
    return frozenset(rules.statistics) - frozenset(findings_of(run.probe).exempt(run))


def _add(run: Run, found: Sequence[Measure]) -> None:
    rows = [row_of(run, labels_of(one)) for one in found]
    Finding.objects.bulk_create(rows, ignore_conflicts=True)


def row_of(run: Run, labels: Mapping[str, str], **fields: Any) -> Finding:
    identity = identity_of(run, labels)
    return Finding(identity=digest_of(identity), plan_id=run.plan_id, **identity, **fields)


def _observe_in_other_runs(run: Run, known: Sequence[Finding]) -> None:
    """Write what other runs show about new findings, which may have been present there or shown to be small."""
    seen = set(Observation.objects.filter(finding__in=known).values_list("finding", flat=True))
    if not (new := [one for one in known if one.pk not in seen]) or run.plan_id is None:
        return
    written = Update.objects.filter(run__plan=run.plan_id, run__probe=run.probe, written_at__isnull=False)
    for one in written.exclude(run=run).select_related("run").order_by("-run")[:MOST_OTHER_RUNS]:
        if model_of(one.run) == model_of(run):
            observing.observe(one.run, new, _withheld(one.run))


def observe_everywhere(run: Run, known: Sequence[Finding]) -> None:
    """Write what a run, and the others of its plan and model, show about findings."""
    _observe_in_other_runs(run, known)
    observing.observe(run, known, _withheld(run))


def _written(run: Run, summarised: datetime | None, chosen: Sequence[Selected], withheld: frozenset[str]) -> Update:
    made, _ = Update.objects.update_or_create(
        run=run,
        defaults={
            "summarised_at": summarised,
            "release": release_of(run),
            "counts": [_count(run, of, withheld) for of in chosen],
            "withheld": " ".join(concerns(run)) if withheld else "",
            "error": "",
            "attempts": 0,
            "retry_at": None,
            "written_at": ClockTimestamp(),
        },
    )
    return made


def _count(run: Run, of: Selected, withheld: frozenset[str]) -> dict[str, Any]:
    """Return how many present measures a rule is about, and how many of them are findings."""
    words = of.rule.rows == Rows.WORDS
    taken = observing.present_in(run).filter(finding__statistic=of.rule.statistic)
    is_word = taken.exclude(finding__attribute="") if words else taken.filter(finding__attribute="")
    return {
        "statistic": of.rule.statistic,
        "rows": of.rule.rows,
        "present": of.present,
        "taken": min(of.present, is_word.count()),
        "withheld": of.rule.statistic in withheld,
    }
