"""Runs that rest on earlier ones, for tests: executed, counted, and held against one that asks everything."""

from typing import Any

import polars as pl
import pytest

from plumbline.audits.launching import launch
from plumbline.audits.models import Run
from plumbline.audits.progress import progress
from plumbline.audits.states import RunState
from plumbline.results import reading
from plumbline.results.tables import RECORD_TABLES
from plumbline.spec.audit import parse
from tests.workers.execution.conftest import execute


def done(spec: dict[str, Any], *, reuse: bool = True) -> Run:
    run = launch(parse(spec), owner="", reuse=reuse)
    execute(run)
    run.refresh_from_db()
    assert run.state == RunState.DONE, run.traceback or run.error
    return run


def counts(run: Run) -> tuple[int, int]:
    """How many items were asked and reused."""
    found = progress(run)
    return found.asked, found.reused


def assert_same_records(one: Run, other: Run) -> None:
    """In every table equal records in equal order; numbers within 1e-6."""
    for table in RECORD_TABLES:
        first, second = (reading.read(run.pk, table).drop("id", "run") for run in (one, other))
        _assert_same(first, second)


def _assert_same(one: pl.DataFrame, other: pl.DataFrame) -> None:
    numbers = [name for name, kind in one.schema.items() if kind == pl.Float64]
    assert one.drop(numbers).equals(other.drop(numbers))
    for name in numbers:
        assert one[name].to_list() == pytest.approx(other[name].to_list(), abs=1e-6, nan_ok=True)
