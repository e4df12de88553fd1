"""The earlier run with which a rule compares a run, and why one does not count."""

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.findings.changes import are_compared
from plumbline.findings.gate.rules import Rule
from plumbline.findings.identity import fingerprint_of, model_of
from plumbline.findings.sign_off.baselines import baseline_of
from plumbline.results.summary import is_of_earlier_rules
from plumbline.spec.errors import InputError


def earlier_run(run: Run, rule: Rule) -> tuple[Run | None, str]:
    """Return the run to compare with, or None and the reason. Raises InputError if the two were not compared yet."""
    before = baseline_of(run) if rule.against == "baseline" else last_run(run)
    if before is None:
        return None, _none(run, rule)
    if fingerprint_of(before) != fingerprint_of(run):
        return None, f"needs a new baseline: run {before.pk} has another method, version, params or words"
    check_comparable(run, before)
    return before, ""


def last_run(run: Run) -> Run | None:
    """Return the latest finished run before this one of the same plan, method and model, of any revision."""
    if run.plan_id is None:
        return None
    same = Run.objects.top_level().filter(plan=run.plan_id, probe=run.probe, state=RunState.DONE, pk__lt=run.pk)
    return next((one for one in same.order_by("-pk").iterator() if model_of(one) == model_of(run)), None)


def _none(run: Run, rule: Rule) -> str:
    if run.plan_id is None:
        return "needs a new baseline: the run belongs to no plan"
    wanted = "signed-off run" if rule.against == "baseline" else "finished run"
    return f"needs a new baseline: there is no earlier {wanted} of the plan and model"


def check_comparable(run: Run, before: Run) -> None:
    if is_of_earlier_rules(before.pk):
        raise InputError(f"run {before.pk} was summarised by an earlier release: press Summarise again on its page.")
    if not are_compared(run, before.pk):
        raise InputError(
            f"runs {before.pk} and {run.pk} were not compared yet: open the page Compare with these two runs, and"
            " wait for its answer."
        )
