"""Runs that workers execute: launch, progress on this console, and the last line. Leaving does not stop them."""

import sys
import time
from functools import partial

from django.contrib.auth.models import User

from plumbline.audits import life, presence
from plumbline.audits.launching import launch
from plumbline.audits.models import Plan, Run
from plumbline.audits.progress import Progress, progress
from plumbline.audits.staleness import relaunch
from plumbline.audits.states import LIVE, Priority, Queue
from plumbline.spec.audit import AuditSpec
from plumbline.spec.errors import InputError
from workers.management.console import Console
from workers.management.ending import tell_end
from workers.management.sensitivity_report import print_sensitivity

ASK_EVERY_SECONDS = 0.5


def workers_alive() -> bool:
    """Return whether any living worker would take a run. Dead workers of this machine do not count."""
    return not _why_nobody()


def _why_nobody() -> str:
    """Return why no living worker would plan a run, which needs its model; empty if one would."""
    presence.remove_dead()
    return presence.why_no_worker(Queue.GPU)


def run_by_workers(
    spec: AuditSpec,
    console: Console,
    *,
    reuse: bool = True,
    priority: Priority = Priority.INTERACTIVE,
    detach: bool = False,
    plan: Plan | None = None,
    by: User | None = None,
) -> Run:
    """Launch the spec for the workers and follow it.

    Raises InputError, before a run exists, if no worker would take it.
    """
    if not detach and (why := _why_nobody()):
        raise InputError(f"{why}; or add --inline to execute it in this process, or --detach to leave it waiting.")
    print_sensitivity(spec)
    run = launch(spec, plan=plan, reuse=reuse, priority=priority, by=by)
    if detach:
        sys.stdout.write(f"run {run.pk} {run.state} {run.planned_items or 0} items 0.0 s\n")
        return run
    return follow(run.pk, console)


def resume_by_workers(run_id: int, console: Console) -> Run:
    """Let the workers resume a failed, cancelled or abandoned run, and follow it.

    Raises InputError for any other run.
    """
    life.take_up(run_id)
    return follow(run_id, console)


def rerun_by_workers(run: Run, console: Console, by: User | None = None) -> Run:
    """Launch the same audit with today's words for the workers, and follow it.

    Raises InputError if it can no longer be launched.
    """
    return follow(relaunch(run, by).pk, console)


def follow(run_id: int, console: Console) -> Run:
    """Show a run's progress until it ends, and return it. KeyboardInterrupt leaves it running."""
    began, known = time.monotonic(), ("", True)
    sys.stderr.write(f"run {run_id}: Ctrl-C leaves it running; 'audit show {run_id}' shows its progress\n")
    while (run := Run.objects.get(pk=run_id)).state in LIVE:
        found = progress(run)
        console.stage(run.state, found.items or 1, partial(int, found.items_done))
        known = _tell_changes(found, *known)
        time.sleep(ASK_EVERY_SECONDS)
    return tell_end(run, console, time.monotonic() - began)


def _tell_changes(found: Progress, waited: str, scheduler: bool) -> tuple[str, bool]:
    """Write why the run waits, and whether a scheduler is alive, whenever either changes; return the new state."""
    if found.waits != waited:
        sys.stderr.write(
            f"{found.waits}; the run waits\n" if found.waits else "a worker is available: the run continues\n"
        )
    if found.scheduler != scheduler:
        sys.stderr.write("a scheduler is alive again\n" if found.scheduler else f"{presence.NO_SCHEDULER}\n")
    return found.waits, found.scheduler
