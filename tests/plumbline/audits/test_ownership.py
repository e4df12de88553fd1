import os
import subprocess
import sys
from collections.abc import Iterator
from subprocess import PIPE

import pytest

from plumbline.audits.ownership import is_gone, this_process


def test_this_process_owns_under_a_name_that_stays() -> None:
    assert this_process() == this_process()
    assert not is_gone(this_process())


def test_a_process_that_ended_is_gone() -> None:
    program = "from plumbline.audits.ownership import this_process; print(this_process())"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert is_gone(ended.stdout.strip())


@pytest.fixture
def living() -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A process that waits, and the name under which it owns."""
    program = "from plumbline.audits.ownership import this_process; print(this_process(), flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", program], stdin=PIPE, stdout=PIPE, text=True) as child:
        assert child.stdout is not None
        yield child, child.stdout.readline().strip()


def test_a_process_that_lives_is_not_gone(living: tuple[subprocess.Popen[str], str]) -> None:
    child, owner = living
    assert not is_gone(owner)
    child.communicate("\n")
    assert is_gone(owner)


def test_a_killed_process_is_gone_before_its_parent_has_asked(living: tuple[subprocess.Popen[str], str]) -> None:
    child, owner = living
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert is_gone(owner)


def test_the_state_of_a_process_on_another_machine_is_unknown() -> None:
    """Another container may bear this host's name; its numbers mean nothing here."""
    place, pid, started = this_process().rsplit(":", 2)
    assert not is_gone(f"{place}0:{pid}:{int(started) - 1}")
    assert not is_gone("elsewhere:1:2")
    assert not is_gone("")


def test_a_number_that_another_process_bears_now_does_not_hide_that_the_owner_is_gone() -> None:
    host, pid, started = this_process().rsplit(":", 2)
    assert is_gone(f"{host}:{pid}:{int(started) - 1}")


@pytest.mark.parametrize("owner", ["", "anna", "another-host:1:2"])
def test_of_what_ran_elsewhere_or_nowhere_nothing_is_known(owner: str) -> None:
    assert not is_gone(owner)
