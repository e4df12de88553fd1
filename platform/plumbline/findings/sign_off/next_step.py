"""The next step of a finished run on its way to a decision: what it is, and who can do it."""

from dataclasses import dataclass

from django.contrib.auth.models import User

from plumbline.audits.models import Run
from plumbline.findings.models import Condition
from plumbline.findings.sign_off.conditions import PAGE_OF_RUN
from plumbline.findings.sign_off.people import who_can_sign, why_nobody, without_launcher
from plumbline.findings.sign_off.signing import Readiness

MOST_NAMED = 5
ACTIONS: dict[str, str] = {
    Condition.JUDGED: "Judge findings",
    Condition.NO_DISSENT: "Show the findings",
    Condition.VOTES: "Vote on the findings",
    Condition.OWNED: "Assign the findings",
}
"""What the button on the way to the findings says, by the condition that does not hold yet."""


@dataclass(frozen=True, slots=True)
class NextStep:
    """A sentence about the step, and what the button that leads to it says: "" where a page has no such button."""

    sentence: str
    action: str = ""
    place: str = "rows"
    """The part of the page of findings where it is done."""

    @property
    def sentence_on_run_page(self) -> str:
        """The sentence as the page of the run itself says it."""
        return self.sentence.replace(PAGE_OF_RUN, "on this page")


def next_step(run: Run, ready: Readiness, person: User) -> NextStep:
    """Return the first step that is missing. The run is done and not signed off."""
    if run.created_by_id is None:
        return NextStep(without_launcher(person))
    missing = next((one for one in ready.conditions if not one.holds), None)
    able = who_can_sign(run, ready.evidence.findings)
    if missing is not None:
        last = _last_signer(run, able, person) if missing.name == Condition.JUDGED else ""
        return NextStep((missing.remedy or f"Not yet: {missing.sentence}") + last, ACTIONS.get(missing.name, ""))
    if person in able:
        return NextStep("You can sign this run off.", "Sign off", "sign-off")
    if not able:
        return NextStep(f"Nobody can sign the run off. {why_nobody(run, person)}")
    names = ", ".join(one.get_username() for one in able[:MOST_NAMED])
    more = f" and {len(able) - MOST_NAMED} more" if len(able) > MOST_NAMED else ""
    if not ready.evidence.findings:
        return NextStep(f"The run has no findings to judge. A second person can sign it off: {names}{more}.")
    return NextStep(f"The run waits for the sign-off of a second person: {names}{more}.")


def _last_signer(run: Run, able: list[User], person: User) -> str:
    """Return a warning for the only person who can sign: who judges a finding cannot sign the run off."""
    launcher = run.created_by
    if able != [person] or launcher is None or not launcher.has_perm("findings.judge_finding"):
        return ""
    return (
        " You are the only person who can sign this run off, and no longer if you judge: let"
        f" {launcher.get_username()}, who launched it, judge."
    )
