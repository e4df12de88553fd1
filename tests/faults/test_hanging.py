"""A worker that hangs in its work, and goes on saying that it lives: its lease is renewed, and only its time tells."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest

from plumbline import embedded
from plumbline.audits.clock import now
from plumbline.audits.models import Phase, Run, WorkerProcess
from plumbline.vocab.models import Group, GroupList
from tests.faults.site import LEASE_SECONDS, Site
from workers.management import reports

pytestmark = pytest.mark.slow


@pytest.fixture
def curated(site: Site) -> Iterator[str]:
    """The groups of the audit as a curated list, which a run freezes and its worker reads."""
    gender = GroupList.objects.create(slug="gender", title="Gender")
    for group in site.spec["groups"]["inline"]:
        Group.objects.create(word_list=gender, **group)
    yield gender.slug
    gender.delete()


@contextmanager
def unanswered(site: Site) -> Iterator[None]:
    """Who reads a frozen list waits, in no transaction of its own: as if it lay on a network disk that is gone."""
    with psycopg.connect(embedded.database_url(site.var)) as elsewhere:
        elsewhere.execute("LOCK TABLE audits_snapshot IN ACCESS EXCLUSIVE MODE")
        yield


def test_a_worker_that_hangs_shows_for_how_long_and_its_work_passes_on_when_it_is_killed(
    site: Site, curated: str, undisturbed: str
) -> None:
    site.scheduler()
    run = site.launch(groups={"list": curated})
    with unanswered(site):
        worker = site.worker()
        site.wait(lambda: WorkerProcess.objects.filter(run=run, doing="planning").exists())
        began = now()
        site.wait(lambda: (now() - began).total_seconds() > 2 * LEASE_SECONDS)
        assert shown(run) >= 2 * LEASE_SECONDS
        assert planning(run).attempts == 1
        worker.child.kill()
    assert site.wait_for_end(run).state == "done", run.error
    assert (planning(run).attempts, site.digest(run)) == (2, undisturbed)


def planning(run: Run) -> Phase:
    return run.phases.get(name="planning")


def shown(run: Run) -> int:
    """For how many seconds the run's worker has been at its planning, as `audit show` tells."""
    told = "\n".join(reports.about(run))
    found = re.search(rf"{re.escape(planning(run).leased_by)} \(cpu\): planning, for (\d+) s", told)
    assert found, told
    return int(found[1])
