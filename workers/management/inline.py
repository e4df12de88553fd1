"""Inline execution from the command line: preflight, launch, drive, and the last line."""

import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

from plumbline.audits import life
from plumbline.audits.freezing import freeze
from plumbline.audits.launching import launch
from plumbline.audits.models import Run
from plumbline.audits.ownership import is_gone, this_process
from plumbline.audits.states import LIVE, RunState
from plumbline.spec.audit import AuditSpec
from plumbline.spec.errors import InputError
from workers.management.console import Console

FAILED, WRONG_INPUT, INTERRUPTED = 1, 2, 130


def run_inline(spec: AuditSpec, console: Console, *, reuse: bool = True) -> Run:
    """Launch the spec and execute it here. InputError, before a run exists, for whatever is wrong with the input."""
    from workers import execution

    worker = execution.Worker(this_process(), console)
    with interruptible():
        frozen, snapshots = freeze(spec)
        console.stage("checking", 1, 0)
        execution.preflight(frozen, snapshots, worker)
        run = launch(spec, owner=this_process(), reuse=reuse)
        return _drive(run.pk, worker)


def resume_inline(run_id: int, console: Console) -> Run:
    """Go on with a failed, cancelled or abandoned run here. InputError when it is none of these."""
    from workers import execution

    run = find(run_id)
    abandoned = run.state in LIVE and run.owner and is_gone(run.owner)
    if not (abandoned and life.take_over(run_id, run.owner, this_process())):
        life.resume(run_id, owner=this_process())
    worker = execution.Worker(this_process(), console)
    with interruptible():
        return _drive(run_id, worker)


def find(run_id: int) -> Run:
    run = Run.objects.filter(pk=run_id).first()
    if run is None:
        raise InputError(f"there is no run {run_id}: 'audit list' shows the runs.")
    return run


def _drive(run_id: int, worker: "execution.Worker") -> Run:  # type: ignore[name-defined]  # noqa: F821
    from workers import execution

    began = time.monotonic()
    # After an interrupt the run's own row says all that there is to say.
    with suppress(KeyboardInterrupt):
        execution.drive(run_id, worker)
    run = Run.objects.get(pk=run_id)
    worker.report.close()
    if run.error:
        sys.stderr.write(f"run {run.pk} {run.state}: {run.error}\n")
    sys.stdout.write(last_line(run, time.monotonic() - began) + "\n")
    sys.stdout.flush()
    return run


def last_line(run: Run, seconds: float) -> str:
    return f"run {run.pk} {run.state} {run.planned_items or 0} items {seconds:.1f} s"


def exit_status(run: Run) -> int:
    """0 done, 130 stopped, 2 a failure that the user can mend (the message says how), 1 any other end."""
    if run.state in (RunState.DONE, RunState.CANCELLED):
        return 0 if run.state == RunState.DONE else INTERRUPTED
    return WRONG_INPUT if run.state == RunState.FAILED and run.expected else FAILED


@contextmanager
def interruptible() -> Iterator[None]:
    """SIGTERM ends the work like Ctrl-C does: the run is left so that it can be resumed."""

    def interrupt(_signal: int, _frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
