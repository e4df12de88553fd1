"""The whole figures of a run, each with its interval, its counts of verdicts, and what was not tested or scored."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Count

from plumbline.audits.freezing import frozen_spec
from plumbline.audits.models import Run
from plumbline.audits.opposites import opposites_of
from plumbline.audits.sentence_words import sentence_words
from plumbline.findings.by_method import concerns, findings_of, run_findings, warnings
from plumbline.findings.contrasts import alpha_of, tally_sentences
from plumbline.findings.left_out import left_out_sentence
from plumbline.findings.robustness import bands, robustness_of
from plumbline.findings.selection import rows_of, rules_of
from plumbline.findings.sensitivity import Statement, sensitivity_of
from plumbline.findings.sentences import group_name
from plumbline.findings.word_reasons import words_with_reasons
from plumbline.pages.statistic_caveats import card_statistics
from plumbline.pages.titles import title
from plumbline.reports.content.forest import Forest, forest
from plumbline.results import summary
from plumbline.results.tallies import tally
from plumbline.spec.card import OF_TWO_RUNS, Card
from plumbline.spec.errors import InputError
from plumbline.spec.finding_rules import FindingRule, Rows
from plumbline.spec.measure import Measure
from plumbline.spec.registry import PROBES
from plumbline.spec.robustness import ROBUSTNESS
from plumbline.spec.sentences import Words
from plumbline.spec.shared_statistics import NOT_SCORABLE, SCORABLE_SHARE
from plumbline.spec.verdicts import Verdict

MOST_ROWS = 40
"""The most rows of one statistic."""
MOST_REASONS, MOST_CONTRASTS, MOST_WORDS = 12, 6, 8
APART = {one.name for one in (*ROBUSTNESS, NOT_SCORABLE, SCORABLE_SHARE, *OF_TWO_RUNS)}
"""Statistics with sections of their own."""


@dataclass(frozen=True, slots=True)
class Counts:
    """The verdicts of one statistic that can become findings."""

    title: str
    judged: int
    present: int
    absent: int
    undecided: int
    not_testable: int


@dataclass(frozen=True, slots=True)
class Figure:
    """All whole figures of one statistic, and a chart of those with an interval."""

    title: str
    unit: str
    rows: tuple[tuple[str, Measure], ...]
    omitted: int
    chart: Forest | None


@dataclass(frozen=True, slots=True)
class Contrast:
    """The differences of two groups on single words: sentences, and the words with the largest differences."""

    name: str
    sentences: tuple[str, ...]
    note: str
    """Which words name a group or are spelled like its name, or ""."""
    robustness: tuple[str, ...]
    rows: tuple[tuple[int, Measure], ...]
    """The words of the first group, then those of the second, each with its band: within one the order is unknown."""
    is_banded: bool
    unit: str
    words: int


def counts_of(run: Run) -> list[Counts]:
    """Return the verdicts on the figures that can become findings, by statistic and kind of row."""
    rules = rules_of(run.probe)
    return [one for rule in (rules.rules if rules else ()) if (one := _counted(run, rule)).judged]


def _counted(run: Run, rule: FindingRule) -> Counts:
    found = rows_of(run, rule).order_by().values_list("verdict").annotate(rows=Count("id"))
    by_verdict = dict(found)
    of = {str(one.value): by_verdict.get(one.value, 0) for one in Verdict}
    return Counts(_rule_title(rule), sum(of.values()), *(of[str(one.value)] for one in _ORDER))


_ORDER = (Verdict.PRESENT, Verdict.ABSENT, Verdict.UNDECIDED, Verdict.NOT_TESTABLE)


def _rule_title(rule: FindingRule) -> str:
    words = "of lists or of the whole run" if rule.rows == Rows.OVERALL else "of single words"
    labels = ", ".join(filter(None, (rule.category, rule.condition)))
    return f"{title(rule.statistic)}, {words}" + (f" ({labels})" if labels else "")


def figures_told(run: Run, card: Card | None) -> list[Figure]:
    """Return the whole figures of the statistics on the method's card that the run has."""
    return list(_figures(run, card)) if card else []


def _figures(run: Run, card: Card) -> Iterator[Figure]:
    names = [one.name for one in card_statistics(card) if one.name not in APART]
    there = summary.statistics_there(run.pk, names)
    for name in (one for one in names if one in there):
        own = summary.of_run(run.pk, name).filter(summary.OVERALL)
        total = own.count()
        if total:
            rows = summary.measures(own.order_by("variant", "category", "condition", "group_a", "group_b")[:MOST_ROWS])
            yield _figure(card, name, rows, total - len(rows))


def _figure(card: Card, name: str, rows: Sequence[Measure], omitted: int) -> Figure:
    statistic = card.statistic(name)
    named = tuple((label_of(one), one) for one in rows)
    null = statistic.null if statistic and statistic.scale is not None else None
    return Figure(title(name), card.unit_of(name), named, omitted, forest(title(name), named, null))


def label_of(one: Measure) -> str:
    """Return what a figure is of: its groups, category, condition and variant."""
    groups = " minus ".join(group_name(group) for group in (one.group_a, one.group_b) if group)
    return ", ".join(filter(None, (groups, one.category, one.condition, one.attribute, one.variant))) or "whole run"


def contrasts_told(run: Run) -> list[Contrast]:
    """Return the contrasts of a method that compares groups on single words."""
    if run.probe not in PROBES or not findings_of(run.probe).contrasts:
        return []
    card, words = PROBES[run.probe].card, sentence_words(run)
    return [_contrast(run, card, words, one) for one in summary.counted(run.pk, card.difference)[:MOST_CONTRASTS]]


def _contrast(run: Run, card: Card, words: Words, one: summary.Counted) -> Contrast:
    rows = summary.strongest_of_sides(run.pk, card.difference, one, MOST_WORDS)
    sides = ([row for row in rows if (row.value or 0.0) > 0], [row for row in rows if (row.value or 0.0) < 0])
    firm = robustness_of(run.pk, one.group_a, one.group_b)
    found = tally(run.pk, card.difference, one)
    return Contrast(
        name=f"{group_name(one.group_a)} minus {group_name(one.group_b)}",
        sentences=tuple(tally_sentences(run.subject, found, alpha_of(run.spec), opposites_of(run))),
        note=words_with_reasons(words, rows),
        robustness=tuple(firm.sentences) if firm else (),
        rows=tuple(row for own in sides for row in zip(bands(own), own, strict=True)),
        is_banded=firm.is_banded,
        unit=card.unit_of(card.difference),
        words=one.attributes,
    )


def conclusions(run: Run) -> list[tuple[str, str]]:
    """Return the sentences that the method concludes, with their figures."""
    return [(one.sentence, one.figures) for one in run_findings(run)]


def cautions(run: Run) -> tuple[list[str], list[str]]:
    """Return why the scores cannot be read as stereotype, and why conclusions are less certain than they seem."""
    return concerns(run), warnings(run)


def detectable(run: Run) -> list[Statement]:
    """Return which effects the run's tests could have found, and which tests could find none."""
    try:
        spec, snapshots = frozen_spec(run)
        return list(sensitivity_of(spec, snapshots, run).statements)
    except InputError:
        return []


def not_scored(run: Run) -> list[str]:
    """Return sentences on items and words without a score, with the reasons."""
    own = findings_of(run.probe)
    items = own.not_scorable(run.pk, MOST_REASONS)
    told = [f"{one.items:,} {'item' if one.items == 1 else 'items'}: {one.reason}." for one in items]
    return [*told, *(left_out_sentence(one) for one in own.left_out(run.pk))]


def coverage(run: Run) -> list[Measure]:
    """Return the share of items that could be scored, by group, the smallest first."""
    return summary.coverage(run.pk)[:MOST_ROWS]
