"""The runs that wait for a sign-off: people judged their findings, and a second person is missing."""

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, QuerySet

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.findings.concerning import NO_DECISION, of_later_runs
from plumbline.findings.models import Observation, State
from plumbline.findings.sign_off.baselines import standing_runs
from plumbline.findings.sign_off.people import PERMISSION


def waiting_for(person: User) -> QuerySet[Run]:
    """Return the runs whose findings are judged and which the person may sign off, the latest first. One query.

    Of the runs of a plan on a model only the latest finished one waits. Whether the other conditions hold, the page of
    the run says.
    """
    if not person.has_perm(PERMISSION):
        return Run.objects.none()
    own = Observation.objects.filter(run_number=OuterRef("pk")).exclude(of_later_runs())
    shown = own.exclude(outcome__in=NO_DECISION)
    same = Run.objects.filter(plan=OuterRef("plan"), model=OuterRef("model"), probe=OuterRef("probe"))
    later = same.filter(state=RunState.DONE, pk__gt=OuterRef("pk"))
    done = Run.objects.top_level().filter(state=RunState.DONE, created_by__isnull=False).exclude(created_by=person)
    found = done.filter(
        Exists(shown),
        ~Exists(shown.filter(finding__state=State.NEW)),
        ~Exists(shown.filter(finding__judged_by=person)),
        ~Exists(later),
    ).exclude(pk__in=standing_runs())
    return found.defer("spec", "traceback", "provenance").order_by("-pk")
