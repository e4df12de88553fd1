"""The first page of a report on several runs: one model over time, or two runs side by side."""

from collections.abc import Iterator, Sequence

from plumbline.reports.content.over_time import OverTime
from plumbline.reports.content.run_part import RunPart
from plumbline.reports.content.summary import (
    GENERAL,
    Summary,
    dismissed_sentence,
    in_one_sentence,
    limits_of,
    strongest,
    warnings_of,
)
from plumbline.reports.content.two_runs import TwoRuns
from plumbline.spec.numbers import counted

MOST_FINDINGS = 4


def of_history(found: OverTime, parts: Sequence[RunPart]) -> Summary:
    """Return the summary of a report on one model over time."""
    return Summary(
        warnings=tuple(text for part in parts for text in warnings_of(part)),
        asked=tuple(_audits(found)),
        found=tuple(map(in_one_sentence, parts)),
        strongest=tuple(one for part in parts for one in strongest(part))[:MOST_FINDINGS],
        present=sum(part.present_count for part in parts),
        dismissed=dismissed_sentence(found.states),
        sure=(
            "An effect counts as gone only if a run shows it to be smaller than the smallest effect that matters."
            " A finding that is undecided in a later run has not gone.",
        ),
        decided=tuple(_decided(found)),
        limits=tuple(_limits(parts)),
    )


def _audits(found: OverTime) -> Iterator[str]:
    yield f"How {found.reference} did in its audits."
    if not found.runs:
        yield f"None of its audits is finished ({found.unfinished} not finished)."
        return
    first, last = found.runs[-1], found.runs[0]
    more = f" Not in this report: {counted(found.omitted_runs, 'older run')}." if found.omitted_runs else ""
    yield (
        f"{counted(len(found.runs), 'finished run')} from {first.created_at:%Y-%m-%d} to {last.created_at:%Y-%m-%d},"
        f" of {counted(len(found.latest), 'audit')} (plan and method).{more}"
    )
    if found.unfinished:
        yield f"Failed, cancelled or not finished, so without figures: {counted(found.unfinished, 'run')}."


def _decided(found: OverTime) -> Iterator[str]:
    if found.states:
        yield "Findings by state: " + ", ".join(f"{state} {number}" for state, number in found.states) + "."
    else:
        yield "There are no findings to decide about."
    signed = [sign for _, sign in found.releases if sign]
    yield from (
        f"Release {one.release} signed off by {one.signed_name} on {one.signed_at:%Y-%m-%d}. {one.decided}"
        for one in signed
    )
    if not signed:
        yield "No release of this model is signed off."


def of_two_runs(found: TwoRuns, parts: Sequence[RunPart]) -> Summary:
    """Return the summary of a report on two runs."""
    return Summary(
        warnings=tuple(text for part in parts for text in warnings_of(part)),
        asked=tuple(_compared(found)),
        found=tuple(_changes(found)),
        strongest=(),
        present=0,
        dismissed="",
        sure=(
            "A change counts only if a test of the change itself shows it. Two verdicts that differ are no such test.",
            "The comparison pairs what both runs asked. What only one of them asked is left out.",
        ),
        decided=tuple(f"Run {part.run.pk}: {text}" for part in parts for text in part.decisions.sentences),
        limits=(
            "A change says how far the answers of the two runs are apart. It does not say what caused it.",
            *_limits(parts),
        ),
    )


def _compared(found: TwoRuns) -> Iterator[str]:
    first, second = found.first, found.second
    yield f"How run {second.pk} on {second.subject} differs from run {first.pk} on {first.subject}."
    yield f"Launched on {first.created_at:%Y-%m-%d} and {second.created_at:%Y-%m-%d}."
    yield from found.not_compared
    differs = found.comparison.also_differs if found.comparison else []
    if differs:
        yield f"The runs also differ in: {', '.join(differs)}. A change can have any of these causes."


def _changes(found: TwoRuns) -> Iterator[str]:
    if found.comparison is None:
        yield "Nothing: no comparison of these runs is stored. Request it on the page Compare, then report again."
        return
    one = found.comparison
    if found.models:
        yield f"{found.models.sentence} {found.models.limits}"
    if one.cells:
        moved = "differ" if found.are_unrelated else "moved"
        yield f"{one.moved or 0:,} of {one.cells:,} cells (a group with a word) that both runs asked {moved}."
    if not found.changes:
        yield "The comparison holds no tested changes of differences between groups or of figures of the whole run."
    if found.changes and found.are_unrelated:
        yield (
            f"In what follows, \u201cbefore\u201d is run {found.first.pk} and \u201cafter\u201d is"
            f" run {found.second.pk}. These are two models, so it says how they differ from the first to the second."
            " The other way round, the numbers are others."
        )
    yield from (f"{number:,} {outcome}: {meaning}." for outcome, number, meaning in found.counts)


def _limits(parts: Sequence[RunPart]) -> Iterator[str]:
    yield from dict.fromkeys(text for part in parts for text in limits_of(part) if text not in GENERAL)
    yield from GENERAL
