"""Who may sign off a run: a second person, who neither launched it nor set the state of one of its findings."""

from collections.abc import Iterable, Sequence

from django.contrib.auth.models import User

from plumbline.audits.models import Run
from plumbline.findings.models import Finding
from plumbline.findings.sign_off.conditions import Checked

PERMISSION = "findings.sign_off"
ALONE = (
    "There is only one active account that may sign off, so nobody can be the second person. An admin creates"
    " another one, on the page People or by 'manage.py person add NAME --role reviewer'."
)
NAMELESS = (
    "Nobody is named as who launched it, so nobody can be shown to be a second person. The button Run again"
    " on the page of the run launches it in your name; so does 'audit run SPEC --as USER'."
)

EVERYBODY_TAKEN = (
    "Nobody is left who may sign: all of them launched this run or judged one of its findings. Either the person who"
    " launched it sets the states of the findings, then those who judged them before can sign. Or an admin creates"
    " another account, on the page People or by 'manage.py person add NAME --role reviewer'."
)


def signers() -> list[User]:
    """Return the active people who may sign off."""
    return list(User.objects.with_perm(PERMISSION, backend="django.contrib.auth.backends.ModelBackend"))


def checked_person(person: User, run: Run, findings: Sequence[Finding]) -> list[Checked]:
    """Return the conditions that concern the person who wants to sign."""
    judged = [one for one in findings if one.judged_by_id == person.pk]
    own = run.created_by_id == person.pk
    known = "The person who launched the run is known."
    second = Checked(
        "not launcher",
        not own,
        "Another person than the signer launched this run.",
        _launched_it(run, findings, person) if own else "",
    )
    return [
        *(
            [Checked("named", True, known, ""), second]
            if run.created_by_id
            else [Checked("named", False, known, NAMELESS)]
        ),
        Checked(
            "not judge",
            not judged,
            "Other people than the signer set the last states of its findings.",
            f"You judged {len(judged)} of them. Ask a second person to sign: {_others(run, findings, person)}"
            if judged
            else "",
        ),
    ]


def who_can_sign(run: Run, findings: Iterable[Finding]) -> list[User]:
    """Return the people who may sign off this run now: neither its launcher nor who judged one of its findings."""
    taken = {run.created_by_id, *(one.judged_by_id for one in findings)}
    return [one for one in signers() if one.pk not in taken] if run.created_by_id is not None else []


def why_nobody(run: Run) -> str:
    """Return why nobody can sign off the run, and what to do about it."""
    if run.created_by_id is None:
        return NAMELESS
    return ALONE if len(signers()) < 2 else EVERYBODY_TAKEN


def _launched_it(run: Run, findings: Sequence[Finding], person: User) -> str:
    return f"You launched it. Ask a second person to sign: {_others(run, findings, person)}"


def _others(run: Run, findings: Sequence[Finding], person: User) -> str:
    """Return who could sign, or why nobody can."""
    names = [one.get_username() for one in who_can_sign(run, findings) if one != person]
    return f"{', '.join(names)}." if names else why_nobody(run)
