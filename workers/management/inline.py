"""Inline execution on the command line: preflight, launch, execution, and the last line."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

from django.contrib.auth.models import User

from plumbline.audits import life
from plumbline.audits.freezing import freeze
from plumbline.audits.launching import launch
from plumbline.audits.models import Plan, Run
from plumbline.audits.ownership import this_process
from plumbline.audits.staleness import relaunch
from plumbline.audits.states import RunState
from plumbline.findings import pending
from plumbline.findings.sensitivity import sensitivity_of
from plumbline.spec.audit import AuditSpec
from workers.management.console import Console
from workers.management.ending import tell_end
from workers.management.sensitivity_report import print_sensitivity


def run_inline(
    spec: AuditSpec, console: Console, *, reuse: bool = True, plan: Plan | None = None, by: User | None = None
) -> Run:
    """Launch the spec and execute it in this process. Raises InputError, before a run exists, for wrong input."""
    from workers import execution

    worker = _worker(console)
    with interruptible():
        frozen, snapshots = freeze(spec)
        console.stage("checking", 1, lambda: 0)
        execution.preflight(frozen, snapshots, worker)
        print_sensitivity(sensitivity_of(frozen, snapshots))
        run = launch(spec, owner=this_process(), plan=plan, reuse=reuse, by=by)
        return _drive(run.pk, worker, console)


def resume_inline(run_id: int, console: Console) -> Run:
    """Resume a failed, cancelled or abandoned run in this process. Raises InputError for any other run."""
    life.take_up(run_id, owner=this_process())
    with interruptible():
        return _drive(run_id, _worker(console), console)


def rerun_inline(run: Run, console: Console, by: User | None = None) -> Run:
    """Launch the same audit with today's words in this process. Raises InputError if it can no longer be launched."""
    with interruptible():
        again = relaunch(run, by, owner=this_process())
        return _drive(again.pk, _worker(console), console)


def _worker(console: Console) -> "execution.Worker":  # type: ignore[name-defined]  # noqa: F821
    from workers import execution
    from workers.execution.shared_limiters import limiter_at

    return execution.Worker(this_process(), console, limiter_at=limiter_at)


def _drive(run_id: int, worker: "execution.Worker", console: Console) -> Run:  # type: ignore[name-defined]  # noqa: F821
    from workers import execution

    began = time.monotonic()
    # After an interrupt, the run's own row records everything.
    with suppress(KeyboardInterrupt):
        execution.drive(run_id, worker)
    run = Run.objects.get(pk=run_id)
    if run.state == RunState.DONE:
        # The sweep would do it as well, but an installation of inline runs has no scheduler.
        pending.write(run)
    return tell_end(run, console, time.monotonic() - began)


@contextmanager
def interruptible() -> Iterator[None]:
    """Let SIGTERM end the work as Ctrl-C does, so that the run can be resumed."""

    def interrupt(_signal: int, _frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
