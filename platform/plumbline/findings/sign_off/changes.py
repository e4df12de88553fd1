"""What is no longer as a signer saw it: people may decide otherwise about findings after a sign-off."""

from collections.abc import Sequence

from plumbline.audits.models import Run
from plumbline.findings.models import Finding, SignOff, State
from plumbline.findings.sign_off.conditions import checked, evidence_of

MOST_TOLD = 5


def changes_since(signed: SignOff, run: Run) -> list[str]:
    """Return a sentence for each decision that is another one now, and for each condition that no longer holds."""
    evidence = evidence_of(run)
    seen = {one["finding"]: one["state"] for one in signed.findings if one["run"] == run.pk}
    failing = [f"No longer true: {one.sentence}" for one in checked(evidence) if not one.holds]
    return [*_decisions(seen, evidence.findings), *failing]


def _decisions(seen: dict[int, str], findings: Sequence[Finding]) -> list[str]:
    other = [one for one in findings if one.pk in seen and one.state != seen[one.pk]]
    told = [
        f"Finding {one.pk} was {State(seen[one.pk]).label.lower()} and is {one.get_state_display().lower()} now."
        for one in other[:MOST_TOLD]
    ]
    more = len(other) - len(told)
    return [*told, f"The decisions on {more:,} more are others now, too."] if more else told
