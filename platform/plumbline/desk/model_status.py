"""The status of each model: its last audit, what changed in it, its contrasts over time, and its next audit."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.db.models import F, Q, Window
from django.db.models.functions import RowNumber

from plumbline.audits.models import Comparison, ModelUnderAudit, Run
from plumbline.audits.reuse import compared_by_copies
from plumbline.audits.states import RunState
from plumbline.desk.due import Dues
from plumbline.desk.history import Line, Trend, concerns_of, since_baseline, trend
from plumbline.findings.contrasts import is_present

MODELS_SHOWN, RUNS_DRAWN = 60, 12


@dataclass(frozen=True, slots=True)
class ModelStatus:
    model: str
    last: Run
    measured: Run | None
    """The last finished audit of a scheduled plan, or of any if none is scheduled. Its figures are shown."""
    is_scheduled: bool
    """Whether that audit is one of a scheduled plan, so that a later one of another plan does not take its place."""
    concern: str
    """Why those figures cannot be read, such as a model that is not shown to do the task; "" if they can."""
    comparison: Comparison | None
    is_copied: bool
    """Whether that audit took all its answers to what the audit before asked from earlier ones."""
    finished: int
    """The number of its plan's finished audits, or of those of its name if it has no plan: at most RUNS_DRAWN."""
    has_plan: bool
    """Whether it is one of a plan."""
    has_others: bool
    """Whether other plans audited the model lately, too."""
    trend: Trend | None
    """The trend over that audit and those before it of the same plan."""
    lines: Sequence[Line]
    """All overall differences of that plan."""
    next_due: str
    """The time of its next scheduled audit, in the zone of the schedule; "" without one."""
    is_paused: bool
    """Whether a paused schedule audits it, and no other one does."""

    @property
    def beside(self) -> list[Line]:
        """The other overall differences of the audit whose figure the card shows."""
        shown = self.trend.line if self.trend else None
        return [one for one in self.lines if shown and one != shown and one.audits[-1].run == shown.audits[-1].run]

    @property
    def beside_present(self) -> int:
        return sum(one.latest is not None and is_present(one.latest) for one in self.beside)

    @property
    def size(self) -> float:
        return self.trend.line.size if self.trend and not self.concern else -1.0


def model_statuses(dues: Dues, text: str = "") -> list[ModelStatus]:
    """Return the status of the models audited lately, latest first, in a fixed number of queries.

    `text` chooses those whose title, tags or reference hold it.
    """
    last = {run.model: run for run in _latest(text)}
    latest = _finished(last)
    scheduled = dues.scheduled
    done = {model: _of_one_plan(runs, scheduled) for model, runs in latest.items()}
    measured = {model: runs[0] for model, runs in done.items()}
    comparisons = {one.run_id: one for one in Comparison.objects.filter(run__in=measured.values())}
    copied = compared_by_copies(measured.values())
    concerns = concerns_of(measured.values())
    due, paused = dues.next_due, dues.paused
    drawn: dict[str, list[Line]] = {}
    for line in since_baseline([run for runs in done.values() for run in runs]):
        drawn.setdefault(line.contrast.model, []).append(line)
    return [
        ModelStatus(
            model=model,
            last=run,
            measured=(of := measured.get(model)),
            is_scheduled=of is not None and (model, of.plan_id) in scheduled,
            concern=concerns.get(of.pk, "") if of else "",
            comparison=comparisons.get(of.pk) if of else None,
            is_copied=of is not None and of.pk in copied,
            finished=len(done.get(model, [])),
            has_plan=of is not None and of.plan_id is not None,
            has_others=len(done.get(model, [])) < len(latest.get(model, [])),
            trend=trend(drawn.get(model, [])),
            lines=drawn.get(model, []),
            next_due=due.get(model, ""),
            is_paused=model in paused and model not in due,
        )
        for model, run in last.items()
    ]


def _latest(text: str) -> list[Run]:
    newest = Run.objects.top_level().order_by("model", "-pk").distinct("model").values("pk")
    archived = ModelUnderAudit.objects.archived_references()
    runs = Run.objects.filter(pk__in=newest).exclude(model__in=archived).order_by("-pk")
    if text:
        titled = ModelUnderAudit.objects.filter(Q(title__icontains=text) | Q(tags__icontains=text)).values("reference")
        runs = runs.filter(Q(model__icontains=text) | Q(model__in=titled))
    return list(runs.defer("spec", "traceback", "provenance")[:MODELS_SHOWN])


def _finished(models: Iterable[str]) -> dict[str, list[Run]]:
    """Return for each model its last finished runs, newest first."""
    place = Window(RowNumber(), partition_by=[F("model")], order_by=F("pk").desc())
    done = Run.objects.top_level().filter(model__in=list(models), state=RunState.DONE).annotate(recency=place)
    found: dict[str, list[Run]] = {}
    latest = done.filter(recency__lte=RUNS_DRAWN).order_by("-pk").defer("spec", "traceback", "provenance")
    for run in latest.select_related("findings_update"):
        found.setdefault(run.model, []).append(run)
    return found


def _of_one_plan(runs: list[Run], scheduled: Collection[tuple[str, int | None]]) -> list[Run]:
    """Return the runs of the scheduled plan that ran last, or of what ran last: a trial hides no recurring audit."""
    first = next((run for run in runs if (run.model, run.plan_id) in scheduled), runs[0])
    return [run for run in runs if _line(run) == _line(first)]


def _line(run: Run) -> tuple[int | None, str, str]:
    """Return what the runs of one trend have in common: their plan, or their name if they have none, and probe."""
    return run.plan_id, run.name, run.probe
