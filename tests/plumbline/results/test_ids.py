import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.results.ids import ROWS, RUNS, SHARDS, first_id, id_range, record_ids

runs, shards = st.integers(0, RUNS - 1), st.integers(0, SHARDS - 1)


@given(runs, shards, runs, shards)
def test_the_ranges_of_two_shards_never_meet(run: int, shard: int, other_run: int, other_shard: int) -> None:
    (first, last), (other_first, other_last) = id_range(run, shard), id_range(other_run, other_shard)
    same = (run, shard) == (other_run, other_shard)
    assert same or last < other_first or other_last < first


@given(runs, shards, st.integers(0, 100))
def test_the_ids_of_a_shard_lie_in_its_range(run: int, shard: int, rows: int) -> None:
    ids = record_ids(run, shard, rows)
    assert ids.shape == (rows,)
    assert all(first_id(run, shard) <= number <= id_range(run, shard)[1] for number in ids)
    assert all(number >> 40 == run and number >> 20 & SHARDS - 1 == shard for number in ids)


def test_the_last_id_of_all_is_a_bigint() -> None:
    assert id_range(RUNS - 1, SHARDS - 1)[1] == 2**63 - 1


@pytest.mark.parametrize(("run", "shard"), [(RUNS, 0), (-1, 0), (0, SHARDS), (0, -1)])
def test_what_has_no_ids_is_refused(run: int, shard: int) -> None:
    with pytest.raises(ValueError, match="a run has ids"):
        first_id(run, shard)


def test_more_rows_than_a_shard_has_ids_are_refused() -> None:
    with pytest.raises(ValueError, match="a shard has ids"):
        record_ids(0, 0, ROWS + 1)
