"""Every page answers for the data of the release before: no address breaks, and what answered then answers now."""

import re
from collections.abc import Iterator

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from tests.release import addresses
from tests.release.addresses import OF_A_RUN, all_addresses, values_of
from tests.release.conftest import As, Release
from tests.release.drawers import drawers
from tests.release.sampling import first_plans, first_runs, is_sampled
from tests.release.walking import Walk, name_of

PLAN = re.compile(r"/plans/(\d+)/")

pytestmark = pytest.mark.xdist_group("release")


@pytest.fixture
def trial(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("trial"))


@pytest.mark.database
def test_every_page_of_every_run_answers(release: Release, as_: As, trial: bool) -> None:
    """The first finished run of each probe is asked every address, also of what other probes have.

    A trial asks all pages of all runs; a change asks one in three of a run whose probe and state another run has, too,
    and does not look for pages that it lost.
    """
    troubles, probes = [], set()
    firsts = first_runs()
    for run in Run.objects.order_by("pk"):
        whole = trial or run.pk in firsts
        walk = _walk(run, as_("ada"), whole)
        if run.state == RunState.DONE and run.probe not in probes:
            probes.add(run.probe)
            walk.over(reverse(name, args=[run.pk]) for name in addresses.of_one_run())
        lost = _lost(walk, run, release) if whole else []
        troubles += [*walk.troubles, *(f"run {run.pk} no longer leads to {name}" for name in lost)]
    assert not troubles


def _walk(run: Run, client: Client, whole: bool) -> Walk:
    """From the run's own page on, and what its scripts fetch: all of them, or a sample."""
    begin = reverse("run", args=[run.pk])

    def is_asked(path: str) -> bool:
        return path.startswith(begin) and (whole or is_sampled(name_of(path), run.pk))

    walk = Walk(client, is_asked)
    walk.over([begin, *filter(is_asked, drawers(run))], offered=True)
    return walk


def _lost(walk: Walk, run: Run, release: Release) -> list[str]:
    """The addresses that answered for this run in its own release, still exist, and do not answer now."""
    then = set(release.expected["pages"][str(run.pk)])
    return sorted(then.intersection(one.name for one in all_addresses()) - walk.met)


# The tests of each page run on both servers.
@pytest.mark.any_server
def test_every_other_page_of_the_desk_answers(release: Release, as_: As, reader: str, trial: bool) -> None:
    """A trial asks all pages of all plans; a change asks one in three of a plan whose method an earlier plan has."""
    firsts = first_plans()

    def is_asked(path: str) -> bool:
        plan = PLAN.match(path)
        return not plan or trial or int(plan[1]) in firsts or is_sampled(name_of(path), int(plan[1]))

    walk = Walk(as_("ada"), lambda path: is_asked(path) and not path.startswith(("/runs/", "/admin/", "/logout/")))
    walk.over(filter(is_asked, _of_the_desk()))
    assert not walk.troubles
    assert {"overview", "runs", "models", "plans", "plan", "compare", "bbq", "annotation", "sql"} <= walk.met


def _of_the_desk() -> Iterator[str]:
    for address in all_addresses():
        if not address.route.startswith("runs/<"):
            for values in values_of(address) or []:
                yield reverse(address.name, kwargs=values)


def test_each_address_of_the_desk_has_values_to_be_asked_with(release: Release) -> None:
    """Who adds one with parameters of another kind says in tests/release/addresses.py what they may be."""
    assert not [one.route for one in all_addresses() if values_of(one) is None and not one.route.startswith(OF_A_RUN)]


@pytest.mark.any_server
def test_the_admin_lists_and_shows_what_the_release_holds(release: Release, as_: As) -> None:
    walk = Walk(as_("ada"))
    for model in admin.site._registry:
        at = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        row = model._default_manager.order_by("-pk").first()
        of_a_row = [reverse(f"{at}_{page}", args=[row.pk]) for page in ("change", "history")] if row else []
        walk.over([reverse(f"{at}_changelist"), *of_a_row], offered=True)
    assert not walk.troubles
