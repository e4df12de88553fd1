from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from django.db import connection

from plumbline.results.measure_writing import replace_measures
from plumbline.results.partitions import OWN_PARTITION_FROM, forget, prepare
from plumbline.results.reading import read
from plumbline.results.tables import RECORD_TABLES, SCHEMA
from plumbline.spec.errors import InputError
from tests.plumbline.results.conftest import CELLS, Load

pytestmark = pytest.mark.django_db

LARGE = {"association": OWN_PARTITION_FROM}
MEASURES = [{"statistic": "accuracy", "value": 0.5, "n": 4}]


def query(statement: str, parameters: Sequence[Any] = ()) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return [value for (value,) in cursor.fetchall()]


def partitions() -> list[str]:
    """All partitions of all fact tables, but the default ones."""
    parents = ", ".join(f"'{SCHEMA}.{name}'::regclass" for name in RECORD_TABLES)
    found = query(f"SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent IN ({parents}) ORDER BY 1")  # noqa: S608 - constants
    return [name for name in found if not name.endswith("_default")]


def places(run: int) -> set[str]:
    return set(query("SELECT tableoid::regclass::text FROM results.association WHERE run = %s", [run]))


def test_a_large_run_gets_a_partition_of_its_own(load: Load) -> None:
    prepare(7, LARGE)
    load(7, CELLS)
    load(8, CELLS)
    assert places(7) == {"results.association_run_7"}
    assert places(8) == {"results.association_default"}


def test_its_partition_has_the_indexes_and_checks_of_all() -> None:
    prepare(7, LARGE)
    kinds = "SELECT string_agg(contype::text, '' ORDER BY contype) FROM pg_constraint WHERE contype IN ('c', 'p', 'u')"
    own, default = (
        query(f"{kinds} AND conrelid = 'results.association_{name}'::regclass") for name in ("run_7", "default")
    )
    assert own == default == ["cpu"]


def test_a_small_run_shares_the_default_one() -> None:
    prepare(7, dict.fromkeys(RECORD_TABLES, OWN_PARTITION_FROM - 1))
    assert partitions() == []


@pytest.mark.parametrize("table", RECORD_TABLES)
def test_each_fact_table_gives_a_large_run_its_own_partition_and_takes_it_back(table: str) -> None:
    prepare(7, {table: OWN_PARTITION_FROM})
    assert partitions() == [f"results.{table}_run_7"]
    forget(7)
    assert partitions() == []


def test_a_run_is_large_in_some_tables_and_small_in_others() -> None:
    prepare(7, {"choice": OWN_PARTITION_FROM, "association": OWN_PARTITION_FROM - 1, "effect": OWN_PARTITION_FROM})
    assert partitions() == ["results.choice_run_7", "results.effect_run_7"]


def test_a_table_that_is_none_is_reported() -> None:
    with pytest.raises(InputError, match="there is no table of records 'opinion'"):
        prepare(7, {"opinion": OWN_PARTITION_FROM})


@pytest.mark.parametrize("table", RECORD_TABLES)
def test_every_fact_table_has_a_default_partition_for_small_runs(table: str) -> None:
    assert query(
        "SELECT count(*) FROM pg_inherits WHERE inhparent = %s::regclass AND inhrelid = %s::regclass",
        [f"{SCHEMA}.{table}", f"{SCHEMA}.{table}_default"],
    ) == [1]


def test_preparing_again_is_no_fault(load: Load) -> None:
    prepare(7, LARGE)
    load(7, CELLS)
    prepare(7, LARGE)
    assert read(7).height == len(CELLS)


@pytest.mark.parametrize("planned", [{"association": 10}, LARGE])
def test_a_forgotten_run_leaves_nothing_and_the_others_alone(load: Load, planned: Mapping[str, int]) -> None:
    prepare(7, planned)
    for run in (7, 8):
        load(run, CELLS)
        replace_measures(run, MEASURES)
    forget(7)
    forget(7)
    assert partitions() == []
    assert (read(7).height, read(7, "measure").height) == (0, 0)
    assert (read(8).height, read(8, "measure").height) == (len(CELLS), 1)
