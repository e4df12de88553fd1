"""The exit status of a command that works on a run, by how the run ended."""

import pytest

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from workers.management.ending import exit_status


@pytest.mark.parametrize(
    ("state", "expected", "status"),
    [
        (RunState.DONE, False, 0),
        (RunState.CANCELLED, True, 130),
        # The user can mend it, or cannot.
        (RunState.FAILED, True, 2),
        (RunState.FAILED, False, 1),
        (RunState.RUNNING, False, 1),
    ],
)
def test_the_exit_status_shows_how_the_run_ended(state: RunState, expected: bool, status: int) -> None:
    assert exit_status(Run(state=state, expected=expected)) == status
