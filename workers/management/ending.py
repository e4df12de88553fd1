"""The end of a run on the command line: the last line of stdout, and the exit status."""

import sys

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from workers.management.console import Console

FAILED, WRONG_INPUT, INTERRUPTED = 1, 2, 130


def tell_end(run: Run, console: Console, seconds: float) -> Run:
    """Write the run's error to stderr and its last line, which has a fixed form, to stdout. Return the run."""
    console.close()
    if run.error:
        sys.stderr.write(f"run {run.pk} {run.state}: {run.error}\n")
    sys.stdout.write(f"run {run.pk} {run.state} {run.planned_items or 0} items {seconds:.1f} s\n")
    sys.stdout.flush()
    return run


def exit_status(run: Run) -> int:
    """Return 0 for done, 130 for cancelled, 2 for a failure that the user can correct, 1 for any other end."""
    if run.state in (RunState.DONE, RunState.CANCELLED):
        return 0 if run.state == RunState.DONE else INTERRUPTED
    return WRONG_INPUT if run.state == RunState.FAILED and run.expected else FAILED
