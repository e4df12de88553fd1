"""The documents: a report on one run, on one model over time, or on two runs side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from plumbline.audits import clock
from plumbline.audits.models import Run
from plumbline.audits.reuse import wholly_reused
from plumbline.audits.states import RunState
from plumbline.desk.history import asked_of
from plumbline.findings.identity import series_of
from plumbline.reports.content import change_summary
from plumbline.reports.content.methods import MethodUsed, methods_of
from plumbline.reports.content.over_time import OverTime, over_time
from plumbline.reports.content.run_part import RunPart
from plumbline.reports.content.summary import Summary, summary_of
from plumbline.reports.content.two_runs import TwoRuns, two_runs
from plumbline.reports.law.evidence import Subject, held
from plumbline.reports.law.statements import Mapped, mapped
from plumbline.reports.law.versions import used_version
from plumbline.reports.models import MappingVersion
from plumbline.spec.errors import InputError

MOST_PARTS = 6
"""The most runs that a report on a model describes in full."""


@dataclass(frozen=True, slots=True)
class Document:
    """A report: its first page, its runs in full, and what it covers of laws and standards."""

    title: str
    slug: str
    made_at: datetime
    made_by: str
    summary: Summary
    parts: Sequence[RunPart]
    methods: Sequence[MethodUsed]
    law: Sequence[Mapped]
    law_version: MappingVersion
    history: OverTime | None = None
    change: TwoRuns | None = None
    omitted_parts: int = 0

    @property
    def runs(self) -> list[Run]:
        return [one.run for one in self.parts]


def on_run(run: Run, made_by: str, law: str = "") -> Document:
    """Return the report on one run, in whatever state it is."""
    part = RunPart(run)
    same = Run.objects.top_level().filter(model=run.model, probe=run.probe, state=RunState.DONE)
    own = list(same.filter(plan=run.plan_id).only("pk")) if series_of(run).startswith("plan") else [run]
    asked = asked_of([run.pk, *(one.pk for one in own)])
    own = [one for one in own if asked[one.pk] == asked[run.pk]]
    return _document(
        f"Audit of {run.subject}: run {run.pk}, {run.name}",
        f"run-{run.pk}",
        made_by,
        summary_of(part),
        [part],
        Subject([run], len(own) - len(wholly_reused(own))),
        law,
    )


def on_model(reference: str, made_by: str, law: str = "") -> Document:
    """Return the report on all finished audits of a model. Raises InputError for one that was never audited."""
    found = over_time(reference)
    if not found.runs and not found.unfinished:
        raise InputError(f"no run audited the model {reference!r}: give the reference as 'audit list' shows it.")
    latest = found.latest
    parts = [RunPart(run) for run in latest[:MOST_PARTS]]
    return _document(
        f"Audits of {reference} over time",
        "model",
        made_by,
        change_summary.of_history(found, parts),
        parts,
        Subject(latest, found.repeated),
        law,
        history=found,
        omitted_parts=len(latest) - len(parts),
    )


def on_two_runs(first: Run, second: Run, made_by: str, law: str = "") -> Document:
    """Return the report on the second run against the first one. Raises InputError if they cannot be compared."""
    found = two_runs(first, second)
    parts = [RunPart(run) for run in (first, second)]
    return _document(
        f"Run {second.pk} ({second.subject}) against run {first.pk} ({first.subject})",
        f"run-{second.pk}-against-run-{first.pk}",
        made_by,
        change_summary.of_two_runs(found, parts),
        parts,
        Subject([first, second], is_compared=found.comparison is not None and found.changes > 0),
        law,
        change=found,
    )


def _document(
    title: str,
    slug: str,
    made_by: str,
    summary: Summary,
    parts: Sequence[RunPart],
    subject: Subject,
    law: str,
    *,
    history: OverTime | None = None,
    change: TwoRuns | None = None,
    omitted_parts: int = 0,
) -> Document:
    version = used_version(law)
    return Document(
        title,
        f"plumbline-{slug}",
        clock.now(),
        made_by,
        summary,
        parts,
        methods_of([part.run for part in parts]),
        mapped(version, held(subject)),
        version,
        history,
        change,
        omitted_parts,
    )
