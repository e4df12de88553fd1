"""Sign-off of a release: a model with its revision, on whose latest runs of each plan a sign-off stands."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from django.contrib.auth.models import User
from django.db import transaction

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.findings.identity import model_of, release_of, series_of
from plumbline.findings.models import SignedRun, SignOff
from plumbline.findings.sign_off.conditions import Checked, evidence_of
from plumbline.findings.sign_off.people import checked_person
from plumbline.findings.sign_off.signing import as_they_stand, standing, wait_for_others
from plumbline.findings.updating import summarised_at
from plumbline.spec.errors import InputError


@dataclass(frozen=True, slots=True)
class Release:
    """A release with its latest finished run of each plan."""

    name: str
    model: str
    runs: Sequence[Run]


def releases_of(reference: str) -> list[Release]:
    """Return the releases of a model under audit, the one with the latest run first."""
    done = Run.objects.top_level().filter(model=reference, state=RunState.DONE).select_related("created_by")
    found: dict[str, dict[tuple[str, str], Run]] = {}
    models: dict[str, str] = {}
    for run in done.order_by("-pk").defer("traceback"):
        name = release_of(run)
        models.setdefault(name, model_of(run))
        found.setdefault(name, {}).setdefault((series_of(run), run.probe), run)
    return [Release(name, models[name], [*runs.values()]) for name, runs in found.items()]


def standing_of_release(name: str) -> SignOff | None:
    return SignOff.objects.filter(release=name, is_of_release=True, withdrawn_at__isnull=True).first()


def checked_release(release: Release, person: User) -> list[Checked]:
    """Return the conditions of a release's sign-off for a person."""
    planned = [run for run in release.runs if run.plan_id]
    unsigned = [run.pk for run in planned if standing(run) is None]
    told = "The latest run of each plan on this release is signed off."
    remedy = f"Sign off {', '.join(f'run {one}' for one in unsigned)}." if unsigned else "No plan has run on it."
    signed = bool(planned) and not unsigned
    of_person = [one for run in planned for one in checked_person(person, run, evidence_of(run).findings)]
    return [Checked("runs", signed, told, "" if signed else remedy), *_first_of_each(of_person)]


def _first_of_each(found: Sequence[Checked]) -> list[Checked]:
    """Return one condition of each name: one that does not hold if there is any."""
    ordered = sorted(found, key=lambda one: one.holds)
    return [*{one.name: one for one in reversed(ordered)}.values()]


@transaction.atomic
def sign_release(release: Release, by: User, note: str = "") -> SignOff:
    """Sign the release off. Raises InputError if a condition does not hold, or if it is signed off already."""
    wait_for_others(f"sign-off of {release.name}")
    conditions = checked_release(release, by)
    if missing := [one for one in conditions if not one.holds]:
        told = " ".join(f"{one.sentence[:-1]}: no. {one.remedy}".strip() for one in missing)
        raise InputError(f"it cannot be signed off yet. {told}")
    if standing_of_release(release.name) is not None:
        raise InputError(f"the release {release.name} is signed off already.")
    planned = [run for run in release.runs if run.plan_id]
    made = SignOff.objects.create(
        is_of_release=True,
        model=release.model,
        release=release.name,
        signed_by=by,
        signed_name=by.get_username(),
        note=note.strip(),
        conditions=[asdict(one) for one in conditions],
        findings=as_they_stand(map(evidence_of, planned)),
    )
    SignedRun.objects.bulk_create(
        SignedRun(sign_off=made, run=run, summarised_at=summarised_at(run)) for run in planned
    )
    return made
