"""Findings as lists show them, by the filters of an address."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Case, Count, F, IntegerField, Q, QuerySet, Value, When
from django.db.models.functions import Abs
from django.http import HttpRequest
from django.utils.dateparse import parse_date

from plumbline.findings.concerning import observed_in, shown_in, to_judge
from plumbline.findings.models import Finding, Outcome, State
from plumbline.spec.registry import PROBES

FILTERS = (
    *("state", "waits", "outcome", "model", "probe", "assignee", "mine", "since", "last_run_since"),
    *("run", "shown", "text"),
)
MOST_OFFERED = 200
LONGEST = 200


@dataclass(frozen=True, slots=True)
class Filters:
    """The filters of an address, those that mean nothing left out."""

    given: Mapping[str, str]

    def day(self, name: str) -> date | None:
        try:
            return parse_date(self.given.get(name, ""))
        except ValueError:
            return None

    @property
    def run(self) -> int | None:
        text = self.given.get("run", "")
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


def filters_of(request: HttpRequest) -> Filters:
    given = {name: request.GET.get(name, "").strip()[:LONGEST] for name in FILTERS}
    return Filters({name: text for name, text in given.items() if text})


def chosen(filters: Filters, person: User) -> QuerySet[Finding]:
    """Return the findings that pass the filters: those to judge first, then those of the latest runs.

    The outcome is that in the chosen run, without one that in the latest run of the finding. `shown` leaves out what
    the chosen run shows to be gone or did not measure.
    """
    given = filters.given
    exact = {
        "state": given.get("state"),
        "latest__outcome": given.get("outcome") if filters.run is None else None,
        "model": given.get("model"),
        "probe": given.get("probe"),
        "assignee__username": given.get("assignee"),
        "created_at__date__gte": filters.day("since"),
        "latest__run__created_at__date__gte": filters.day("last_run_since"),
    }
    found = with_votes(Finding.objects.filter(**{name: value for name, value in exact.items() if value}))
    if given.get("waits"):
        found = found.filter(to_judge())
    if given.get("mine"):
        found = found.filter(assignee=person)
    if filters.run is not None:
        seen = shown_in(filters.run) if "shown" in given else observed_in(filters.run)
        seen = seen.filter(outcome=given["outcome"]) if "outcome" in given else seen
        found = found.filter(pk__in=seen.values("finding"))
    if text := given.get("text"):
        found = found.filter(Q(latest__sentence__icontains=text) | Q(reason__icontains=text))
    return found


def with_votes(found: QuerySet[Finding]) -> QuerySet[Finding]:
    """Add the number of votes for the state and against it, whether it waits to be judged, and the order of lists.

    Findings that their latest run did not measure come after those with a figure. Those of one run stand by size, as
    on its own page; those of two methods have other units and cannot be put in order.
    """
    place = Case(*(When(state=state, then=Value(at)) for at, state in enumerate(State)), output_field=IntegerField())
    counted = found.annotate(
        place=place,
        waits=Case(When(to_judge(), then=True), default=False),
        measured=Case(When(latest__value__isnull=False, then=True), default=False),
        votes_for=Count("votes", filter=Q(votes__state=F("state"))),
        votes_against=Count("votes", filter=~Q(votes__state=F("state"))),
    )
    largest = Abs("latest__value").desc(nulls_last=True)
    order = ("-waits", "-measured", "place", F("latest__run_number").desc(nulls_last=True), largest, "pk")
    return counted.select_related("latest__finding", "assignee", "plan").order_by(*order)


def offered() -> dict[str, Any]:
    """Return what the filters offer to choose from."""
    models = Finding.objects.order_by("model").values_list("model", flat=True).distinct()
    assignees = User.objects.filter(findings__isnull=False).order_by("username").values_list("username", flat=True)
    return {
        "states": State.choices,
        "outcomes": Outcome.choices,
        "probes": sorted(PROBES),
        "models": list(models[:MOST_OFFERED]),
        "assignees": list(assignees.distinct()[:MOST_OFFERED]),
    }


def assignable() -> QuerySet[User]:
    """Return the people to whom findings can be assigned: active accounts that may see them."""
    return User.objects.with_perm("audits.view_run", backend="django.contrib.auth.backends.ModelBackend")


def reviewers() -> QuerySet[User]:
    """Return the people whom the form offers."""
    return assignable().order_by("username")[:MOST_OFFERED]
