"""Which tests run when."""

from types import SimpleNamespace
from typing import Any

import pytest

from tests.choosing import left_to_the_other_server

COUNT = 60


class Collected:
    """A test as pytest collects it, with its marks."""

    def __init__(self, nodeid: str, *marks: str) -> None:
        self.nodeid, self.marks = nodeid, marks

    def get_closest_marker(self, name: str) -> Any:
        return SimpleNamespace(name=name) if name in self.marks else None


def collected(file: str, *marks: str) -> list[Any]:
    return [Collected(f"{file}::test_{number}", *marks) for number in range(COUNT)]


def kept(tests: list[Any], *, second: bool) -> set[Any]:
    return set(tests).difference(left_to_the_other_server(tests, second=second))


def test_two_servers_share_the_tests_with_a_database_so_that_each_runs_once() -> None:
    tests = collected("tests/plumbline/pages/test_a.py", "database")
    first, second = kept(tests, second=False), kept(tests, second=True)
    assert first | second == set(tests)
    assert not first & second
    assert COUNT / 4 < len(second) < COUNT * 3 / 4


def test_tests_of_sql_written_by_hand_run_on_both_servers() -> None:
    tests = collected("tests/plumbline/results/test_a.py", "database")
    assert kept(tests, second=False) == kept(tests, second=True) == set(tests)


@pytest.mark.parametrize("marks", [(), ("database", "slow")])
def test_what_another_server_cannot_change_or_starts_processes_runs_on_the_first(marks: tuple[str, ...]) -> None:
    tests = collected("tests/plumbline/results/test_a.py", *marks)
    assert kept(tests, second=False) == set(tests)
    assert kept(tests, second=True) == set()
