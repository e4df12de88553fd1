"""Who may sign off a run: a second person, who neither launched it nor set the state of one of its findings."""

from collections.abc import Iterable, Sequence

from django.contrib.auth.models import User

from plumbline.audits.models import Run
from plumbline.findings.models import Finding
from plumbline.findings.sign_off.conditions import PAGE_OF_RUN, Checked

PERMISSION = "findings.sign_off"
PEOPLE_PAGE = "People and roles"
"""The title of the page of accounts, which pages make a link in the sentences below."""
ALONE = (
    "There is only one active account that may sign off, so nobody can be the second person. An admin creates"
    f" another one, on the page “{PEOPLE_PAGE}” or by 'manage.py person add NAME --role reviewer'."
)
NAMELESS = "This run cannot be signed off, because it does not say who launched it."
RUN_AGAIN = f"Press “Run again” {PAGE_OF_RUN}: the new run names you, and a second person can sign it."
ASK_TO_RUN_AGAIN = f"Ask an auditor to press “Run again” {PAGE_OF_RUN}. A second person can sign the new run."
EVERYBODY_TAKEN = (
    "Nobody is left who may sign: all of them launched this run or judged one of its findings. Either the person who"
    " launched it sets the states of the findings, then those who judged them before can sign. Or an admin creates"
    f" another account, on the page “{PEOPLE_PAGE}” or by 'manage.py person add NAME --role reviewer'."
)
_SET_BY_OTHERS = "The last state of each judged finding was set by somebody other than the signer."
_NONE_JUDGED_BY_SIGNER = "The signer judged no finding of the run."


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
        "Somebody other than the signer launched this run.",
        _launched_it(run, findings, person) if own else "",
    )
    return [
        *(
            [Checked("named", True, known, ""), second]
            if run.created_by_id
            else [Checked("named", False, known, how_to_name(person))]
        ),
        Checked(
            "not judge",
            not judged,
            _SET_BY_OTHERS if any(one.judged_by_id for one in findings) else _NONE_JUDGED_BY_SIGNER,
            f"You judged {len(judged)} of them. {_ask_another(run, findings, person)}".strip() if judged else "",
        ),
    ]


def who_can_sign(run: Run, findings: Iterable[Finding]) -> list[User]:
    """Return the people who may sign off this run now: neither its launcher nor who judged one of its findings."""
    taken = {run.created_by_id, *(one.judged_by_id for one in findings)}
    return [one for one in signers() if one.pk not in taken] if run.created_by_id is not None else []


def without_launcher(person: User) -> str:
    """Return what the person can do about a run that does not say who launched it, and why."""
    return f"{how_to_name(person)} {NAMELESS}"


def how_to_name(person: User) -> str:
    """Return what the person can do, so that a run says who launched it."""
    return RUN_AGAIN if person.has_perm("audits.add_run") else ASK_TO_RUN_AGAIN


def why_nobody(run: Run, person: User) -> str:
    """Return why nobody can sign off the run, and what the person can do about it."""
    if run.created_by_id is None:
        return without_launcher(person)
    return ALONE if len(signers()) < 2 else EVERYBODY_TAKEN


def _launched_it(run: Run, findings: Sequence[Finding], person: User) -> str:
    return f"You launched it. {_ask_another(run, findings, person)}"


def _ask_another(run: Run, findings: Sequence[Finding], person: User) -> str:
    """Return whom to ask for the sign-off, or why nobody can sign. Without a launcher, another condition says it."""
    if run.created_by_id is None:
        return ""
    names = [one.get_username() for one in who_can_sign(run, findings) if one != person]
    return f"Ask a second person to sign: {', '.join(names)}." if names else why_nobody(run, person)
