"""`manage.py audit` beside real workers: following, leaving, resuming, and what it says when nobody is there."""

import re
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from plumbline.audits.models import Run, WorkerProcess
from plumbline.audits.states import Priority, RunState
from tests.faults.site import Process, Site
from tests.processes import forked

pytestmark = pytest.mark.slow

Audit = Callable[..., forked.Process]


@pytest.fixture
def audit(site: Site) -> Audit:
    return lambda *arguments: forked.start("manage.py", "audit", *arguments, env=site.environment())


@pytest.fixture
def spec_file(spec: dict[str, Any], tmp_path: Path) -> Path:
    path = tmp_path / "audit.yaml"
    path.write_text(yaml.safe_dump(spec))
    return path


def test_a_run_is_followed_to_its_end_left_alone_and_resumed(
    site: Site, audit: Audit, spec_file: Path, undisturbed: str
) -> None:
    worker = site.worker()
    following = audit("run", spec_file, "--no-reuse")
    site.wait(Run.objects.filter(state=RunState.RUNNING).exists)
    run = Run.objects.get(state=RunState.RUNNING)
    site.wait_for_shards(run, 2)
    shown = shown_in_a_shard(site, worker, lambda: str(audit("show", run.pk).communicate()[0]))
    assert re.search(r"\d+ of 6400 items, \d+\.\d items/s, about \d+ s left", shown), shown
    assert re.search(r"\(cpu\): shard \d", shown), shown
    following.send_signal(signal.SIGINT)
    out, err = following.communicate()
    assert (following.returncode, out) == (130, "")
    assert f"Ctrl-C leaves it running; 'audit show {run.pk}'" in err
    assert Run.objects.get(pk=run.pk).state == RunState.RUNNING
    out, err = audit("cancel", run.pk).communicate()
    assert f"run {run.pk} cancelled" in out, err
    worker.child.resume()
    resumed = audit("resume", run.pk)
    out, err = resumed.communicate()
    assert re.fullmatch(rf"run {run.pk} done 6400 items \d+\.\d s\n", out), err
    assert (resumed.returncode, site.digest(run)) == (0, undisturbed)


def shown_in_a_shard(site: Site, worker: Process, show: Callable[[], str]) -> str:
    """Return what is shown while the worker stands still in a shard.

    A busy server may process the worker's last statement after the signal. Then the worker is let go and stopped again.
    """
    in_a_shard = WorkerProcess.objects.filter(doing__startswith="shard")
    while True:
        site.wait(in_a_shard.exists)
        worker.child.suspend()
        before, shown = in_a_shard.exists(), show()
        if before and in_a_shard.exists():
            return shown
        worker.child.resume()


def test_without_a_worker_nothing_is_launched_unless_it_may_wait(site: Site, audit: Audit, spec_file: Path) -> None:
    refused = audit("run", spec_file)
    _, err = refused.communicate()
    assert (refused.returncode, len(err.splitlines())) == (2, 1)
    assert "no worker is alive" in err
    assert not Run.objects.filter(state=RunState.PLANNING).exists()
    waiting = audit("run", spec_file, "--detach", "--priority", "bulk")
    out, _ = waiting.communicate()
    run = Run.objects.get(state=RunState.PLANNING)
    assert (waiting.returncode, out) == (0, f"run {run.pk} planning 0 items 0.0 s\n")
    assert run.priority == Priority.BULK
    shown, _ = audit("show", run.pk).communicate()
    assert "no worker is alive: 'make up' starts some" in shown
    alive, _ = audit("workers").communicate()
    assert "no scheduler is alive" in alive
