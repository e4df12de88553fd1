"""Warnings about frames that behave as one kind of sentence."""

from itertools import groupby

from plumbline.results.summary import measures, of_run
from plumbline.spec.measure import Measure
from plumbline.spec.shared_statistics import ALIKE_FRAMES

NAMED = 4


def alike_frame_warnings(run: int) -> list[str]:
    """Return one warning for each cluster of frames, with the remedy."""
    found = measures(of_run(run, ALIKE_FRAMES.name).order_by("condition", "template"))
    return [_warning(list(frames)) for _, frames in groupby(found, key=lambda one: one.condition)]


def _warning(frames: list[Measure]) -> str:
    count = len(frames)
    named = ", ".join(f"\u201c{one.template}\u201d" for one in frames[:NAMED])
    more = f" and {count - NAMED} more" if count > NAMED else ""
    return (
        f"{count} frames behave as one kind of sentence (r = {frames[0].value:.2f}) but count as {count}, so some of"
        " the differences that are called present may be chance. Give them the same variation in their template list:"
        f" {named}{more}."
    )
