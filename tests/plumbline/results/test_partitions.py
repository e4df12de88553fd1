from collections.abc import Sequence
from typing import Any

import pytest
from django.db import connection

from plumbline.results.measures import replace_measures
from plumbline.results.partitions import OWN_PARTITION_FROM, forget, prepare
from plumbline.results.reading import read
from tests.plumbline.results.conftest import CELLS, Load

pytestmark = pytest.mark.django_db

MEASURES = [{"statistic": "accuracy", "value": 0.5, "n": 4}]


def query(statement: str, parameters: Sequence[int] = ()) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return [value for (value,) in cursor.fetchall()]


def partitions() -> list[str]:
    return query(
        "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'results.association'::regclass ORDER BY 1"
    )


def places(run: int) -> set[str]:
    return set(query("SELECT tableoid::regclass::text FROM results.association WHERE run = %s", [run]))


def test_a_large_run_gets_a_partition_of_its_own(load: Load) -> None:
    prepare(7, OWN_PARTITION_FROM)
    load(7, CELLS)
    load(8, CELLS)
    assert places(7) == {"results.association_run_7"}
    assert places(8) == {"results.association_default"}


def test_its_partition_has_the_indexes_and_checks_of_all() -> None:
    prepare(7, OWN_PARTITION_FROM)
    kinds = "SELECT string_agg(contype::text, '' ORDER BY contype) FROM pg_constraint WHERE contype IN ('c', 'p', 'u')"
    own, default = (
        query(f"{kinds} AND conrelid = 'results.association_{name}'::regclass") for name in ("run_7", "default")
    )
    assert own == default == ["cpu"]


def test_a_small_run_shares_the_default_one() -> None:
    prepare(7, OWN_PARTITION_FROM - 1)
    assert partitions() == ["results.association_default"]


def test_preparing_again_is_no_fault(load: Load) -> None:
    prepare(7, OWN_PARTITION_FROM)
    load(7, CELLS)
    prepare(7, OWN_PARTITION_FROM)
    assert read(7).height == len(CELLS)


@pytest.mark.parametrize("planned", [10, OWN_PARTITION_FROM])
def test_a_forgotten_run_leaves_nothing_and_the_others_alone(load: Load, planned: int) -> None:
    prepare(7, planned)
    for run in (7, 8):
        load(run, CELLS)
        replace_measures(run, MEASURES)
    forget(7)
    forget(7)
    assert partitions() == ["results.association_default"]
    assert (read(7).height, read(7, "measure").height) == (0, 0)
    assert (read(8).height, read(8, "measure").height) == (len(CELLS), 1)
