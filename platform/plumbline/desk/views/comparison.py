"""The page that compares two runs.

A worker computes the differences, which are measures of the second run. A page never computes them, since it would have
to read all records of both runs.
"""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.db.models.functions import Abs
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from plumbline.audits import presence
from plumbline.audits.models import Comparison, ComparisonRequest, Run
from plumbline.audits.questions import ask_comparison
from plumbline.audits.reuse import rows_not_asked_anew
from plumbline.audits.states import Queue, RunState
from plumbline.desk.changed_words import WORDS_SHOWN, changes
from plumbline.desk.comparable_runs import likely_pairs
from plumbline.desk.two_models import two_models
from plumbline.findings.contrasts import alpha_of
from plumbline.pages.model_names import model_names
from plumbline.pages.roles import may_launch, viewers_only
from plumbline.pages.titles import probe_title
from plumbline.results import summary
from plumbline.spec.card import PAIRED_DIFFERENCE, Statistic
from plumbline.spec.measure import Measure
from plumbline.spec.registry import PROBES

ROWS_PER_PAGE, RUNS_OFFERED = 50, 100
MOST_TOGETHER = 12
"""The most later runs that one page shows beside an earlier one."""


@require_safe
@viewers_only
def compare(request: HttpRequest) -> HttpResponse:
    """Show the second run `b` minus the first run `a`. Without both, the page asks for the missing one."""
    first, second = (numbered_run(request.GET.get(side, "")) for side in ("a", "b"))
    chosen = {key: request.GET.get(key, "").strip() for key in ("group", "attribute")}
    runs = _offered(first, second)
    context: dict[str, Any] = {
        "first": first,
        "second": second,
        "earlier": [run for run in runs if run != second],
        "later": [run for run in runs if run != first],
        "likely": [] if first or second else likely_pairs(runs),
        "comparable": len({run.probe for run in runs}) < len(runs),
        "alone": _why_alone(first or second, runs),
        "statistic": _change(second),
        "chosen": chosen,
        "fault": fault_between(first, second),
        "of_two": (of_two := bool(first and second and first.model != second.model)),
        "change": "Difference" if of_two else "Change",
    }
    if first and second and not context["fault"]:
        context |= _compared(request, first, second, chosen) | {"reused": rows_not_asked_anew(first, second)}
    return render(request, "desk/comparison.html", context)


def numbered_run(number: str) -> Run | None:
    """Return the run with this number, or None without a number. Raises Http404 if it does not exist."""
    if not number:
        return None
    if not (number.isascii() and number.isdecimal() and len(number) < 10):
        raise Http404("No run has such a number.")
    return get_object_or_404(Run, pk=int(number))


def numbered_runs(numbers: Sequence[str]) -> list[Run]:
    """Return the runs with these numbers, each once, at most MOST_TOGETHER. Raises Http404 for one that is missing."""
    found = [numbered_run(number) for number in list(dict.fromkeys(filter(None, numbers)))[:MOST_TOGETHER]]
    return [one for one in found if one]


def _change(run: Run | None) -> Statistic:
    """Return the statistic of the change, in the unit of the run's scores."""
    return PROBES[run.probe].card.own(PAIRED_DIFFERENCE) if run and run.probe in PROBES else PAIRED_DIFFERENCE


def _offered(*chosen: Run | None) -> list[Run]:
    """Return the latest finished runs and the chosen ones, by method. Chosen runs of one method leave those of it."""
    latest = (
        Run.objects.top_level().filter(state=RunState.DONE).order_by("-pk").defer("spec", "traceback", "provenance")
    )
    given = [run for run in chosen if run]
    if len({run.probe for run in given}) == 1:
        latest = latest.filter(probe=given[0].probe)
    offered = {run.pk: run for run in [*latest[:RUNS_OFFERED], *given]}
    return sorted(offered.values(), key=lambda run: (probe_title(run.probe), -run.pk))


def _why_alone(given: Run | None, offered: Sequence[Run]) -> str:
    """Return why the one chosen run can be compared with none of the offered ones, or ""."""
    if not given:
        return ""
    if fault := _why_unfinished(given):
        return fault
    if any(run.probe == given.probe and run != given for run in offered):
        return ""
    return (
        f"Run {given.pk} is the only finished run of the method {probe_title(given.probe)}, so there is none to compare"
        " it with. Run the same audit again, or on another model."
    )


def _why_unfinished(run: Run) -> str:
    return "" if run.state == RunState.DONE else f"Run {run.pk} is {run.state}: only finished runs can be compared."


def fault_between(first: Run | None, second: Run | None) -> str:
    """Return why these two runs cannot be compared, or ""."""
    if not first or not second:
        return ""
    if first == second:
        return "These are the same run. Choose another run."
    if first.probe != second.probe:
        return (
            f"Run {first.pk} uses the probe {first.probe} and run {second.pk} uses {second.probe}: their scores"
            " measure different things. Choose two runs of one probe."
        )
    return _why_unfinished(first) or _why_unfinished(second)


def _compared(request: HttpRequest, first: Run, second: Run, chosen: dict[str, str]) -> dict[str, Any]:
    found = _chosen(second, first, chosen).order_by(Abs("value").desc(nulls_last=True), "group_a", "attribute", "pk")
    moved = found.exclude(value=0.0)
    page = Paginator(moved.values(*summary.FIELDS), ROWS_PER_PAGE).get_page(request.GET.get("page"))
    return {
        **answer_to(first, second),
        "two_models": two_models(first, second, model_names(request)),
        "alpha": alpha_of(second.spec),
        "page": page,
        "rows": [Measure(**one) for one in page.object_list],
        "equal": found.filter(value=0.0).count(),
        "groups": sorted({one.group_a for one in summary.coverage(second.pk)}),
        "changes": changes(first, second),
        "words_shown": WORDS_SHOWN,
    }


def answer_to(first: Run, second: Run) -> dict[str, Any]:
    """Return the comparison of two runs for a page, whether a worker is asked for it, and why it could not be made."""
    done, waiting, fault = _answer(first, second)
    nobody = presence.why_no_worker(Queue.GPU) if waiting else ""
    return {"comparison": done, "waiting": waiting, "nobody": nobody, "asked_in_vain": fault}


def _answer(first: Run, second: Run) -> tuple[Comparison | ComparisonRequest | None, bool, str]:
    """Return the comparison, whether a request for it is open, and why the last request failed."""
    asked = list(ComparisonRequest.objects.filter(first=first, second=second)[:20])
    answered = next((one for one in asked if one.answered and not one.error), None)
    latest = asked[0] if asked else None
    return (
        answered or Comparison.objects.filter(run=second, previous=first).first(),
        latest is not None and not latest.answered,
        latest.error if latest else "",
    )


@require_POST
@may_launch
def compare_ask(request: HttpRequest) -> HttpResponse:
    """Ask a worker to compare finished runs `b` of one probe with the finished run `a`.

    `shown` are later runs that the page showed besides those that are asked for.
    """
    first, asked = numbered_run(request.POST.get("a", "")), numbered_runs(request.POST.getlist("b"))
    if first is None or not asked:
        raise Http404("Two runs are compared.")
    assert isinstance(request.user, User)  # noqa: S101 -- nobody else may launch
    for second in asked:
        _ask(request, first, second, request.user)
    page = "before_after" if request.POST.get("page") == "before_after" else "compare"
    shown = numbered_runs(request.POST.getlist("shown")) or asked
    return redirect(reverse(page, query=[("a", first.pk), *(("b", one.pk) for one in shown)]))


def _ask(request: HttpRequest, first: Run, second: Run, by: User) -> None:
    if fault := fault_between(first, second):
        messages.error(request, fault)
    elif not ask_comparison(first, second, by):
        messages.info(request, "This comparison was already requested.")


def _chosen(second: Run, first: Run, chosen: dict[str, str]) -> QuerySet[Any]:
    found = summary.of_run(second.pk, PAIRED_DIFFERENCE.name).filter(Q(variant=f"run:{first.pk}"))
    if chosen["group"]:
        found = found.filter(group_a=chosen["group"])
    return found.filter(attribute__icontains=chosen["attribute"]) if chosen["attribute"] else found
