"""Writes what a run shows about each finding of its plan and model."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.db.models import QuerySet

from plumbline.audits.models import Run
from plumbline.audits.sentence_words import sentence_words
from plumbline.findings.by_method import findings_of
from plumbline.findings.changes import Change, changes_since
from plumbline.findings.identity import (
    LABELS,
    asked_words,
    digest_of,
    fingerprint_of,
    identity_of,
    labels_of,
    release_of,
)
from plumbline.findings.models import Finding, Observation, Outcome
from plumbline.findings.models.observations import COPIED
from plumbline.findings.outcomes import outcomes
from plumbline.findings.plain_sentences import plain_sentence
from plumbline.results import models
from plumbline.results.summary import measures
from plumbline.spec.measure import Measure
from plumbline.spec.registry import card_of
from plumbline.spec.sentences import Words
from plumbline.spec.verdicts import Verdict

WRITTEN = tuple(
    field.name for field in Observation._meta.fields if field.name not in {"id", "finding", "run_number", "outcome"}
)


def observe(run: Run, known: Sequence[Finding], withheld: frozenset[str] = frozenset()) -> None:
    """Write the observations of one run, then the outcomes of these findings in all their runs."""
    found = measured(run, known)
    previous = _previous(run, known)
    changed = changes_since(run, {one.run_number for one in previous.values()}, known)
    rows = [
        _row(run, finding, found.get(finding.identity), previous.get(finding.pk), changed, withheld)
        for finding in known
    ]
    Observation.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["finding", "run_number"], update_fields=WRITTEN
    )
    _add_words(known)
    _write_outcomes(known)


def _add_words(known: Sequence[Finding]) -> None:
    """Note in which words runs asked these findings, also where an earlier release wrote the observation."""
    rows = Observation.objects.filter(finding__in=known, words="", run__isnull=False).select_related("finding", "run")
    asked: dict[int, Words] = {}
    for one in rows:
        if one.run is not None and one.run_number not in asked:
            asked[one.run_number] = sentence_words(one.run)
        one.words = asked_words(asked[one.run_number], one.finding)
    Observation.objects.bulk_update(rows, ["words"], batch_size=1000)


def measured(run: Run, known: Sequence[Finding]) -> dict[str, Measure]:
    """Return the run's measures behind findings, by the findings' identity."""
    labels = {f"{name}__in": {getattr(one, name) for one in known} for name in LABELS}
    rows = measures(models.Measure.objects.filter(run=run.pk, **labels)) if known else []
    return {digest_of(identity_of(run, labels_of(one))): one for one in rows}


def sentences_of(run: Run, known: Sequence[Finding]) -> dict[int, str]:
    """Return the sentences that an earlier summary of the run gave, by finding."""
    own = Observation.objects.filter(run_number=run.pk, finding__in=known)
    return dict(own.values_list("finding", "sentence"))


def present_in(run: Run) -> QuerySet[Observation]:
    """Return the observations of findings that the run shows."""
    return Observation.objects.filter(run_number=run.pk, verdict=Verdict.PRESENT, withheld=False)


def _previous(run: Run, known: Sequence[Finding]) -> dict[int, Observation]:
    """Return the observation of each finding in the run before."""
    older = Observation.objects.filter(finding__in=known, run_number__lt=run.pk)
    return {one.finding_id: one for one in older.order_by("finding_id", "-run_number").distinct("finding_id")}


def _row(
    run: Run,
    finding: Finding,
    one: Measure | None,
    previous: Observation | None,
    changed: Mapping[tuple[int, str], Change],
    withheld: frozenset[str],
) -> Observation:
    change = changed.get((previous.run_number, finding.identity)) if previous else None
    return Observation(
        finding=finding,
        run=run,
        run_number=run.pk,
        release=release_of(run),
        fingerprint=fingerprint_of(run),
        outcome=Outcome.NOT_MEASURED,
        sentence=_sentence(run, finding, one, previous),
        withheld=finding.statistic in withheld,
        **(copied(one) if one else {"reason": "this run has no such figure"}),
        **(change.fields() if change else {}),
    )


def copied(one: Measure) -> dict[str, Any]:
    return {name: getattr(one, name) for name in COPIED}


def _sentence(run: Run, finding: Finding, one: Measure | None, previous: Observation | None) -> str:
    """Return the sentence of a present measure; of another one the sentence that the finding had before."""
    writer = findings_of(run.probe).writers.get(finding.statistic)
    if one is not None and one.verdict == Verdict.PRESENT and writer is not None:
        return writer(run, one)
    return previous.sentence if previous else plain_sentence(run, finding)


def _write_outcomes(known: Iterable[Finding]) -> None:
    """Write the outcomes of all runs, since a run may be summarised again after later ones, and the latest one."""
    ordered = Observation.objects.filter(finding__in=known).order_by("finding_id", "run_number")
    of_finding: dict[int, list[Observation]] = {}
    for one in ordered:
        of_finding.setdefault(one.finding_id, []).append(one)
    changed = [one for finding in known for one in _with_outcomes(finding, of_finding.get(finding.pk, []))]
    Observation.objects.bulk_update(changed, ["outcome"])
    for finding in known:
        finding.latest = of_finding[finding.pk][-1] if finding.pk in of_finding else None
    Finding.objects.bulk_update(known, ["latest"])


def _with_outcomes(finding: Finding, own: Sequence[Observation]) -> Iterator[Observation]:
    for one, outcome in zip(own, outcomes(own, null_of(finding)), strict=True):
        if one.outcome != outcome:
            one.outcome = outcome
            yield one


def null_of(finding: Finding) -> float:
    """Return the value of the finding's statistic without any effect."""
    return null_of_statistic(finding.probe, finding.statistic)


def null_of_statistic(probe: str, name: str) -> float:
    card = card_of(probe)
    statistic = card.statistic(name) if card else None
    return statistic.null if statistic else 0.0
