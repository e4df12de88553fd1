"""The database stops, dies, fills up, or does not answer in the middle of a run."""

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
import psycopg
import pytest
from django.db import connection

from plumbline import broker, embedded, postgres_programs
from plumbline.audits import life
from plumbline.audits.clock import now
from plumbline.audits.models import Run, Shard
from tests.faults.proxy import LosesAnAnswer
from tests.faults.site import LEASE_SECONDS, Site

pytestmark = pytest.mark.slow


def stopped(site: Site) -> None:
    embedded.stop(site.var)


def killed(site: Site) -> None:
    pid = embedded.status(site.var).pid
    assert pid is not None
    psutil.Process(pid).kill()


@pytest.mark.parametrize("take_away", [stopped, killed])
def test_a_busy_worker_goes_on_within_ten_seconds_after_the_database_is_back(
    site: Site, undisturbed: str, take_away: Callable[[Site], None]
) -> None:
    site.worker()
    run = site.launch()
    site.wait_for_shards(run, 1)
    back_at = away_for_a_while(site, take_away)
    site.wait(lambda: Shard.objects.filter(run=run, done_at__gt=back_at).exists())
    assert seconds_until_work(run, back_at) < 10
    assert site.wait_for_end(run).state == "done", run.error
    assert site.digest(run) == undisturbed


def test_an_embedded_server_that_was_killed_is_started_again(site: Site, undisturbed: str) -> None:
    site.scheduler()
    site.worker()
    run = site.launch()
    site.wait_for_shards(run, 1)
    connection.close()
    killed(site)
    site.wait(lambda: embedded.status(site.var).running)
    connection.close()
    embedded.start(site.var)  # returns when it answers
    assert site.wait_for_end(run).state == "done", run.error
    assert site.digest(run) == undisturbed


def test_an_idle_worker_takes_a_run_within_ten_seconds_after_the_database_is_back(site: Site, undisturbed: str) -> None:
    site.scheduler()
    site.worker()
    back_at = away_for_a_while(site, stopped)
    run = site.launch()
    site.wait_for_shards(run, 1)
    assert seconds_until_work(run, back_at) < 10
    assert site.wait_for_end(run).state == "done", run.error
    assert site.digest(run) == undisturbed


def away_for_a_while(site: Site, take_away: Callable[[Site], None]) -> datetime:
    """Longer than a lease; the moment when the server answers again, by its own clock."""
    connection.close()
    take_away(site)
    time.sleep(LEASE_SECONDS + 2)
    embedded.start(site.var)
    return now()


def seconds_until_work(run: Run, since: datetime) -> float:
    """From then until the first shard that was ended later had been begun."""
    first = Shard.objects.filter(run=run, done_at__gt=since).order_by("done_at").values_list("done_at", "seconds")[0]
    assert first[0] is not None
    return (first[0] - since).total_seconds() - (first[1] or 0)


def test_a_commit_whose_answer_is_lost_is_not_done_again(site: Site, undisturbed: str) -> None:
    with broken_way(site) as way:
        # The messages go another way, so that the worker hears those that it sends to itself between two runs' work.
        site.worker(DATABASE_URL=way.url, CELERY_BROKER_URL=broker.url(connection.settings_dict))
        run = site.launch()
        site.wait(way.lost.is_set)
        assert site.wait_for_end(run).state == "done", run.traceback
    assert set(Shard.objects.filter(run=run).values_list("attempts", flat=True)) == {1}
    assert site.digest(run) == undisturbed


@contextmanager
def broken_way(site: Site) -> Iterator[LosesAnAnswer]:
    server = Path(str(connection.settings_dict["OPTIONS"]["host"])) / ".s.PGSQL.5432"
    with tempfile.TemporaryDirectory() as folder:
        way = LosesAnAnswer(Path(folder), server)
        yield way
        way.close()


def test_a_full_disk_ends_the_run_clearly_and_resume_ends_it_well(site: Site, undisturbed: str) -> None:
    site.worker()
    with small_disk(site) as filler:
        run = site.wait_for_end(site.launch())
        assert (run.state, run.expected) == ("failed", True)
        assert run.error == f"the database's disk is full: free some space, then 'audit resume {run.pk}'"
        filler.unlink()
        life.resume(run.pk)
        assert site.wait_for_end(run).state == "done", run.error
        assert site.digest(run) == undisturbed


@contextmanager
def small_disk(site: Site) -> Iterator[Path]:
    """The records lie on a file system of their own, which a file has filled."""
    place = Path(tempfile.mkdtemp(prefix="plumbline-disk-"))
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", place], capture_output=True, text=True)
    if mounted.returncode:
        place.rmdir()
        pytest.skip(f"a small file system cannot be mounted here: {mounted.stderr.strip()}")
    space = place / "space"
    space.mkdir()
    postgres_programs.give_to_server(space)
    with psycopg.connect(embedded.database_url(site.var), autocommit=True) as server:
        # Earlier tests left their records; the table must fit before it is filled.
        server.execute("TRUNCATE results.association")
        server.execute(f"CREATE TABLESPACE small LOCATION '{space}'")
        filler = place / "filler"
        try:
            move(server, "small")
            filler.write_bytes(bytes(shutil.disk_usage(place).free - 2**16))
            yield filler
        finally:
            filler.unlink(missing_ok=True)
            server.execute("TRUNCATE results.association")
            move(server, "pg_default")
            server.execute("DROP TABLESPACE small")
    subprocess.run(["umount", place], check=True)
    place.rmdir()


def move(server: psycopg.Connection[Any], tablespace: str) -> None:
    """The table and its indexes."""
    server.execute(f"ALTER TABLE results.association_default SET TABLESPACE {tablespace}")
    indexes = server.execute("SELECT indexname FROM pg_indexes WHERE tablename = 'association_default'").fetchall()
    for (index,) in indexes:
        server.execute(f"ALTER INDEX results.{index} SET TABLESPACE {tablespace}")
