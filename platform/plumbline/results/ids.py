"""Ids of records: run << 40 | shard << 20 | row.

They are unique over all runs and known before the load. A shard is a range of ids.
"""

import numpy as np
from numpy.typing import NDArray

SHARD_BITS = 20
ROW_BITS = 20
RUNS = 1 << 23
SHARDS = 1 << SHARD_BITS
ROWS = 1 << ROW_BITS


def first_id(run: int, shard: int) -> int:
    """Return the id of a shard's row 0. Raises ValueError unless run < 2^23 and shard < 2^20."""
    if not 0 <= run < RUNS or not 0 <= shard < SHARDS:
        raise ValueError(f"run {run}, shard {shard}: a run has ids for {SHARDS} shards, and there are {RUNS} runs")
    return run << (SHARD_BITS + ROW_BITS) | shard << ROW_BITS


def record_ids(run: int, shard: int, rows: int) -> NDArray[np.int64]:
    """Return the ids of a shard's rows, int64 of shape (rows,). Raises ValueError for more than 2^20 rows."""
    if not 0 <= rows <= ROWS:
        raise ValueError(f"shard {shard} has {rows} rows; a shard has ids for {ROWS}")
    return first_id(run, shard) + np.arange(rows, dtype=np.int64)


def id_range(run: int, shard: int) -> tuple[int, int]:
    """Return the first and the last possible id of a shard's rows."""
    first = first_id(run, shard)
    return first, first + ROWS - 1
