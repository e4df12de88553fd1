"""Decisions that later evidence overtakes: the finding becomes new again, and its reason says why."""

from collections.abc import Mapping, Sequence

from plumbline.audits.models import Run
from plumbline.findings.models import Finding, Outcome, State
from plumbline.findings.outcomes import is_present

OVERTAKEN = {
    Outcome.REVERSED: "points the other way",
    Outcome.BACK: "is back after it was gone",
}
"""Outcomes that overtake any decision."""
STRONGER = (State.DISMISSED, State.ACCEPTED)
"""Decisions that a stronger effect overtakes: they weighed a smaller one."""


def reopen(run: Run, known: Sequence[Finding], before: Mapping[int, str]) -> None:
    """Reopen judged findings whose latest evidence is this run's and overtakes the decision.

    `before` holds the sentences of an earlier summary of the run: a judgement after that rests on this run already.
    """
    for finding in known:
        latest = finding.latest
        if latest is None or latest.run_number != run.pk or not finding.is_judged:
            continue
        if (finding.judged_run or 0) >= run.pk and before.get(finding.pk) == latest.sentence:
            continue
        if why := _overtaken(finding):
            _reopen(finding, run, why)


def _overtaken(finding: Finding) -> str:
    latest = finding.latest
    if latest is None:
        return ""
    if why := OVERTAKEN.get(Outcome(latest.outcome)):
        return why
    if latest.outcome == Outcome.STRONGER and finding.state in STRONGER:
        return "is shown to be stronger"
    return "is still there" if finding.state == State.MITIGATED and is_present(latest) else ""


def _reopen(finding: Finding, run: Run, why: str) -> None:
    decided = f"{State(finding.state).label.lower()} by {finding.judged_name}"
    finding.reason = f"Reopened: in run {run.pk} it {why}. Before: {decided}. {finding.reason}".strip()
    finding.state, finding.judged_by, finding.judged_name = State.NEW, None, ""
    finding.judged_at = finding.judged_run = None
    finding.save(update_fields=["state", "reason", "judged_by", "judged_name", "judged_at", "judged_run"])
