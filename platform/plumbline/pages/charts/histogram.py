"""The geometry of a small histogram."""

from collections.abc import Sequence

BAR, TALL = 10, 24
"""Pixels: the width of a bin and the height of the tallest bar."""


def bars(histogram: Sequence[int]) -> list[tuple[int, float, float, int]]:
    """Return for each bin its left and top edge and its height in pixels, and the number of raters."""
    most = max(histogram, default=0)
    if not most:
        return []
    heights = [round(TALL * count / most, 1) for count in histogram]
    return [
        (place * BAR, round(TALL - height, 1), height, count)
        for place, (height, count) in enumerate(zip(heights, histogram, strict=True))
    ]
