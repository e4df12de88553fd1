"""Signing a run off, and withdrawing that."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import OuterRef, QuerySet

from plumbline.audits.clock import ClockTimestamp
from plumbline.audits.models import Run
from plumbline.findings.identity import model_of, release_of, series_of
from plumbline.findings.judging import limited
from plumbline.findings.locks import wait_for_others
from plumbline.findings.models import Decision, Finding, SignedRun, SignOff
from plumbline.findings.sign_off.conditions import Checked, Evidence, checked, evidence_of
from plumbline.findings.sign_off.people import checked_person
from plumbline.findings.updating import summarised_at
from plumbline.spec.errors import InputError


@dataclass(frozen=True, slots=True)
class Readiness:
    """The conditions of a run for one person."""

    conditions: list[Checked]
    person: list[Checked]
    evidence: Evidence

    @property
    def is_ready(self) -> bool:
        return all(one.holds for one in (*self.conditions, *self.person))

    @property
    def missing(self) -> list[Checked]:
        return [one for one in (*self.conditions, *self.person) if not one.holds]


def readiness(run: Run, person: User) -> Readiness:
    evidence = evidence_of(run)
    return Readiness(checked(evidence), checked_person(person, run, evidence.findings), evidence)


@transaction.atomic
def sign(run: Run, by: User, note: str = "", decision: str = Decision.NONE) -> SignOff:
    """Sign the run off with a decision about the model's use, which the note describes.

    Raises InputError if a condition does not hold, if it is signed off already, or if the decision lacks its note.
    """
    wait_for_others(f"sign-off of run {run.pk}")
    list(Finding.objects.select_for_update(of=("self",)).filter(observations__run_number=run.pk).order_by("pk"))
    found = readiness(run, by)
    if found.missing:
        raise InputError(" ".join(_unmet(found.missing)))
    if standing(run) is not None:
        raise InputError(f"run {run.pk} is signed off already.")
    made = SignOff.objects.create(
        series=series_of(run),
        probe=run.probe,
        model=model_of(run),
        release=release_of(run),
        signed_by=by,
        signed_name=by.get_username(),
        **decided(decision, note),
        conditions=[asdict(one) for one in (*found.conditions, *found.person)],
        findings=as_they_stand([found.evidence]),
    )
    SignedRun.objects.create(sign_off=made, run=run, summarised_at=summarised_at(run))
    return made


@transaction.atomic
def withdraw(sign_off: int, by: User, reason: str) -> None:
    """Withdraw a sign-off and say why. Raises InputError. The sign-off stays readable, and so does its run."""
    if not reason.strip():
        raise InputError("say why you withdraw the sign-off.")
    values = {
        "withdrawn_by": by,
        "withdrawn_name": by.get_username(),
        "withdrawn_reason": limited(reason, "The reason"),
    }
    standing_ones = SignOff.objects.filter(pk=sign_off, withdrawn_at__isnull=True)
    if not standing_ones.update(withdrawn_at=ClockTimestamp(), **values):
        raise InputError("this sign-off was withdrawn already.")


def decided(decision: str, note: str) -> dict[str, str]:
    """Return the decision and its note as fields of a sign-off. Raises InputError."""
    if decision not in Decision.values:
        raise InputError("say what you decide about the model's use.")
    if decision != Decision.NONE and not note.strip():
        raise InputError("say for which use this holds, on which conditions, and why.")
    return {"decision": decision, "note": limited(note, "The note")}


def standing(run: Run) -> SignOff | None:
    """Return the sign-off of the run that stands, or None."""
    return standing_of(run).first()


def standing_of(run: Run | OuterRef) -> QuerySet[SignOff]:
    """Return the sign-offs of a run that stand: one or none."""
    return SignOff.objects.filter(signed_runs__run=run, is_of_release=False, withdrawn_at__isnull=True)


def _unmet(missing: Sequence[Checked]) -> list[str]:
    return ["it cannot be signed off yet.", *(f"{one.sentence[:-1]}: no. {one.remedy}".strip() for one in missing)]


def as_they_stand(found: Iterable[Evidence]) -> list[dict[str, Any]]:
    """Return the findings with the decisions of people, as a sign-off keeps them."""
    return [_as_it_stands(of, one) for of in found for one in of.findings]


def _as_it_stands(of: Evidence, one: Finding) -> dict[str, Any]:
    seen = one.observations.get(run_number=of.run.pk)
    return {
        "finding": one.pk,
        "run": of.run.pk,
        "sentence": seen.sentence,
        "outcome": seen.outcome,
        **seen.figures,
        "state": one.state,
        "reason": one.reason,
        "judged_by": one.judged_name,
        "votes": {vote.person_name: vote.state for vote in of.votes.get(one.pk, ())},
        "assignee": one.assignee.get_username() if one.assignee else "",
        "due_on": one.due_on.isoformat() if one.due_on else "",
    }
