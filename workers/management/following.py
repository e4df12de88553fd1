"""Runs that workers execute: launch, follow from here, and the last line. Leaving does not stop them."""

import sys
import time
from functools import partial

from plumbline.audits import life, presence
from plumbline.audits.launching import launch
from plumbline.audits.models import Run
from plumbline.audits.progress import progress
from plumbline.audits.staleness import relaunch
from plumbline.audits.states import LIVE, Priority
from plumbline.spec.audit import AuditSpec
from plumbline.spec.errors import InputError
from workers.management.console import Console
from workers.management.ending import tell_end

ASK_EVERY_SECONDS = 0.5


def workers_alive() -> bool:
    """Whether any worker would take a run; one of this machine that was killed a moment ago does not count."""
    presence.bury()
    return presence.alive().exists()


def run_by_workers(spec: AuditSpec, console: Console, *, reuse: bool, priority: Priority, detach: bool) -> Run:
    """Launch the spec for the workers and follow it. InputError, before a run exists, when none is alive to follow."""
    if not detach and not workers_alive():
        raise InputError(
            "no worker is alive to take the run: start some with 'make up', add --inline to execute it in this"
            " process, or --detach to leave it waiting."
        )
    run = launch(spec, reuse=reuse, priority=priority)
    if detach:
        sys.stdout.write(f"run {run.pk} {run.state} {run.planned_items or 0} items 0.0 s\n")
        return run
    return follow(run.pk, console)


def resume_by_workers(run_id: int, console: Console) -> Run:
    """Let the workers go on with a failed, cancelled or abandoned run, and follow it. InputError for any other."""
    life.take_up(run_id)
    return follow(run_id, console)


def rerun_by_workers(run: Run, console: Console) -> Run:
    """The same audit with today's words, by the workers. Raises InputError where it can no longer be launched."""
    return follow(relaunch(run).pk, console)


def follow(run_id: int, console: Console) -> Run:
    """Show a run's progress until it ends. KeyboardInterrupt leaves it running, and says so."""
    began, told_dead = time.monotonic(), False
    sys.stderr.write(f"run {run_id}: Ctrl-C leaves it running; 'audit show {run_id}' tells how far it is\n")
    while (run := Run.objects.get(pk=run_id)).state in LIVE:
        found = progress(run)
        console.stage(run.state, found.items or 1, partial(int, found.items_done))
        if told_dead != (not found.alive):
            told_dead = not found.alive
            sys.stderr.write("no worker is alive: the run waits\n" if told_dead else "a worker is alive again\n")
        time.sleep(ASK_EVERY_SECONDS)
    return tell_end(run, console, time.monotonic() - began)
