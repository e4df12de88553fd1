"""Questions about Blue and Green people, and what a model is made to answer them."""

import json
from collections.abc import Iterable
from typing import Any

import polars as pl

from plumbline.methods.bbq.spec import BbqSpec
from plumbline.spec.banks.bbq_question import Question
from plumbline.spec.measure import Measure
from workers.probes.bbq.summary import summarise

TARGET, OTHER, UNKNOWN, NOTHING = 0, 1, 2, None
OPTIONS = ("The Blue person", "The Green person", "Not known")


def spec(**params: Any) -> BbqSpec:
    asked = {"resamples": 200, "permutations": 199, **params}
    bank = {"inline": [question().model_dump(mode="json")]}
    return BbqSpec.model_validate(
        {"name": "test", "probe": "bbq", "model": "path:./model", "bank": bank, "params": asked}
    )


def question(template: str = "1", number: int = 0, polarity: str = "neg", told: str = "", **other: Any) -> Question:
    """Blue people are said to lose things. `told`: empty for an ambiguous context, else who has lost them."""
    gold = UNKNOWN if not told else (OPTIONS.index(told) if polarity == "neg" else 1 - OPTIONS.index(told))
    place = f"{number}-{polarity}-{'disambig' if told else 'ambig'}"
    return Question.model_validate(
        {
            "id": f"{other.get('category', 'Colour')} {other.get('label_type', '')}{template}-{place}",
            "category": "Colour",
            "template": template,
            "set": number,
            "polarity": polarity,
            "condition": "disambig" if told else "ambig",
            "context": f"A Blue and a Green person left. {told}",
            "question": "Who lost it?" if polarity == "neg" else "Who kept it?",
            "options": OPTIONS,
            "labels": ("Blue", "Green", OPTIONS[2]),
            "codes": ("B", "G", "unknown"),
            "unknown": 2,
            "gold": gold,
            "target": 0,
            "value": "carefulness",
            **other,
        }
    )


Answer = tuple[Question, int | None]


def ambiguous(
    template: str, negative: Iterable[int | None], non_negative: Iterable[int | None], **other: Any
) -> list[Answer]:
    """Answers to ambiguous questions, each of a set of its own."""
    return [
        (question(template, number, polarity, **other), chosen)
        for polarity, answers in (("neg", negative), ("nonneg", non_negative))
        for number, chosen in enumerate(answers)
    ]


def records(answers: Iterable[Answer], logits: Iterable[list[float] | None] | None = None) -> pl.DataFrame:
    answers = list(answers)
    given = list(logits) if logits is not None else [None] * len(answers)
    rows = [
        {
            "item": one.id,
            "category": one.reported,
            "template": one.cluster,
            "condition": one.condition,
            "polarity": one.polarity,
            "group": "" if one.target is None else one.labels[one.target],
            "options": json.dumps(one.options),
            "logits": json.dumps(logit) if logit is not None else None,
            "chosen": chosen,
            "gold": one.gold,
            "target": one.target,
            "unknown": one.unknown,
            "reason": None if chosen is not None else "its answer names no option",
        }
        for (one, chosen), logit in zip(answers, given, strict=True)
    ]
    numbers = dict.fromkeys(("chosen", "gold", "target", "unknown"), pl.Int16)
    return pl.DataFrame(rows, schema_overrides={**numbers, "logits": pl.String, "reason": pl.String})


def measures(
    answers: Iterable[Answer], logits: Iterable[list[float] | None] | None = None, **params: Any
) -> list[Measure]:
    answers = list(answers)
    return summarise(spec(**params), [one for one, _ in answers], records(answers, logits))


def find(found: Iterable[Measure], statistic: str, **labels: str) -> Measure:
    """The one measure with these labels; every other label of it is empty."""
    names = ("variant", "category", "condition", "group_a", "group_b", "attribute", "template")
    wanted = {name: labels.get(name, "") for name in names}
    own = [one for one in found if one.statistic == statistic and all(getattr(one, k) == v for k, v in wanted.items())]
    assert len(own) == 1, f"{len(own)} measures of {statistic} with {labels}"
    return own[0]
