import pytest
from django.db import IntegrityError

from plumbline.results.reading import digest, read
from plumbline.results.shards import copy_shard
from plumbline.spec.errors import InputError
from tests.plumbline.results.conftest import CELLS, Load

pytestmark = pytest.mark.django_db


def test_a_copied_shard_has_the_same_records_under_new_ids(load: Load) -> None:
    load(1, CELLS, shard=3)
    load(1, [("x {group} {attribute}", "women", "powerless", 0.5, None)], shard=4)
    assert copy_shard("association", 1, 3, 2, 0) == len(CELLS)
    assert len(read(1, shard=3)) == len(read(2, shard=0)) == len(CELLS)
    assert read(2)["shard"].unique().to_list() == [0]
    same = [name for name in read(1).columns if name not in {"id", "run", "shard"}]
    assert read(2).select(same).equals(read(1, shard=3).select(same))
    assert digest(2) != digest(1)


def test_a_copy_that_is_repeated_is_refused_by_its_ids(load: Load) -> None:
    load(1, CELLS)
    copy_shard("association", 1, 0, 2, 0)
    with pytest.raises(IntegrityError):
        copy_shard("association", 1, 0, 2, 0)


def test_an_absent_shard_has_no_records(load: Load) -> None:
    load(1, CELLS)
    assert copy_shard("association", 1, 1, 2, 0) == 0


def test_an_unknown_table_names_those_that_there_are() -> None:
    with pytest.raises(InputError, match="association"):
        copy_shard("choices", 1, 1, 2, 1)
