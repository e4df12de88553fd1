"""Which tests run with each change, and how the processes of pytest-xdist share them."""

import zlib
from collections import defaultdict
from collections.abc import Sequence

import pytest

LONG = (
    ("tests/browser/",),
    ("tests/faults/test_brokers.py", "tests/faults/test_command.py"),
    ("tests/faults/",),
    # The first process to meet a test of the release loads and migrates its database: nobody should take some of these.
    ("tests/release/",),
    (
        "tests/deployment/",
        "tests/workers/management/",
        "tests/workers/training/",
        "tests/workers/engine/checkpoints/test_gguf.py",
        "tests/plumbline/annotation/survey/test_planted_cheaters.py",
    ),
)
"""The tests that take long, mostly by waiting: each row begins the share of another process."""

OWN_SQL = (
    "tests/deployment/",
    "tests/plumbline/accounts/",
    "tests/plumbline/audits/",
    "tests/plumbline/findings/",
    "tests/plumbline/results/",
    "tests/plumbline/sql_page/",
    "tests/plumbline/test_",
    "tests/plumbline/vocab/",
    "tests/release/test_findings.py",
    "tests/release/test_history.py",
    "tests/release/test_packs.py",
    "tests/release/test_records.py",
    "tests/release/test_summarised_again.py",
)
"""Tests of SQL, triggers and migrations written by hand: they run on both servers. Of the others each runs on one."""


def left_out(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """What only a trial runs: tests marked `trial`, and of a test marked `sampled(by=[...])` all cases but one
    for each value of these parameters.

    A digest of the value chooses the case: every value is met on each run, and the other parameters vary with it.
    """
    cases: defaultdict[tuple[str, str], list[pytest.Item]] = defaultdict(list)
    for item in items:
        if marker := item.get_closest_marker("sampled"):
            parameters = item.callspec.params  # type: ignore[attr-defined]
            value = " ".join(str(parameters[name]) for name in marker.kwargs["by"])
            cases[item.nodeid.split("[")[0], value].append(item)
    others = [case for key, found in cases.items() for case in found if case is not _chosen(key, found)]
    return [item for item in items if item.get_closest_marker("trial")] + others


def _chosen(key: tuple[str, str], cases: list[pytest.Item]) -> pytest.Item:
    return cases[zlib.crc32("".join(key).encode()) % len(cases)]


def left_to_the_other_server(items: Sequence[pytest.Item], *, second: bool) -> list[pytest.Item]:
    """Of the tests that either server may run, return those that the other one runs: a digest halves them.

    `second`: this is the second of two servers, which runs nothing else.
    """
    shared = [item for item in items if is_for_either_server(item)]
    if second:
        others = [item for item in shared if not item.nodeid.startswith(OWN_SQL) and not _digest(item) % 2]
        return [*set(items).difference(shared), *others]
    return [item for item in shared if not item.nodeid.startswith(OWN_SQL) and _digest(item) % 2]


def is_for_either_server(item: pytest.Item) -> bool:
    """Return whether a test uses a database and starts no processes, so that another server may change its outcome."""
    return item.get_closest_marker("database") is not None and item.get_closest_marker("slow") is None


def _digest(item: pytest.Item) -> int:
    return zlib.crc32(item.nodeid.encode())


def dealt(items: Sequence[pytest.Item], processes: int) -> list[pytest.Item]:
    """The order in which pytest-xdist cuts equal shares: each begins with long tests, and is filled with quick ones.

    A process that has nothing left takes from the end of another's share.
    """
    shares: list[list[pytest.Item]] = [[] for _ in range(processes)]
    quick: list[pytest.Item] = []
    for item in items:
        row = next((number for number, names in enumerate(LONG) if item.nodeid.startswith(names)), None)
        (quick if row is None else shares[row % processes]).append(item)
    ends = [len(items) * (number + 1) // processes for number in range(processes)]
    found: list[pytest.Item] = []
    for share, end in zip(shares, ends, strict=True):
        found += share
        filled = max(0, end - len(found))
        found, quick = found + quick[:filled], quick[filled:]
    return found + quick
