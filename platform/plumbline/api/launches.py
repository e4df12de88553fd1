"""Launches by a token: at most one for each of its keys, however often a client repeats its request."""

from django.db import transaction
from ninja.errors import HttpError

from plumbline.api.models import LaunchRequest
from plumbline.api.tokens import Admitted
from plumbline.audits.launching import launch_plan_on_all
from plumbline.audits.models import Plan, Run
from plumbline.desk.launch_warnings import plan_cost, significance_warning
from plumbline.spec.digests import digest


@transaction.atomic
def launch_once(admitted: Admitted, plan: Plan, key: str, *, accept_warnings: bool) -> tuple[list[Run], bool]:
    """Launch a plan, or return the runs of the earlier launch with this key. Returns the runs and which of both it was.

    A request with the same key at the same time waits until the first one is committed. A refused launch leaves the
    key unused. Raises InputError for a plan that cannot be launched, and HttpError 409 for one that needs consent and
    422 for a key that was used for something else.
    """
    wanted = digest({"plan": plan.pk})
    request, made = LaunchRequest.objects.get_or_create(token=admitted.token, key=key, defaults={"digest": wanted})
    if not made:
        return _earlier(request, wanted), True
    if not accept_warnings and (why := plan_cost(plan) or significance_warning(plan)):
        raise HttpError(409, f"Not launched: {why} Send accept_warnings: true to launch the plan all the same.")
    runs = launch_plan_on_all(plan, admitted.token.person)
    request.runs = [run.pk for run in runs]
    request.save(update_fields=["runs"])
    return runs, False


def _earlier(request: LaunchRequest, wanted: str) -> list[Run]:
    """Return the runs of a launch, as far as they still exist."""
    if request.digest != wanted:
        raise HttpError(422, "This key was used for the launch of another plan. Use a new one for each launch.")
    return list(Run.objects.filter(pk__in=request.runs).order_by("pk"))
