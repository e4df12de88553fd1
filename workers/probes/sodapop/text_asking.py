"""The asking phase with a model that answers in text: its shards and its records."""

import json
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from plumbline.methods.sodapop.spec import SodapopParams, SodapopSpec
from plumbline.spec.answers.chat_question import WorkedExample
from plumbline.spec.answers.classes import REASONS, AnswerClass
from plumbline.spec.answers.classes import TABLE as PARSED
from plumbline.spec.answers.worked_examples import worked_items
from workers.probes.chat_replies import ChatModel
from workers.probes.protocol import Columns, Progress, ShardPlan
from workers.probes.reply_parsers import parser_of
from workers.probes.sodapop.answers import NO_PARTNER, Records
from workers.probes.sodapop.paired_cells import PairedCell
from workers.probes.sodapop.text_questions import Answered, answered


def asked_once(shards: Sequence[ShardPlan], examples: Sequence[WorkedExample]) -> list[ShardPlan]:
    """Return the shards with the worked examples. Answers in text are those of one run: no other run may have them."""
    once, worked = secrets.token_hex(16), worked_items(examples)
    return [
        replace(
            shard,
            items={**shard.items, **worked},
            rows={**shard.rows, PARSED: None},
            inputs={**shard.inputs, "once": once, **worked},
        )
        for shard in shards
    ]


def labels_of_answers(params: SodapopParams) -> set[str]:
    """Return the texts that records of answers in text name, whatever was asked."""
    return {*AnswerClass, *REASONS.values(), NO_PARTNER, parser_of(params), ""}


def in_text(
    spec: SodapopSpec,
    model: ChatModel,
    blocks: Iterable[Sequence[PairedCell]],
    progress: Progress,
    examples: Sequence[WorkedExample],
) -> dict[str, Columns]:
    """Return the records of cells whose questions a model answers in text, each after the worked examples."""
    records, every = Records(spec.probe, {}), list[Answered]()
    for block in blocks:
        for cell, answers in answered(model, spec, block, progress, examples):
            choices = np.array([one.choice for one in answers], dtype=np.int64)
            records.add_answered(cell, choices, [one.reason for one in answers])
            progress(len(cell.places) - 2 * len(answers))
            every += answers
    progress(len(records.tally["word"]))
    return {"answer": records.answer, "tally": records.tally, PARSED: _parsed(spec, every)}


def _parsed(spec: SodapopSpec, answers: Sequence[Answered]) -> Columns:
    """Return one row of `parsed_answer` for each answer."""
    questions = [one.question for one in answers]
    rows = len(answers)
    return {
        "probe": [spec.probe] * rows,
        "bank": [""] * rows,
        "item": [one.item for one in questions],
        "category": [""] * rows,
        "template": [one.cell.context.id for one in questions],
        "condition": [""] * rows,
        "group": [one.cell.name.group for one in questions],
        "options": [json.dumps(one.options, ensure_ascii=False) for one in questions],
        "answer_class": [str(one.parsed.kind) for one in answers],
        "parser": [parser_of(spec.params)] * rows,
        "chosen": [one.parsed.chosen for one in answers],
        "reply": [one.reply for one in answers],
    }
