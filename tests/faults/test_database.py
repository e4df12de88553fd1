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
from plumbline.pages.templatetags.figures import took
from tests.faults.clocks import clock
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
    assert site.wait_for_end(run).state == "done", run.error
    # To plan, and to load the model, takes as long as the machine needs.
    assert run.started_at is not None
    assert (run.started_at - back_at).total_seconds() < 10
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


def test_a_clock_of_the_server_that_is_set_back_by_an_hour_holds_nobody_up(
    site: Site, undisturbed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with clock_of_server(site, monkeypatch) as offset:
        killed_later = site.worker()
        run = site.launch()
        site.wait_for_shards(run, 1)
        shard = site.wait_for_a_shard_in_work(run)
        killed_later.kill()
        before = now()
        offset.write_text("-3600s")
        assert (before - now()).total_seconds() > 3500
        Shard.objects.filter(pk=shard.pk).update(leased_by="elsewhere:1:2")  # so that no sweep of this host frees it
        site.worker()
        assert site.wait_for_end(run).state == "done", run.error
        assert site.digest(run) == undisturbed
        assert took(run) is None


@contextmanager
def clock_of_server(site: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file whose text is the offset of the server's clock from the machine's."""
    with tempfile.TemporaryDirectory() as folder, monkeypatch.context() as environment:
        offset = Path(folder) / "offset"
        offset.write_text("+0s")
        Path(folder).chmod(0o755)
        faked = clock("") | {"FAKETIME_TIMESTAMP_FILE": str(offset), "FAKETIME_NO_CACHE": "1"}
        for name, value in faked.items():
            environment.setenv(name, value)
        environment.delenv("FAKETIME")
        restart(site)
        environment.undo()
        yield offset
    restart(site)


def restart(site: Site) -> None:
    connection.close()
    embedded.stop(site.var)
    embedded.start(site.var)


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
    with mounted(megabytes=16) as place, psycopg.connect(embedded.database_url(site.var), autocommit=True) as server:
        space = place / "space"
        space.mkdir()
        postgres_programs.give_to_server(space)
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


def test_a_full_disk_of_the_write_ahead_log_loses_nothing(site: Site, undisturbed: str) -> None:
    site.scheduler()
    site.worker()
    with small_disk_of_the_log(site) as filler:
        run = site.launch()
        site.wait_for_shards(run, 1)
        connection.close()
        write_until_the_log_is_full(site)
        filler.unlink()
        embedded.start(site.var)
        assert site.wait_for_end(run).state == "done", run.error
        assert site.digest(run) == undisturbed


def write_until_the_log_is_full(site: Site) -> None:
    """The server panics and drops its clients."""
    with pytest.raises(psycopg.OperationalError):
        write_to_the_log(embedded.database_url(site.var), megabytes=1000)
    assert "No space left on device" in (embedded.status(site.var).data_dir / "server.log").read_text(errors="replace")


def write_to_the_log(address: str, megabytes: int) -> None:
    with psycopg.connect(address, autocommit=True) as server:
        for _ in range(megabytes):
            server.execute("SELECT pg_logical_emit_message(true, 'full', repeat('x', 1000000))")


@contextmanager
def small_disk_of_the_log(site: Site) -> Iterator[Path]:
    """The write-ahead log lies on a file system of its own, which a file has filled."""
    log = embedded.status(site.var).data_dir / "pg_wal"
    with mounted(megabytes=256) as place:
        put(site, log, place / "pg_wal")
        log.symlink_to(place / "pg_wal")
        embedded.start(site.var)
        filler = place / "filler"
        filler.write_bytes(bytes(shutil.disk_usage(place).free - 2**20))
        (embedded.status(site.var).data_dir / "server.log").write_text("")
        try:
            yield filler
        finally:
            filler.unlink(missing_ok=True)
            embedded.start(site.var)
            connection.close()
            embedded.stop(site.var)
            log.unlink()
            put(site, place / "pg_wal", log)
            embedded.start(site.var)


def put(site: Site, folder: Path, elsewhere: Path) -> None:
    connection.close()
    embedded.stop(site.var)
    shutil.copytree(folder, elsewhere)
    for path in (elsewhere, *elsewhere.rglob("*")):
        shutil.chown(path, postgres_programs.server_uid())
    shutil.rmtree(folder)


@contextmanager
def mounted(megabytes: int) -> Iterator[Path]:
    place = Path(tempfile.mkdtemp(prefix="plumbline-disk-"))
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", place], capture_output=True, text=True
    )
    if done.returncode:
        place.rmdir()
        pytest.skip(f"a small file system cannot be mounted here: {done.stderr.strip()}")
    yield place
    subprocess.run(["umount", place], check=True)
    place.rmdir()


def move(server: psycopg.Connection[Any], tablespace: str) -> None:
    """The table and its indexes."""
    server.execute(f"ALTER TABLE results.association_default SET TABLESPACE {tablespace}")
    indexes = server.execute("SELECT indexname FROM pg_indexes WHERE tablename = 'association_default'").fetchall()
    for (index,) in indexes:
        server.execute(f"ALTER INDEX results.{index} SET TABLESPACE {tablespace}")
