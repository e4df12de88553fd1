"""Bounded memory: how many cells are resampled at once."""

from collections.abc import Iterator

# 4 MiB of float64: the resampled values of a chunk stay in the cache between product, comparison and maximum.
ELEMENTS = 1 << 19


def chunks(cells: int, columns: int) -> Iterator[slice]:
    """Slices over the cells, such that [cells of a slice, columns] holds at most ELEMENTS numbers (or one cell)."""
    step = max(1, ELEMENTS // columns)
    return (slice(start, start + step) for start in range(0, cells, step))
