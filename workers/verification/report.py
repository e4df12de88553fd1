"""What a verification prints, and its exit status."""

from collections.abc import Iterator

from plumbline.spec.clean_text import printable
from workers.verification.verifying import Outcome

VERIFIED, DIFFERS, WRONG_INPUT = 0, 1, 2
MOST = 100
"""The most differences that are printed without --all."""


def status(outcome: Outcome) -> int:
    return VERIFIED if outcome.holds else DIFFERS


def lines(outcome: Outcome, *, every: bool = False) -> Iterator[str]:
    """Yield the report. Its last line begins with `verified` or with `differs`.

    Texts of the pack keep to their line: no control character of theirs reaches a terminal.
    """
    yield from map(printable, _lines(outcome, every=every))


def _lines(outcome: Outcome, *, every: bool) -> Iterator[str]:
    yield from outcome.about
    shown = outcome.differences if every else outcome.differences[:MOST]
    yield from (f"differs: {one}" for one in shown)
    if hidden := len(outcome.differences) - len(shown):
        yield f"... and {hidden:,} more differences; --all prints them."
    yield from (f"not recomputed: {one}." for one in (text.rstrip(".") for text in outcome.not_recomputed))
    yield _last(outcome)


def _last(outcome: Outcome) -> str:
    if outcome.differences:
        found = len(outcome.differences)
        return f"differs: {found:,} difference{'s' * (found != 1)}"
    if outcome.failed:
        return "differs: the measures could not be computed again, so nothing is known about them"
    return f"verified: {outcome.recomputed:,} measures follow from the records"
