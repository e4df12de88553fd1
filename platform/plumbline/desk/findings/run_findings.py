"""The findings of a run, and its sign-off: what holds, what does not, and what to do next."""

from typing import Any

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from plumbline.audits import presence
from plumbline.audits.models import Role, Run
from plumbline.audits.states import RunState
from plumbline.desk.findings.dependent_findings import dependence_sentence
from plumbline.desk.findings.rows import offered, reviewers, with_votes
from plumbline.findings.concerning import concerning, observed_in
from plumbline.findings.models import Decision, Finding, SignOff, Update
from plumbline.findings.present_figures import present_figures
from plumbline.findings.selection import rules_of
from plumbline.findings.sign_off.baselines import baseline_of
from plumbline.findings.sign_off.changes import changes_since
from plumbline.findings.sign_off.next_step import next_step
from plumbline.findings.sign_off.signing import readiness
from plumbline.findings.untested import untested_sentence
from plumbline.findings.updating import summarised_at
from plumbline.pages.roles import viewers_only
from plumbline.pages.run_context import run_context

ROWS_SHOWN = 300


@require_safe
@viewers_only
@never_cache
def run_findings_page(request: HttpRequest, number: int) -> HttpResponse:
    assert isinstance(request.user, User)  # noqa: S101 -- the decorator saw to it
    context = run_context(request, number, "findings")
    run: Run = context["run"]
    rules = rules_of(run.probe)
    rows = _rows(run)
    written = Update.objects.filter(run=run).first()
    figures = present_figures(run, written)
    own = [one for one in rows if one.concerns]  # type: ignore[attr-defined]
    context |= {
        "rows": own,
        "dependence": dependence_sentence(own),
        "others": [one for one in rows if not one.concerns],  # type: ignore[attr-defined]
        "update": written,
        "figures": figures,
        "left": sum(one.without_finding for one in figures),
        "is_written": (is_written := _is_written(run)),
        "scheduler": not is_written and presence.alive(Role.SCHEDULER).exists(),
        "untested": "" if own else untested_sentence(run),
        "none_because": rules.none_because if rules else "",
        "reviewers": reviewers(),
        "next": request.path,
        **offered(),
        **sign_off_context(run, request.user),
    }
    return render(request, "desk/run_findings_page.html", context)


def _rows(run: Run) -> list[Finding]:
    """Return the findings that the run observed, each with what this run shows and whether it concerns the run."""
    seen = {one.finding_id: one for one in observed_in(run.pk)}
    own = set(concerning(run).values_list("pk", flat=True))
    found = list(with_votes(Finding.objects.filter(pk__in=seen))[:ROWS_SHOWN])
    for one in found:
        one.shown = seen[one.pk]  # type: ignore[attr-defined]  # for the template
        one.concerns = one.pk in own  # type: ignore[attr-defined]
        one.waits = one.pk in own and not one.is_judged  # type: ignore[attr-defined]
    return found


def _is_written(run: Run) -> bool:
    update = Update.objects.filter(run=run).first()
    return update is not None and update.is_of(summarised_at(run))


def awaits_findings(run: Run) -> bool:
    """Return whether the scheduler will write the findings of a done run: none are there, and no attempt failed."""
    if run.state != RunState.DONE:
        return False
    update = Update.objects.filter(run=run).first()
    is_tried = update is not None and (update.error != "" or update.is_of(summarised_at(run)))
    return not is_tried and Run.objects.top_level().filter(pk=run.pk).exists()


def sign_off_context(run: Run, person: User) -> dict[str, Any]:
    """Return what the box of a run's sign-off shows."""
    if run.state != RunState.DONE:
        return {"readiness": None}
    every = list(SignOff.objects.filter(signed_runs__run=run, is_of_release=False).prefetch_related("signed_runs"))
    signed = next((one for one in every if one.stands), None)
    own = next((one for one in signed.signed_runs.all() if one.run_id == run.pk), None) if signed else None
    ready = None if signed else readiness(run, person)
    is_outdated = bool(own and own.summarised_at != summarised_at(run))
    return {
        "readiness": ready,
        "has_all_written": not (ready and any(one.name == "written" and not one.holds for one in ready.conditions)),
        "may_sign": bool(ready and all(one.holds for one in ready.person)),
        "step": next_step(run, ready, person) if ready else None,
        "decisions": Decision.choices,
        "signed": signed,
        "is_outdated": is_outdated,
        "changed": changes_since(signed, run) if signed and not is_outdated else [],
        "past": [one for one in every if not one.stands],
        "baseline": baseline_of(run),
    }
