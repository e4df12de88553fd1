"""Which tests run when."""

from types import SimpleNamespace
from typing import Any

from tests.choosing import left_out_on_a_second_server

COUNT = 60


def items_of(file: str) -> list[Any]:
    return [SimpleNamespace(nodeid=f"{file}::test_{number}") for number in range(COUNT)]


def test_a_second_server_runs_all_tests_of_rooms_with_sql_and_a_third_of_each_other_file() -> None:
    files = ["tests/plumbline/results/test_a.py", "tests/plumbline/pages/test_b.py", "tests/workers/test_c.py"]
    left_out = left_out_on_a_second_server([one for file in files for one in items_of(file)])
    kept = {file: COUNT - sum(one.nodeid.startswith(file) for one in left_out) for file in files}
    assert kept[files[0]] == COUNT
    assert all(COUNT / 6 < kept[file] < COUNT / 2 for file in files[1:])


def test_a_second_server_runs_at_least_one_test_of_each_file() -> None:
    alone = [one for number in range(COUNT) for one in items_of(f"tests/workers/test_{number}.py")[:1]]
    assert left_out_on_a_second_server(alone) == []
