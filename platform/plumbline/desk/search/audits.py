"""Runs, plans, models and findings that hold a text."""

import re
from collections.abc import Iterable
from urllib.parse import urlencode

from django.db.models import Q, QuerySet
from django.urls import reverse

from plumbline.audits.models import ModelUnderAudit, Plan, Run, Schedule
from plumbline.desk.search.closeness import closeness, holds
from plumbline.desk.search.hits import MOST_OF_A_KIND, Hit, is_number, number_in
from plumbline.findings.models import Finding

READ = MOST_OF_A_KIND + 1
_FINDING = re.compile(r"finding\s+#?([0-9]{1,9})", re.IGNORECASE)


def runs(text: str) -> list[Hit]:
    """Return the run of this number first, then the runs whose name or model, its title and tags included, holds the
    text. Those whose name or model is closest come first, and of these the latest.
    """
    titled = models_called(text).values("reference")
    wanted = Q(name__icontains=text) | Q(model__icontains=text) | Q(model__in=titled)
    known = Run.objects.top_level().only("name", "model", "state", "created_at")
    numbered = list(known.filter(pk=int(number_in(text)))) if is_number(text) else []
    rest = known.filter(wanted).exclude(pk__in=[one.pk for one in numbered])
    closest = rest.order_by(closeness(text, "name", "model"), "-pk")[: READ - len(numbered)]
    return [_of_run(one) for one in (*numbered, *closest)]


def _of_run(run: Run) -> Hit:
    note = f"{run.model}, {run.get_state_display()}, {run.created_at:%Y-%m-%d}"
    return Hit(f"{run.pk}: {run.name}", reverse("run", args=[run.pk]), note)


def plans(text: str) -> list[Hit]:
    found = Plan.objects.filter(holds("name", text) | holds("description", text))
    closest = found.order_by(closeness(text, "name"), "name")[:READ]
    return [Hit(one.name, reverse("plan", args=[one.pk])) for one in closest]


def schedules(text: str) -> list[Hit]:
    """Return the list of schedules if the text names it, then those whose plan's name holds each word of the text."""
    every = Hit("Schedules", reverse("admin:audits_schedule_changelist"), "plans that run by themselves, and when")
    named = [every] if every.title.casefold().startswith(text.casefold().removesuffix("s")) else []
    found = Schedule.objects.filter(holds("plan__name", text)).select_related("plan")[:READ]
    own = [Hit(str(one), reverse("admin:audits_schedule_change", args=[one.pk])) for one in found]
    return [*named, *own][:READ]


def models_called(text: str) -> QuerySet[ModelUnderAudit]:
    """Return the models whose reference, title or tags hold the text."""
    return ModelUnderAudit.objects.filter(
        Q(reference__icontains=text) | Q(title__icontains=text) | Q(tags__icontains=text)
    )


def models(text: str) -> list[Hit]:
    known = models_called(text).order_by(closeness(text, "reference", "title"), "reference")
    return [
        Hit(one.title or one.reference, _address("model", reference=one.reference), one.reference if one.title else "")
        for one in known[:READ]
    ]


def findings(text: str) -> list[Hit]:
    """Return the finding of this number, such as `finding 12`, or those whose latest sentence holds each word."""
    wanted = Q(pk=int(number[1])) if (number := _FINDING.fullmatch(text)) else holds("latest__sentence", text)
    found = Finding.objects.filter(wanted).select_related("latest").order_by("-id")[:READ]
    return list(_of_findings(found))


def _of_findings(found: Iterable[Finding]) -> Iterable[Hit]:
    for one in found:
        sentence, where = (one.latest.sentence, f", run {one.latest.run_number}") if one.latest else ("", "")
        yield Hit(sentence, reverse("finding", args=[one.pk]), f"{one.get_state_display()}{where}")


def _address(page: str, **query: str) -> str:
    return f"{reverse(page)}?{urlencode(query)}"


def all_runs(text: str) -> str:
    return _address("runs", text=text)


def all_models(text: str) -> str:
    return _address("models", text=text)
