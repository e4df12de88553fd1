"""Answered questions of BBQ as samples of Every Eval Ever: the one method here whose items are right or wrong."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from plumbline.audits.models import Run
from plumbline.methods.bbq.question_texts import questions
from plumbline.packing.every_eval_ever.samples import Row, Sample, SampleSource
from plumbline.results.whole_answers import WholeAnswer, whole_answers
from plumbline.spec.banks.bbq_question import Question

CHOSEN_BY_SCORE = "Nothing was written: the option with the largest score is the answer. It is in `chosen`."
DETAILS = ("category", "condition", "polarity", "template", "group", "sample")


def _samples(run: Run) -> Callable[[Sequence[Row]], Iterator[Sample | None]]:
    """Return a function of records: a sample of each, None where there is no answer or its text is not kept."""

    def of(rows: Sequence[Row]) -> Iterator[Sample | None]:
        texts = questions(run, {row["item"] for row in rows})
        whole = whole_answers(run.pk, [row["id"] for row in rows]) if run.is_in_text else {}
        return (_sample(row, texts.get(row["item"]), whole.get(row["id"])) for row in rows)

    return of


def _sample(row: Row, question: Question | None, whole: WholeAnswer | None) -> Sample | None:
    if question is None or row["chosen"] is None:
        return None
    options: tuple[str, ...] = tuple(json.loads(row["options"]))
    is_right = row["chosen"] == row["gold"]
    text = whole.reply.text if whole and whole.reply else None
    return Sample(
        id=row["id"],
        raw=f"{question.context} {question.question}",
        score=float(is_right),
        metadata=_details(row, options, whole),
        is_correct=is_right,
        reference=(options[row["gold"]],),
        choices=options,
        output=() if text is None else (text,),
        answer=options[row["chosen"]],
        by=whole.parser if whole else "",
    )


def _details(row: Row, options: Sequence[str], whole: WholeAnswer | None) -> Mapping[str, Any]:
    about = {} if whole else {"about": CHOSEN_BY_SCORE}
    return {name: row[name] for name in DETAILS} | {"chosen": options[row["chosen"]]} | about


SAMPLES = SampleSource("choice", _samples)
