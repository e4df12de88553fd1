"""Reports about runs as lines of text."""

from collections.abc import Mapping, Sequence
from datetime import datetime

import polars as pl

from plumbline.audits import clock, presence, spending
from plumbline.audits.models import Comparison, Role, Run, WorkerProcess
from plumbline.audits.progress import Progress, progress
from plumbline.audits.queue.waiting import positions
from plumbline.audits.sentence_words import sentence_words
from plumbline.audits.staleness import stale_lists
from plumbline.audits.states import LIVE, RunState
from plumbline.findings.answers.judging import agreement_lines
from plumbline.findings.by_method import caveat_of, concerns, findings_of, run_findings, warnings
from plumbline.findings.contrasts import alpha_of, tally_sentences
from plumbline.findings.ended_early import ended_early
from plumbline.findings.left_out import left_out_sentence
from plumbline.findings.robustness import run_sentences
from plumbline.findings.sentences import group_name, notation
from plumbline.findings.split_words import split_words
from plumbline.findings.untested import untested_sentence
from plumbline.findings.word_reasons import words_with_reasons
from plumbline.results import reading, summary
from plumbline.results.answer_classes import answer_classes, class_lines
from plumbline.results.not_scorable import reasons
from plumbline.results.tallies import tally
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import count, counted, duration, with_uncertainty
from plumbline.spec.registry import PROBES
from plumbline.spec.sentences import Words
from plumbline.spec.shared_statistics import SCORABLE_SHARE
from workers.management.console import table

EARLIER = (
    "Summarised under earlier rules: the figures are unchanged and have no verdict. “Summarise again” on the page of"
    " the run gives verdicts by today's rules and asks no model."
)
MOST_LISTED = 10
MOST_GROUPS = 60
MOST_CONTRASTS = 12
"""As many as the page of a run opens."""


def latest_runs(most: int = 20) -> list[str]:
    """Return the last launched runs, newest first; words that people added count as part of their run."""
    runs = Run.objects.top_level().order_by("-pk")[:most]
    if not runs:
        return ["no runs yet: launch one with 'audit run SPEC.yaml --inline', or 'make demo'"]
    waiting = positions()
    rows = [
        (
            str(run.pk),
            _state(run, waiting),
            run.probe,
            run.model,
            f"{run.planned_items or 0} items",
            f"{run.created_at:%Y-%m-%d %H:%M}",
            run.name,
        )
        for run in runs
    ]
    return table([("run", "state", "probe", "model", "size", "launched (UTC)", "name"), *rows])


def _state(run: Run, waiting: Mapping[int, int]) -> str:
    """Return the state with the run's position in the queue: `queued, position 3`."""
    return f"{run.state}, position {waiting[run.pk]}" if run.pk in waiting else run.state


def about(run: Run) -> list[str]:
    """Return the state, progress, coverage and strongest findings of a run."""
    lines = [f"run {run.pk}  {run.name}", f"{run.get_state_display()}", f"probe {run.probe} on {run.subject}"]
    if note := run.provenance.get("note"):
        lines.append(f"the model: {note}")
    if run.error:
        lines.append(f"error: {run.error}")
    if run.state == RunState.DONE and summary.is_of_earlier_rules(run.pk):
        lines.append(EARLIER)
    lines += [f"warning: {sentence}" for sentence in [*concerns(run), *warnings(run)]]
    lines += [*_progress(run), *spending.told(run.pk)]
    if early := ended_early(run):
        lines.append(early)
    if stale := stale_lists([run])[run.pk]:
        lines.append(f"lists changed: {', '.join(map(str, stale))} since; 'audit rerun {run.pk}' asks what is new")
    if comparison := Comparison.objects.filter(run=run).first():
        lines.append(f"{comparison}; 'audit compare {comparison.previous_id} {run.pk}' lists them")
    # Methods without contrasts read their own measures, of which there may be half a million.
    measures = measures_of(run, **({} if findings_of(run.probe).contrasts else {"statistic": SCORABLE_SHARE.name}))
    lines += [*class_lines(answer_classes(run.pk)), *agreement_lines(run.pk)]
    untested = ["", told] if (told := untested_sentence(run)) else []
    return [*lines, *_coverage(run, measures), *untested, *_findings(run, measures)]


def _progress(run: Run) -> list[str]:
    """Return each phase, the pace, the time left, and who works on the run or that nobody does."""
    found = progress(run)
    lines = []
    for phase in found.phases:
        pieces = f"  {phase.pieces_done} of {phase.pieces} shards" if phase.pieces > 1 else ""
        lines.append(f"  {phase.name}: {phase.state}{pieces}" + (f"  {phase.seconds:.1f} s" if phase.seconds else ""))
    if found.asked or found.reused:
        lines.append(f"asked {count(found.asked)}, reused {count(found.reused)}")
    if found.begun_again:
        lines.append(f"shards begun again: {found.begun_again} (the worker died or failed)")
    if run.state not in LIVE:
        return lines
    if found.items:
        lines.append(f"{found.items_done} of {found.items} items" + _pace(found.pace, found.seconds_left))
    moment = clock.now()
    lines += [f"  {worker.name} ({worker.device}): {_doing(worker, moment)}" for worker in found.workers]
    if not run.owner:
        lines += _lacking(found)
    return lines


def _lacking(found: Progress) -> list[str]:
    """Return what a run of the pool lacks: a worker on it, or a scheduler."""
    lines = []
    if found.waits_for:
        lines.append(found.waits if found.waits_for == found.waits else f"waits {found.waits_for}")
    if not found.scheduler:
        lines.append(presence.NO_SCHEDULER)
    return lines


def _doing(worker: WorkerProcess, moment: datetime) -> str:
    """Return a worker's work and its duration, such as `shard 12, for 3 min`, which shows a worker that hangs."""
    since = worker.doing_since
    return worker.doing if since is None else f"{worker.doing}, for {duration((moment - since).total_seconds())}"


def _pace(pace: float | None, seconds_left: float | None) -> str:
    return "" if pace is None or seconds_left is None else f", {pace:.1f} items/s, about {duration(seconds_left)} left"


def processes() -> list[str]:
    """Return the living workers and whether the scheduler is alive."""
    presence.remove_dead()
    workers = list(presence.alive())
    moment = clock.now()
    rows = [
        (w.name, "+".join(w.queues), w.device, w.state, f"run {w.run_id} {_doing(w, moment)}" if w.run_id else "")
        for w in workers
    ]
    lines = table([("worker", "queues", "device", "state", "doing"), *rows]) if rows else [presence.NOBODY]
    scheduler = presence.alive(Role.SCHEDULER).exists()
    return [*lines, "the scheduler is alive" if scheduler else presence.NO_SCHEDULER]


def measures_of(run: Run, **where: str) -> list[Measure]:
    """Return the measures with the specified prior, then those with other priors."""
    frame = pl.concat(reading.read(run.pk, table, **where) for table in ("measure", "measure_other_prior"))
    return [Measure(**row) for row in frame.select(list(Measure.__dataclass_fields__)).iter_rows(named=True)]


def _coverage(run: Run, measures: Sequence[Measure]) -> list[str]:
    shares = [measure for measure in measures if measure.statistic == SCORABLE_SHARE.name]
    # Of very many groups, those with the lowest scorable share are shown, as on the run's page.
    told = sorted(shares, key=lambda share: share.value or 0.0)[:MOST_GROUPS] if len(shares) > MOST_GROUPS else shares
    lines = [f"  {share.group_a or 'all'}: {share.value:.1%} of {count(share.n)} items scorable" for share in told]
    if more := len(shares) - len(told):
        lines.append(f"  {count(more)} more groups, of which at least as much could be scored")
    if len({share.value for share in shares}) > 1:
        lines.append("  warning: the groups' scorable shares differ, so comparisons use different items")
    lines += [f"  not scorable: {count(items)} items, {reason}" for reason, items in reasons(run.pk)]
    lines += [f"  {left_out_sentence(one)}" for one in findings_of(run.probe).left_out(run.pk)]
    return ["coverage", *lines] if lines else []


def _findings(run: Run, measures: Sequence[Measure]) -> list[str]:
    first = ["  ".join(filter(None, (one.sentence, one.figures))) for one in run_findings(run)]
    if not findings_of(run.probe).contrasts:
        return ["", *first, *(["", *notes(run)] if first else [])]
    difference = PROBES[run.probe].card.difference
    pairs = summary.contrasts(run.pk, difference)
    found = summary.counted(run.pk, difference, pairs[:MOST_CONTRASTS])
    # Of a live run nothing is read: a worker may hold its words.
    words = sentence_words(run) if found and run.state == RunState.DONE else Words({}, {}, ())
    firm = run_sentences(measures)
    return [
        *([""] if first else []),
        *first,
        *(line for one in found for line in ["", *finding(run, one, words)]),
        *_more_contrasts(run, len(pairs) - MOST_CONTRASTS),
        *(["", "robustness", *(f"  {sentence}" for sentence in firm)] if firm else []),
        *(["", *notes(run)] if first or found else []),
    ]


def _more_contrasts(run: Run, number: int) -> list[str]:
    if number < 1:
        return []
    told = f"{counted(number, 'more comparison')}, none of which has more differences that are present"
    return ["", f"{told}: `audit export {run.pk} --table measure --out FILE` has all of them."]


def notes(run: Run) -> list[str]:
    """Return what the figures of a run mean, and what its findings do not say."""
    return [notation(run.spec), caveat_of(run)]


def finding(run: Run, contrast: summary.Counted, words: Words, most: int = MOST_LISTED) -> list[str]:
    """Return three sentences, then the strongest associations of each side with score, interval, n and q."""
    card = PROBES[run.probe].card
    a, b = group_name(contrast.group_a), group_name(contrast.group_b)
    compared = f"{a} minus {b}, {card.unit_of(card.difference)}"
    lines = tally_sentences(run.subject, tally(run.pk, card.difference, contrast), alpha_of(run.spec))
    sides = summary.strongest_of_sides(run.pk, card.difference, contrast, most)
    for label, towards_a in ((a, True), (b, False)):
        own = [one for one in sides if ((one.value or 0.0) > 0) == towards_a]
        rows = [(f"  {one.attribute}", with_uncertainty(one), one.verdict) for one in own]
        lines += ["", f"Largest differences towards {label} ({compared}):"]
        lines += table(rows) if rows else ["  none"]
    named = words_with_reasons(words, sides)
    part = ", ".join(f"“{word}”" for word in split_words(run, sides))
    return [*lines, *([named] if named else []), *([f"Only the first subword was scored of {part}."] if part else [])]
