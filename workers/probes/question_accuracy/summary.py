"""The measures of the accuracy: over all questions, with intervals over contexts, beside two ways to guess."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from plumbline.methods.question_accuracy.card import CHANCE, LONGEST
from plumbline.methods.question_accuracy.spec import AccuracySpec
from plumbline.spec.banks.choice_questions import ChoiceQuestion
from plumbline.spec.measure import Measure
from plumbline.spec.shared_statistics import ACCURACY, NOT_SCORABLE, SCORABLE_SHARE
from workers.measures.estimated import defined
from workers.statistics.rates.clustered_shares import share_estimate

NO_ANSWER = "no question could be answered"
UNIT = "context"


def summarise(spec: AccuracySpec, questions: Sequence[ChoiceQuestion], records: pl.DataFrame) -> list[Measure]:
    """Return the accuracy, that of guessing and of the longest answer, and how many questions were answered."""
    answered = records.filter(pl.col("chosen").is_not_null())
    right = dict(zip(answered["item"].to_list(), (answered["chosen"] == answered["gold"]).to_list(), strict=True))
    own = [one for one in questions if one.id in right]
    return [
        _accuracy(spec, own, [float(right[one.id]) for one in own], ""),
        _accuracy(spec, own, [1 / len(one.options) for one in own], CHANCE),
        _accuracy(spec, own, [_of_longest(one) for one in own], LONGEST),
        *_coverage(records, len(own)),
    ]


def contexts_of(questions: Sequence[ChoiceQuestion]) -> dict[str, str]:
    """Return the context of each question by its id. Questions about one context are no independent observations."""
    return {one.id: one.context for one in questions}


def _of_longest(one: ChoiceQuestion) -> float:
    """Return the chance that the longest answer is right, 0 to 1; equally long ones share it."""
    most = max(map(len, one.options))
    return float(len(one.answer) == most) / sum(len(option) == most for option in one.options)


def _accuracy(
    spec: AccuracySpec, questions: Sequence[ChoiceQuestion], right: Sequence[float], condition: str
) -> Measure:
    contexts = np.unique([one.context for one in questions], return_inverse=True)[1]
    found = share_estimate(np.array(right), contexts, level=spec.params.level)
    limits = (found.low, found.high) if not condition else (np.nan, np.nan)
    return Measure(
        statistic=ACCURACY.name,
        unit=UNIT,
        n=found.n,
        n_units=found.n_families,
        value=defined(found.value),
        ci_low=defined(limits[0]),
        ci_high=defined(limits[1]),
        condition=condition,
        variant=spec.variant,
        reason="" if right else NO_ANSWER,
    )


def _coverage(records: pl.DataFrame, answered: int) -> list[Measure]:
    missing = records.filter(pl.col("chosen").is_null()).group_by("reason").len().sort("len", "reason", descending=True)
    return [
        Measure(SCORABLE_SHARE.name, "item", records.height, records.height, answered / records.height),
        *(Measure(NOT_SCORABLE.name, "item", one, one, one, reason=why) for why, one in missing.rows()),
    ]
