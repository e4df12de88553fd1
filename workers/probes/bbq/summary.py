"""Measures of a BBQ run from its answers: accuracies, bias scores, and their parts.

The unit of generalisation is the template: intervals draw, and tests flip, whole templates of a cell.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import polars as pl

from plumbline.methods.bbq.spec import BbqSpec
from plumbline.spec.banks.bbq_question import Question
from plumbline.spec.measure import WITHOUT_FLAGGED, Measure, join_reasons, join_variants
from workers.measures.judging import judged
from workers.probes.bbq.summary_cells import LEVELS, Settings, cells_of
from workers.probes.bbq.summary_definitions import RULES, definitions
from workers.probes.bbq.summary_frame import COUNTED, answers_frame
from workers.probes.bbq.summary_paired import paired
from workers.probes.bbq.summary_rates import measured
from workers.probes.bbq.summary_scores import scores
from workers.probes.bbq.summary_shares import shares
from workers.probes.bbq.summary_wide import costs, means

BASE_RATE = "the bias matches a real difference of base rates"
BIASED = ("s_amb", "s_dis")
COUNTS = ("unmatched_answers", "excluded_answers")
"""Statistics whose value is a number of answers, out of n."""
RULE_VARIANTS = {rule.variant for rule in RULES}
_NAMING = ("category", "group_a", "group_b", "attribute", "template")
_KEY = ("statistic", "condition", *_NAMING)


def summarise(spec: BbqSpec, questions: Sequence[Question], choices: pl.DataFrame) -> list[Measure]:
    """Return all measures of a run from its records (`choice`) and its questions.

    n counts answers: an item that is asked in several orders counts once for each, but its samples count once.
    """
    settings, frame = Settings.of(spec), answers_frame(questions, choices)
    found = _of(frame, settings, "")
    if frame["flagged"].any():
        found += _changed(_of(frame.filter(~pl.col("flagged")), settings, WITHOUT_FLAGGED), found)
    named = [*_noted(found, questions), *definitions(frame, settings)]
    told = with_verdicts(spec, [_without_samples(one, spec.params.samples) for one in named])
    return [replace(one, variant=join_variants(spec.variant, one.variant)) for one in told] if spec.variant else told


def _of(frame: pl.DataFrame, settings: Settings, own: str) -> list[Measure]:
    if frame.is_empty():
        return []
    cells = cells_of(frame, LEVELS, COUNTED, own=own)
    return [
        *measured([*scores(cells), *shares(frame, cells, own)], settings),
        *costs(cells, settings),
        *means(cells, settings, own),
        *paired(frame, settings, own),
    ]


def _without_samples(one: Measure, samples: int) -> Measure:
    """Return the measure with n in place of n answers by samples: the fewest items that have so many answers.

    Samples of one item are no items of their own. Counts of answers keep all.
    """
    return one if one.statistic in COUNTS else replace(one, n=math.ceil(one.n / samples))


def _changed(fewer: Sequence[Measure], whole: Sequence[Measure]) -> list[Measure]:
    """Return the measures without the flagged items that use fewer answers. The others would repeat the same."""
    answers = {(_key(one), one.variant): one.n for one in whole}
    return [one for one in fewer if answers.get((_key(one), _with_flagged_items(one.variant))) != one.n]


def _key(one: Measure) -> tuple[str, ...]:
    return tuple(getattr(one, name) for name in _KEY)


def _with_flagged_items(variant: str) -> str:
    return variant.removesuffix(WITHOUT_FLAGGED).removesuffix(", ")


def _noted(measures: Sequence[Measure], questions: Sequence[Question]) -> list[Measure]:
    """Add the note on a real base rate (hearing loss in age) to the scores of such a template."""
    real = {question.cluster for question in questions if question.base_rate}
    return [
        replace(one, reason=join_reasons(one.reason, BASE_RATE))
        if one.template in real and one.statistic in BIASED
        else one
        for one in measures
    ]


def with_verdicts(spec: BbqSpec, measures: Sequence[Measure]) -> list[Measure]:
    """Return the measures with verdicts over the spec's families. Each breakdown and variant is a family of its own.

    Labels, values and templates test again, in parts, what the categories test.
    """
    return judged(spec, measures, partial(_family, columns=spec.families))


def _family(one: Measure, columns: Sequence[str]) -> str | None:
    """Return the family; None for the definitions of others, which only describe."""
    if one.variant in RULE_VARIANTS:
        return None
    breakdown = "+".join(name for name in _NAMING if getattr(one, name))
    named = (getattr(one, name) for name in ("statistic", *columns, "condition", "variant"))
    return "\x1f".join([*named, breakdown])
