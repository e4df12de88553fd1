"""The conditions of a sign-off of a run: which hold, which do not, and what to do next."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from plumbline.audits import presence
from plumbline.audits.models import Role, Run
from plumbline.audits.staleness import stale_lists
from plumbline.audits.states import RunState
from plumbline.findings.by_method import concerns, warnings
from plumbline.findings.concerning import concerning
from plumbline.findings.models import Condition, Finding, SignOffRule, State, Update, Vote
from plumbline.findings.present_figures import without_finding
from plumbline.findings.sign_off.rules import rules
from plumbline.findings.untested import untested_sentence
from plumbline.findings.updating import summarised_at
from plumbline.results.summary import is_of_earlier_rules
from plumbline.spec.numbers import count

PAGE_OF_RUN = "on the page of the run"
"""Where a button is, as other pages than that of the run say it."""

NO_DISSENT = "No vote contradicts the judgement of its finding."
"""What the rule says on pages. Its stored choice leaves out that findings which nobody judged do not count."""

NO_PROOF = "That is no success of the model: change the plan so that it can be tested, and run it."
"""What to do where a run could test nothing."""

INSTEAD = "While that holds there is nothing to sign off: run the plan on another model."


@dataclass(frozen=True, slots=True)
class Checked:
    """A condition, whether it holds, and what to do if it does not."""

    name: str
    holds: bool
    sentence: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the conditions of one run look at."""

    run: Run
    findings: Sequence[Finding]
    votes: Mapping[int, Sequence[Vote]]
    update: Update | None


def checked(found: Evidence) -> list[Checked]:
    """Return the conditions of a run that do not depend on who signs."""
    by_rule = [_CHECKS[Condition(rule.condition)](found, rule) for rule in rules() if rule.is_active]
    return [*_always(found), *_verdicts(found.run), *by_rule]


def evidence_of(run: Run) -> Evidence:
    """Return the findings that concern a run, with their votes."""
    findings = list(concerning(run).select_related("latest", "judged_by", "assignee").order_by("pk"))
    votes: dict[int, list[Vote]] = {}
    for one in Vote.objects.filter(finding__in=findings).order_by("pk"):
        votes.setdefault(one.finding_id, []).append(one)
    return Evidence(run, findings, votes, Update.objects.filter(run=run).first())


def _always(found: Evidence) -> Iterator[Checked]:
    run, update = found.run, found.update
    done = run.state == RunState.DONE
    yield Checked("done", done, "The run is done.", "" if done else f"It is {run.state}: wait, or resume it.")
    written = done and update is not None and update.is_of(summarised_at(run))
    failed = f" The last attempt failed: {update.error}." if update and update.error else ""
    remedy = "" if written else f"{_who_writes(run)}{failed}"
    yield Checked("written", written, "The findings are written from the latest summary.", remedy)


def _who_writes(run: Run) -> str:
    if presence.alive(Role.SCHEDULER).exists():
        return "The scheduler writes the findings within seconds, and the page of the run then shows them."
    return f"No scheduler is alive: `make up` starts one, or run `manage.py findings update {run.pk}`."


def _verdicts(run: Run) -> Iterator[Checked]:
    """Yield a condition that only runs of earlier releases fail: their measures have no verdict, so no findings."""
    if run.state == RunState.DONE and is_of_earlier_rules(run.pk):
        remedy = f"Press “Summarise again” {PAGE_OF_RUN}. No model is asked."
        yield Checked("verdicts", False, "The measures have verdicts.", remedy)


def _judged(found: Evidence, rule: SignOffRule) -> Checked:
    new = [one for one in found.findings if not one.is_judged]
    remedy = f"Judge {_findings(len(new))}." if new else ""
    told = str(rule) if found.findings else "The run has no finding to judge"
    return Checked(rule.condition, not new, f"{told}{_besides(found)}.", remedy)


def _besides(found: Evidence) -> str:
    """Return how many present figures nobody judges, in brackets: the findings are the largest ones only."""
    number = without_finding(found.run, found.update)
    told = "present figure is no finding" if number == 1 else "present figures are no findings"
    return f" ({count(number)} {told})" if number else ""


def _no_dissent(found: Evidence, rule: SignOffRule) -> Checked:
    split = [
        one for one in found.findings if one.is_judged and any(vote.state != one.state for vote in _votes(found, one))
    ]
    remedy = f"Discuss {_findings(len(split))} with different votes, then judge again." if split else ""
    return Checked(rule.condition, not split, NO_DISSENT, remedy)


def _enough_votes(found: Evidence, rule: SignOffRule) -> Checked:
    few = [one for one in found.findings if Counter(vote.state for vote in _votes(found, one))[one.state] < rule.number]
    waits = "waits" if len(few) == 1 else "wait"
    remedy = f"{_findings(len(few), capital=True)} {waits} for the vote of another reviewer." if few else ""
    told = f"At least {rule.number} reviewers vote for the state of each finding."
    return Checked(rule.condition, not few, told, remedy)


def _no_concern(found: Evidence, rule: SignOffRule) -> Checked:
    why = concerns(found.run) if found.run.state == RunState.DONE else []
    if why:
        return Checked(rule.condition, False, f"{rule}.", " ".join([*why, INSTEAD]))
    # A finding was tested, so only a run without one may have tested nothing.
    if not found.findings and (untested := untested_sentence(found.run)):
        return Checked(rule.condition, False, f"{rule}.", f"{untested} {NO_PROOF}")
    return Checked(rule.condition, True, f"{rule}.{_warned(warnings(found.run))}")


def _warned(told: Sequence[str]) -> str:
    """Return the warnings of a run, quoted: whoever signs may not have opened its page."""
    which = "its warning" if len(told) == 1 else f"its {len(told)} warnings"
    return f" Read {which} first: {' '.join(told)}" if told else ""


def _owned(found: Evidence, rule: SignOffRule) -> Checked:
    confirmed = [one for one in found.findings if one.state == State.CONFIRMED]
    open_ones = [one for one in confirmed if one.assignee_id is None or one.due_on is None]
    remedy = f"Assign {_findings(len(open_ones))} and set a due date." if open_ones else ""
    return Checked(rule.condition, not open_ones, f"{rule}.", remedy)


def _fresh(found: Evidence, rule: SignOffRule) -> Checked:
    stale = stale_lists([found.run])[found.run.pk]
    remedy = f"Edited since: {', '.join(map(str, stale))}. Run the audit again with today's words." if stale else ""
    return Checked(rule.condition, not stale, f"{rule}.", remedy)


def _votes(found: Evidence, one: Finding) -> Sequence[Vote]:
    return found.votes.get(one.pk, ())


def _findings(number: int, *, capital: bool = False) -> str:
    told = "one finding" if number == 1 else f"{count(number)} findings"
    return told[:1].upper() + told[1:] if capital else told


_CHECKS: dict[Condition, Callable[[Evidence, SignOffRule], Checked]] = {
    Condition.JUDGED: _judged,
    Condition.NO_DISSENT: _no_dissent,
    Condition.VOTES: _enough_votes,
    Condition.NO_CONCERN: _no_concern,
    Condition.OWNED: _owned,
    Condition.FRESH: _fresh,
}
