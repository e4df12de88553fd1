"""Limits on memory: how many cells are resampled at a time."""

from collections.abc import Iterator

# 4 MiB of float64: the resampled values of a chunk stay in the cache from product to comparison to maximum.
ELEMENTS = 1 << 19


def chunks(cells: int, columns: int) -> Iterator[slice]:
    """Return slices over the cells so that [cells of a slice, columns] holds at most ELEMENTS numbers, or one cell."""
    step = max(1, ELEMENTS // columns)
    return (slice(start, start + step) for start in range(0, cells, step))
