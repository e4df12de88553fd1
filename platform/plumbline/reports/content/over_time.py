"""One model over its audits: the runs, lines of figures, the findings with what became of them, and the releases."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from plumbline.audits.models import Run
from plumbline.audits.reuse import wholly_reused
from plumbline.audits.states import RunState
from plumbline.desk import history
from plumbline.desk.history import Line
from plumbline.findings.identity import model_of
from plumbline.findings.models import Finding, Observation, SignOff
from plumbline.findings.sentences import group_name
from plumbline.findings.sign_off.releases import Release, releases_of, standing_of_releases
from plumbline.pages.charts.timeline import Chart
from plumbline.pages.titles import title
from plumbline.spec.numbers import counted, with_interval

MOST_RUNS, MOST_LINES, MOST_FINDINGS, MOST_AUDITS = 40, 8, 60, 12


@dataclass(frozen=True, slots=True)
class Drawn:
    """One figure over the audits of a plan, with a text in place of its chart."""

    line: Line
    alt: str

    @property
    def title(self) -> str:
        """The audit and the figure: `weekly: Difference between groups, women minus men, traits`."""
        one = self.line.contrast
        groups = " minus ".join(group_name(group) for group in (one.group_a, one.group_b) if group)
        labels = (title(one.statistic), groups, one.category, one.variant)
        return f"{one.name}: {', '.join(filter(None, labels))}"

    @property
    def chart(self) -> Chart:
        return self.line.chart


@dataclass(frozen=True, slots=True)
class Past:
    """A finding with what each of the latest audits showed of it, oldest first."""

    finding: Finding
    seen: Sequence[Observation]

    @property
    def outcomes(self) -> str:
        return ", ".join(f"run {one.run_number} {one.outcome_told.lower()}" for one in self.seen)


@dataclass(frozen=True, slots=True)
class OverTime:
    reference: str
    runs: Sequence[Run]
    omitted_runs: int
    unfinished: int
    lines: Sequence[Drawn]
    not_drawn: Mapping[int, str]
    """Why the figures of some runs cannot be read, by run, the latest first."""
    findings: Sequence[Past]
    omitted_findings: int
    states: tuple[tuple[str, int], ...]
    releases: Sequence[tuple[Release, SignOff | None]]

    @property
    def latest(self) -> list[Run]:
        """The latest finished run of each audit: of each plan, or of each name of runs without a plan."""
        found: dict[tuple[str, str], Run] = {}
        for run in self.runs:
            found.setdefault((run.probe, series(run)), run)
        return list(found.values())

    @property
    def repeated(self) -> int:
        """How often the most repeated audit asked the same, without runs that took all records from earlier ones."""
        reused, asked = wholly_reused(self.runs), history.asked_of(run.pk for run in self.runs)
        counts = Counter((run.probe, series(run), asked[run.pk]) for run in self.runs if run.pk not in reused)
        return max(counts.values(), default=0)


def series(run: Run) -> str:
    return f"plan {run.plan_id}" if run.plan_id else f"run {run.name}"


def over_time(reference: str) -> OverTime:
    """Return the audits of a model. A model that was never audited has no runs."""
    own = Run.objects.top_level().filter(model=reference)
    finished = own.filter(state=RunState.DONE).order_by("-pk").select_related("plan", "created_by", "findings_update")
    runs = list(finished[:MOST_RUNS])
    drawn = history.since_baseline(runs) if runs else []
    findings = Finding.objects.filter(model__in={model_of(run) for run in runs}).select_related("latest")
    releases = releases_of(reference)
    signed = standing_of_releases(one.name for one in releases)
    states = Counter(one.get_state_display() for one in findings.select_related(None).only("state"))
    return OverTime(
        reference=reference,
        runs=runs,
        omitted_runs=max(0, finished.count() - len(runs)),
        unfinished=own.exclude(state=RunState.DONE).count(),
        lines=[Drawn(line, _alt(line)) for line in drawn if len(line.audits) > 1][:MOST_LINES],
        not_drawn=history.concerns_of(runs),
        findings=_past(list(findings.order_by("-latest__run_number", "pk")[:MOST_FINDINGS])),
        omitted_findings=max(0, findings.count() - MOST_FINDINGS),
        states=tuple(sorted(states.items())),
        releases=[(one, signed.get(one.name)) for one in releases],
    )


def _past(found: Sequence[Finding]) -> list[Past]:
    seen: dict[int, list[Observation]] = {}
    for one in Observation.objects.filter(finding__in=found).order_by("run_number"):
        seen.setdefault(one.finding_id, []).append(one)
    return [Past(one, seen.get(one.pk, [])[-MOST_AUDITS:]) for one in found]


def _alt(line: Line) -> str:
    told = [
        f"run {audit.run} {with_interval(audit.measure)}"
        for audit in line.audits[-MOST_AUDITS:]
        if audit.measure and audit.measure.value is not None
    ]
    values = "; ".join(told) or "none"
    return f"{counted(len(line.audits), 'audit')} over time. Values: {values}. The table has the same figures."
