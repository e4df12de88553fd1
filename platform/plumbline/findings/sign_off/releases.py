"""Sign-off of a release: a model with its revision, on whose latest runs of each plan a sign-off stands."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from django.contrib.auth.models import User
from django.db import transaction

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.findings.locks import wait_for_others
from plumbline.findings.models import Decision, SignedRun, SignOff
from plumbline.findings.sign_off.baselines import signed_off
from plumbline.findings.sign_off.conditions import Checked, evidence_of
from plumbline.findings.sign_off.people import checked_person
from plumbline.findings.sign_off.signing import as_they_stand, decided
from plumbline.findings.updating import summarised_at
from plumbline.spec.errors import InputError

MOST_RELEASES = 5
_OF_PLAN = ("findings_update__release", "plan_id", "probe")
_LARGE = ("spec", "provenance", "traceback")


@dataclass(frozen=True, slots=True)
class Release:
    """A release with its latest finished run of each plan."""

    name: str
    model: str
    runs: Sequence[Run]


def releases_of(reference: str, most: int = MOST_RELEASES) -> list[Release]:
    """Return the releases of a model under audit on which plans ran, the one with the latest run first."""
    done = Run.objects.top_level().filter(model=reference, state=RunState.DONE, plan__isnull=False)
    latest = done.filter(findings_update__release__gt="").order_by(*_OF_PLAN, "-pk").distinct(*_OF_PLAN)
    found: dict[str, list[Run]] = {}
    for run in sorted(latest.select_related("findings_update").defer(*_LARGE), key=lambda one: -one.pk):
        found.setdefault(run.findings_update.release, []).append(run)
    return [Release(name, name.rpartition("@")[0] or name, runs) for name, runs in [*found.items()][:most]]


def standing_of_releases(names: Iterable[str]) -> dict[str, SignOff]:
    """Return the sign-offs that stand, by release."""
    own = SignOff.objects.filter(release__in=list(names), is_of_release=True, withdrawn_at__isnull=True)
    return {one.release: one for one in own}


def checked_release(release: Release, person: User) -> list[Checked]:
    """Return the conditions of a release's sign-off for a person: those of the person when its runs are signed off."""
    signed = signed_off(run.pk for run in release.runs)
    unsigned = [run.pk for run in release.runs if run.pk not in signed]
    told = "The latest run of each plan on this release is signed off."
    if unsigned:
        return [Checked("runs", False, told, f"Sign off {', '.join(f'run {one}' for one in unsigned)}.")]
    of_person = [one for run in release.runs for one in checked_person(person, run, evidence_of(run).findings)]
    return [Checked("runs", True, told), *_first_of_each(of_person)]


def _first_of_each(found: Sequence[Checked]) -> list[Checked]:
    """Return one condition of each name: one that does not hold if there is any."""
    ordered = sorted(found, key=lambda one: one.holds)
    return [*{one.name: one for one in reversed(ordered)}.values()]


@transaction.atomic
def sign_release(release: Release, by: User, note: str = "", decision: str = Decision.NONE) -> SignOff:
    """Sign the release off with a decision about its use, which the note describes.

    Raises InputError if a condition does not hold, if it is signed off already, or if the decision lacks its note.
    """
    wait_for_others(f"sign-off of {release.name}")
    conditions = checked_release(release, by)
    if missing := [one for one in conditions if not one.holds]:
        told = " ".join(f"{one.sentence[:-1]}: no. {one.remedy}".strip() for one in missing)
        raise InputError(f"it cannot be signed off yet. {told}")
    if standing_of_releases([release.name]):
        raise InputError(f"the release {release.name} is signed off already.")
    made = SignOff.objects.create(
        is_of_release=True,
        model=release.model,
        release=release.name,
        signed_by=by,
        signed_name=by.get_username(),
        **decided(decision, note),
        conditions=[asdict(one) for one in conditions],
        findings=as_they_stand(map(evidence_of, release.runs)),
    )
    SignedRun.objects.bulk_create(
        SignedRun(sign_off=made, run=run, summarised_at=summarised_at(run)) for run in release.runs
    )
    return made
