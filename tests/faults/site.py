"""A whole installation for one test: its own database server and broker, real workers and a real scheduler."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import psutil  # type: ignore[import-untyped]
import psycopg
from django.conf import settings
from django.db import connection

from plumbline import embedded
from plumbline.audits.launching import launch
from plumbline.audits.models import Run, Shard, WorkerProcess
from plumbline.audits.states import LIVE, RunState, WorkState
from plumbline.results import reading
from plumbline.spec.audit import parse
from tests.patience import PATIENCE
from tests.processes import forked

AnyProcess = forked.Process | subprocess.Popen[bytes]
LEASE_SECONDS = 4


@dataclass
class Process:
    """A process of the installation, in a group of its own, with its log."""

    popen: AnyProcess
    log: Path

    @property
    def child(self) -> psutil.Process:
        """The one child of a worker, which does the work."""
        return psutil.Process(self.popen.pid).children()[0]

    def kill(self) -> None:
        """SIGKILL to it and all that it started, as when the machine loses its power."""
        with suppress(ProcessLookupError):
            os.killpg(self.popen.pid, signal.SIGKILL)
        self.popen.wait()

    def stop(self) -> int:
        self.popen.terminate()
        try:
            return self.popen.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"it does not stop; its log:\n{self.log.read_text()}") from None


@dataclass
class Site:
    """`spec` is the audit that the faults befall: enough shards, each long enough to be disturbed."""

    var: Path
    spec: dict[str, Any]
    broker: str = ""
    processes: list[Process] = field(default_factory=list)

    def start(self, *command: str, **environment: str) -> Process:
        """A command of manage.py, which goes on while the test does."""
        return self.spawn(command[0], ["manage.py", *command], environment)

    def spawn(self, name: str, command: list[str], environment: dict[str, str]) -> Process:
        """Any program of the installation, as Python is told to run it; `name` is that of its log."""
        log = self.var / f"{name}-{len(self.processes)}.log"
        with log.open("wb") as out:
            popen = _started(command, self.environment() | environment, out)
        self.processes.append(Process(popen, log))
        return self.processes[-1]

    def environment(self) -> dict[str, str]:
        inherited = {key: value for key, value in os.environ.items() if key not in ("DATABASE_URL", "LOG_LEVEL")}
        return inherited | {
            "PLUMBLINE_VAR": str(self.var),
            "CELERY_BROKER_URL": self.broker,
            "LEASE_SECONDS": str(LEASE_SECONDS),
            "TICK_SECONDS": "1",
            "WORKERS": "2",
            "LOG_FORMAT": "json",
        }

    def worker(self, **environment: str) -> Process:
        """A worker that is alive: its child has loaded torch and says that it is there."""
        known = set(WorkerProcess.objects.values_list("name", flat=True))
        process = self.start("worker", **environment)
        ready = WorkerProcess.objects.filter(role="worker").exclude(state="starting").exclude(name__in=known)
        self.wait(ready.exists, process)
        return process

    def scheduler(self) -> Process:
        known = WorkerProcess.objects.filter(role="scheduler").count()
        process = self.start("scheduler")
        self.wait(lambda: WorkerProcess.objects.filter(role="scheduler").count() > known, process)
        return process

    def launch(self, **changes: Any) -> Run:
        """A run of the spec that asks the model anew, for whichever worker is there; idle ones are told at once."""
        return launch(parse(self.spec | changes), reuse=False)

    def wait(self, condition: Callable[[], Any], process: Process | None = None) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert process is None or process.popen.poll() is None, process.log.read_text()
            assert time.monotonic() < deadline, self.logs()
            time.sleep(0.02)

    def wait_for_end(self, run: Run) -> Run:
        self.wait(lambda: not Run.objects.filter(pk=run.pk, state__in=LIVE).exists())
        run.refresh_from_db()
        return run

    def wait_for_shards(self, run: Run, done: int) -> None:
        """A run that fails meanwhile fails the test at once, with its error."""

        def reached() -> bool:
            run.refresh_from_db(fields=["state", "error"])
            assert run.state != RunState.FAILED, run.error
            return Shard.objects.filter(run=run, state=WorkState.DONE).count() >= done

        self.wait(reached)

    def wait_for_a_shard_in_work(self, run: Run) -> Shard:
        found: list[Shard] = []

        def held() -> list[Shard]:
            found[:] = Shard.objects.filter(run=run, state=WorkState.READY, token__isnull=False)[:1]
            return found

        self.wait(held)
        return found[0]

    @contextmanager
    def locked(self, table: str) -> Iterator[None]:
        """Nobody else writes to the table while the body runs; who tries waits."""
        with psycopg.connect(embedded.database_url(self.var)) as elsewhere:
            elsewhere.execute(f"LOCK TABLE {table} IN EXCLUSIVE MODE")
            yield

    def digest(self, run: Run) -> str:
        return reading.digest(run.pk)

    def logs(self) -> str:
        return "\n".join(f"--- {p.log.name}\n{p.log.read_text(errors='replace')[-3000:]}" for p in self.processes)

    def clear(self) -> None:
        """End every process and forget the runs; the server stays."""
        for process in self.processes:
            process.kill()
        self.processes.clear()
        embedded.start(self.var)
        connection.close()
        WorkerProcess.objects.all().delete()
        Run.objects.filter(state__in=LIVE).delete()


def _started(command: list[str], environment: dict[str, str], log: IO[bytes]) -> AnyProcess:
    """What the linker is to load before Python needs a process of its own from its very start."""
    if "LD_PRELOAD" not in environment:
        return forked.start(*command, env=environment, log=log)
    started = [sys.executable, *command]
    return subprocess.Popen(
        started, cwd=settings.BASE_DIR, env=environment, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
    )
