"""Real processes on a real database: interrupted at a bad moment, killed outright, and gone on with."""

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.db import connection

from plumbline.audits.models import PLANNING, Run, Shard
from plumbline.audits.states import RunState, WorkState
from plumbline.results import reading
from tests import migrated
from tests.patience import PATIENCE
from tests.processes import forked

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("empty_results")]

MANY = {"attributes": {"inline": ["poor", "wealthy", "warm", "cold", "dominant", "confident", "sincere", "dishonest"]}}
FRAMES = {
    "templates": {
        "inline": [f"In {year}, [All|Most] {{group.plural}} were {{attribute}}." for year in range(1900, 2000)]
    }
}
Start = Callable[..., forked.Process]


@pytest.fixture
def start() -> Start:
    """Start `manage.py audit ...` on the test's own database."""
    database = connection.get_connection_params()
    host, port = database.get("host", ""), database.get("port", "")
    url = f"postgres://{database['user']}@/{database['dbname']}?host={host}&port={port}".replace("&port=&", "&")
    environment = os.environ | {"DATABASE_URL": url.removesuffix("&port=")}

    return lambda *arguments: forked.start("manage.py", "audit", *arguments, env=environment)


def wait_for_done_shards(count: int, seconds: float = PATIENCE) -> None:
    until = time.monotonic() + seconds
    while Shard.objects.filter(state=WorkState.DONE).count() < count:
        assert time.monotonic() < until, "no shard was done in time"
        time.sleep(0.02)


def undisturbed_digest(start: Start, spec: Path) -> str:
    Shard.objects.update(key="")
    process = start("run", spec, "--inline")
    out, err = process.communicate()
    assert process.returncode == 0, err
    return reading.digest(int(out.split()[1]))


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_is_resumed_to_the_same_records(
    start: Start, write_spec: Callable[..., Path], stop: signal.Signals
) -> None:
    spec = write_spec(**MANY, **FRAMES)
    process = start("run", spec, "--inline")
    wait_for_done_shards(1)
    process.send_signal(stop)
    out, err = process.communicate()
    assert process.returncode == 130, err
    assert re.fullmatch(r"run \d+ cancelled 3200 items \d+\.\d s\n", out), (out, err)
    run = Run.objects.get()
    assert f"'audit resume {run.pk}' continues" in err
    assert "Traceback" not in err
    done = Shard.objects.filter(run=run, state=WorkState.DONE)
    assert len(reading.read(run.pk)) == sum(shard.planned_rows["association"] for shard in done)

    resumed = start("resume", run.pk)
    out, err = resumed.communicate()
    assert (resumed.returncode, out.split()[2]) == (0, "done"), err
    assert reading.digest(run.pk) == undisturbed_digest(start, spec)


def test_a_killed_run_is_taken_up_again(start: Start, write_spec: Callable[..., Path]) -> None:
    spec = write_spec(**MANY, **FRAMES)
    process = start("run", spec, "--inline")
    wait_for_done_shards(1)
    process.kill()
    process.communicate()
    run = Run.objects.get()
    assert run.state == RunState.RUNNING
    resumed = start("resume", run.pk)
    out, err = resumed.communicate()
    assert (resumed.returncode, out.split()[2]) == (0, "done"), err
    assert reading.digest(run.pk) == undisturbed_digest(start, spec)


def test_a_run_is_not_taken_from_a_process_that_lives(start: Start, write_spec: Callable[..., Path]) -> None:
    process = start("run", write_spec(**MANY, **FRAMES), "--inline")
    wait_for_done_shards(1)
    second = start("resume", Run.objects.get().pk)
    _, err = second.communicate()
    assert second.returncode == 2
    assert "only a failed or cancelled run can be resumed" in err
    _, err = process.communicate()
    assert process.returncode == 0, err


def test_an_interrupt_before_a_run_exists_leaves_nothing(start: Start, write_spec: Callable[..., Path]) -> None:
    process = start("run", write_spec(), "--inline")
    process.wait_for_line("checking ...")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, out) == (130, "")
    assert "Traceback" not in err
    assert not Run.objects.exists()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 160 MB: an embedded database with its starter words takes 55 of them."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=160m", "tmpfs", place], capture_output=True, text=True
    )
    if mounted.returncode:
        pytest.skip(f"a small file system cannot be mounted here: {mounted.stderr.strip()}")
    yield place
    forked.run("manage.py", "db", "stop", env=_on(place)).check_returncode()
    subprocess.run(["umount", place], check=True)


def _on(place: Path) -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if key != "DATABASE_URL"} | {"PLUMBLINE_VAR": str(place)}


def test_a_full_disk_is_reported_in_one_line_and_the_run_goes_on_when_there_is_space(
    small_disk: Path, write_spec: Callable[..., Path], tmp_path: Path
) -> None:
    def manage(*arguments: object) -> subprocess.CompletedProcess[str]:
        return forked.run("manage.py", *arguments, env=_on(small_disk))

    spec = write_spec(**MANY, **FRAMES)
    migrated.install(small_disk)
    filler = small_disk / "filler"
    process = forked.start("manage.py", "audit", "run", spec, "--inline", env=_on(small_disk))
    process.wait_for_line(f"{PLANNING} ...")
    filler.write_bytes(bytes(shutil.disk_usage(small_disk).free - 2**19))
    _, err = process.communicate()
    told = err.splitlines()[-1]
    assert (process.returncode, "Traceback" in err) == (2, False), err
    assert "disk" in told, err
    assert "audit resume" in told, err
    filler.unlink()
    resumed = manage("audit", "resume", 1)
    assert resumed.stdout.startswith("run 1 done 3200 items"), resumed
    out = tmp_path / "records.csv"
    manage("audit", "export", 1, "--table", "association", "--out", out)
    assert len(out.read_text().splitlines()) == 3201


@pytest.mark.parametrize("url", ["sqlite:///x.db", "nonsense", "postgres://nobody@127.0.0.1:1/nothing"])
def test_a_wrong_database_url_is_reported_in_one_line(url: str) -> None:
    ended = forked.run("manage.py", "vocab", "list", env=os.environ | {"DATABASE_URL": url})
    assert (ended.returncode, ended.stdout, len(ended.stderr.splitlines())) == (2, "", 1)
    assert ended.stderr.startswith("error: ")
