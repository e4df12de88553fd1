"""Results of a closed study: times and answers by task, distributions of the scales, own words.

A question that fewer than LEAST_RATERS people answered is hidden, as a cell of a survey is.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plumbline.annotation.study.models import Study, StudyAnswer
from plumbline.annotation.study.questions import COULD_NOT, TEXT, Field, StudyStep, steps
from plumbline.spec.judgements import LEAST_RATERS
from plumbline.spec.shares import Share, wilson


@dataclass(frozen=True, slots=True)
class Spread:
    """Median and quartiles of seconds, by linear interpolation."""

    lower: float
    median: float
    upper: float


@dataclass(frozen=True, slots=True)
class TaskResult:
    """A task: people, their time, how many gave it up. All but `n` is empty if the people are few."""

    step: StudyStep
    n: int
    time: Spread | None = None
    gave_up: int | None = None
    right: Share | None = None
    """None also for a task without a right answer."""


@dataclass(frozen=True, slots=True)
class ScaleResult:
    """The answers to a question with choices, counted; `counts` is empty if the people are few."""

    step: StudyStep
    field: Field
    n: int
    counts: tuple[tuple[str, int], ...] = ()

    @property
    def median(self) -> float | None:
        """The median of answers that are numbers."""
        points = [int(choice) for choice, count in self.counts for _ in range(count) if choice.isdecimal()]
        return float(np.median(points)) if points else None


@dataclass(frozen=True, slots=True)
class TextResult:
    """Own words to a question in alphabetical order, which tells nothing of who wrote them; empty if few wrote."""

    step: StudyStep
    field: Field
    n: int
    texts: tuple[str, ...] = ()


def task_results(study: Study) -> list[TaskResult]:
    """Return the results by task. Nothing of a study that is not closed: see `sitting.close`."""
    answers = _answers(study)
    return [_task(one, answers.get(one.key, []), study.right.get(one.key)) for one in steps(study) if one.is_task]


def _task(step: StudyStep, answers: Sequence[StudyAnswer], right: Sequence[str] | None) -> TaskResult:
    n = len(answers)
    if n < LEAST_RATERS:
        return TaskResult(step, n)
    gave_up = sum(COULD_NOT in one.value for one in answers)
    hits = sum(one.value.get("answer") in right for one in answers) if right else 0
    time = Spread(*(float(at) for at in np.quantile([one.seconds for one in answers], [0.25, 0.5, 0.75])))
    return TaskResult(step, n, time, gave_up, wilson(hits, n) if right else None)


def scale_results(study: Study) -> list[ScaleResult]:
    """Return the counted answers to every question with a scale, those within tasks first."""
    answers = _answers(study)
    return [
        _scale(step, field, _given(answers, step, field))
        for step in steps(study)
        for field in step.fields
        if field.kind == "scale"
    ]


def _scale(step: StudyStep, field: Field, given: Sequence[str]) -> ScaleResult:
    if len(given) < LEAST_RATERS:
        return ScaleResult(step, field, len(given))
    counted = Counter(given)
    return ScaleResult(step, field, len(given), tuple((choice, counted[choice]) for choice in field.choices))


def text_results(study: Study) -> list[TextResult]:
    answers, found = _answers(study), []
    for step in steps(study):
        for field in (one for one in step.fields if one.kind == TEXT):
            texts = sorted(_given(answers, step, field), key=str.casefold)
            found.append(TextResult(step, field, len(texts), tuple(texts) if len(texts) >= LEAST_RATERS else ()))
    return found


def _given(answers: dict[str, list[StudyAnswer]], step: StudyStep, field: Field) -> list[str]:
    return [one.value[field.name] for one in answers.get(step.key, []) if field.name in one.value]


def _answers(study: Study) -> dict[str, list[StudyAnswer]]:
    """Return the answers of people who finished, by step; none before the study is closed."""
    found: dict[str, list[StudyAnswer]] = {}
    own = StudyAnswer.objects.filter(sitting__study=study, sitting__ended=True, sitting__study__closed_on__isnull=False)
    for one in own:
        found.setdefault(one.step, []).append(one)
    return found


def rows(study: Study) -> list[dict[str, str | float | None]]:
    """Return the results as rows of a file: one for each task, and one for each answer of a scale."""
    blank: dict[str, str | float | None] = dict.fromkeys(
        ("step", "question", "n", "seconds_q1", "seconds_median", "seconds_q3", "gave_up", "right", "low", "high")
    ) | {"answer": "", "count": None}
    return [
        *(blank | _task_row(one) for one in task_results(study)),
        *(blank | row for one in scale_results(study) for row in _scale_rows(one)),
    ]


def _task_row(one: TaskResult) -> dict[str, str | float | None]:
    found: dict[str, str | float | None] = {"step": one.step.key, "question": one.step.fields[0].text, "n": one.n}
    if one.time:
        found |= {"seconds_q1": one.time.lower, "seconds_median": one.time.median, "seconds_q3": one.time.upper}
    if one.right:
        found |= {"right": one.right.value, "low": one.right.low, "high": one.right.high}
    return found | {"gave_up": one.gave_up}


def _scale_rows(one: ScaleResult) -> list[dict[str, str | float | None]]:
    start: dict[str, str | float | None] = {"step": one.step.key, "question": one.field.text, "n": one.n}
    return [start | {"answer": choice, "count": count} for choice, count in one.counts] or [start]
