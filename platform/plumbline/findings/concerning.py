"""Which findings need the decision of people."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from plumbline.audits.models import Run
from plumbline.findings.models import Finding, Observation, Outcome, State
from plumbline.spec.verdicts import Verdict

NO_DECISION = (Outcome.GONE, Outcome.NOT_MEASURED)
"""What a run shows about findings that need no decision for it."""


def of_later_runs() -> Q:
    """Return the condition of observations of findings that only later runs show: a run knows nothing of these.

    They are written so that the life of a finding begins before it was found. A pinned finding belongs to each run.
    """
    present = Observation.objects.filter(finding=OuterRef("finding"), verdict=Verdict.PRESENT, withheld=False)
    by_then = present.filter(run_number__lte=OuterRef("run_number"))
    return Q(Exists(present)) & ~Q(Exists(by_then)) & Q(finding__pinned_name="")


def observed_in(run: int) -> QuerySet[Observation]:
    """Return what a run observed of the findings that it, or a run before it, shows, and of pinned ones."""
    return Observation.objects.filter(run_number=run).exclude(of_later_runs())


def shown_in(run: int) -> QuerySet[Observation]:
    """Return what a run observed of the findings that it neither shows to be gone nor leaves unmeasured."""
    return observed_in(run).exclude(outcome__in=NO_DECISION)


def concerning(run: Run) -> QuerySet[Finding]:
    """Return the findings that a run shows.

    A finding that it shows to be gone, or did not measure, needs no decision for this run. Pins of single items have
    no measure, so they concern each run until they are judged.
    """
    here = observed_in(run.pk).filter(finding=OuterRef("pk"))
    shown = here.exclude(outcome__in=NO_DECISION)
    pinned = Q(Exists(here.filter(outcome=Outcome.NOT_MEASURED)), state=State.NEW) & ~Q(pinned_name="")
    return Finding.objects.filter(Q(Exists(shown)) | pinned)


def to_judge() -> Q:
    """Return the condition of findings that nobody has judged, and that the latest run does not show to be gone.

    One that the latest run did not measure, as after a change of its plan, waits on: nothing shows that it went away.
    """
    return Q(state=State.NEW) & ~Q(latest__outcome=Outcome.GONE)
