"""The probe of BBQ: every question is asked of a model, or its stored answers are used. One shard is a template."""

import secrets
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, cast

import polars as pl

from plumbline.methods.bbq import prompts
from plumbline.methods.bbq.spec import BbqSpec
from plumbline.spec.answers.chat_question import WorkedExample
from plumbline.spec.answers.classes import TABLE as PARSED
from plumbline.spec.answers.classes import AnswerClass
from plumbline.spec.answers.params import TEMPLATE
from plumbline.spec.answers.worked_examples import worked_in, worked_items
from plumbline.spec.banks.bbq_question import Question
from plumbline.spec.errors import SpecError
from plumbline.spec.measure import Measure
from workers.engine.causal import CausalModel
from workers.engine.checkpoints.checkpoint import Checkpoint, Kind
from workers.engine.multiple_choice import MultipleChoiceModel
from workers.engine.text_to_text import TextToTextModel
from workers.measures.answer_classes import class_counts
from workers.probes.bbq import askers
from workers.probes.bbq.item_requests import Answer, Ask, about, columns, listed, parsed_columns
from workers.probes.bbq.summary import summarise
from workers.probes.chat_replies import ChatModel
from workers.probes.model_kinds import refuse_answering, require_kind
from workers.probes.protocol import (
    AnyModel,
    Columns,
    Contents,
    Memo,
    Planned,
    Probe,
    Progress,
    Read,
    ShardPlan,
    Snapshots,
)
from workers.probes.reply_parsers import parser_of

ONLY_CAUSAL = {"scoring", "prompt", "listed"}

Asked = MultipleChoiceModel | CausalModel | TextToTextModel | ChatModel


class BbqProbe:
    def check(self, spec: BbqSpec, snapshots: Snapshots, checkpoint: Checkpoint) -> None:
        require_kind(spec, checkpoint)
        _check_params(spec, checkpoint)

    def plan(self, spec: BbqSpec, snapshots: Snapshots, checkpoint: Checkpoint) -> Planned:
        self.check(spec, snapshots, checkpoint)
        # Answers in text are those of one run: no other run may have them.
        once = secrets.token_hex(16) if spec.in_text() else ""
        by_template, stored = _by_template(spec, snapshots), spec.stored(snapshots)
        examples = worked_items(spec.worked_examples(snapshots))
        shards, labels = [], {spec.probe, "", *_banks(spec, snapshots).values()}
        for template, questions in by_template.items():
            asks = _asks(spec, questions, checkpoint.kind)
            answers = [stored[one.id].model_dump() for one in questions] if stored else []
            own = {"once": once, **examples}
            inputs = {"questions": [one.model_dump(mode="json") for one in questions], "answers": answers, **own}
            rows: dict[str, int | None] = {name: len(asks) for name in _tables(spec)}
            shards.append(ShardPlan({"template": template, **own}, rows, inputs))
            labels |= {text for one in questions for text in _labels(one)} | {listed(ask) for ask in asks}
        if spec.in_text():
            labels |= {*AnswerClass, parser_of(spec.params)}
        return Planned(shards, labels)

    def execute(
        self, spec: BbqSpec, snapshots: Snapshots, items: Any, model: AnyModel, memo: Memo, progress: Progress
    ) -> dict[str, Columns]:
        if "questions" not in memo:
            memo["questions"], memo["banks"] = _by_template(spec, snapshots), _banks(spec, snapshots)
            memo["stored"] = spec.stored(snapshots)
        questions = [one for one in memo["questions"][items["template"]] if one.id in items.get("questions", [one.id])]
        asks = _asks(spec, questions, model.checkpoint.kind)
        if memo["stored"]:
            answers = askers.stored(memo["stored"], asks)
            progress(len(asks))
        else:
            answers = _answers(spec, asks, cast("Asked", model), progress, worked_in(items))
        banks = [memo["banks"][ask.question.id] for ask in asks]
        records = {"choice": columns(spec, banks, asks, answers)}
        if spec.in_text():
            records[PARSED] = parsed_columns(spec, banks, asks, answers, parser_of(spec.params))
        return records

    def contents(self, spec: BbqSpec, snapshots: Snapshots, checkpoint: Checkpoint, items: Any) -> Contents | None:
        """Return the questions, with the bank of each and its stored answer.

        Answers in text are never used again.
        """
        if spec.in_text():
            return None
        banks, stored = _banks(spec, snapshots), spec.stored(snapshots)
        questions = (one for some in _by_template(spec, snapshots).values() for one in some)
        return Contents({"item": {one.id: (one, banks[one.id], stored.get(one.id)) for one in questions}})

    def labels(self, spec: BbqSpec, snapshots: Snapshots, items: Any) -> pl.DataFrame:
        questions = _by_template(spec, snapshots)[items["template"]]
        return pl.DataFrame({"item": [one.id for one in questions]})

    def only(self, spec: BbqSpec, snapshots: Snapshots, items: Any, missing: pl.DataFrame) -> Any:
        return {**items, "questions": missing["item"].to_list()}

    def summarise(self, spec: BbqSpec, snapshots: Snapshots, read: Read) -> list[Measure]:
        found = summarise(spec, spec.questions(snapshots), read("choice"))
        if not spec.in_text():
            return found
        return [*found, *class_counts(read(PARSED), spec.variant)]


PROBES: dict[str, Probe[Any]] = {"bbq": BbqProbe()}


def _asks(spec: BbqSpec, questions: Sequence[Question], kind: Kind) -> list[Ask]:
    """Return each question in all orders, and each order in all samples, one after the other."""
    orders = prompts.orders(spec.params, _lists_options(spec, kind))
    samples = range(spec.params.samples)
    return [Ask(question, order, sample) for question in questions for order in orders for sample in samples]


def _answers(
    spec: BbqSpec, asks: Sequence[Ask], model: Asked, progress: Progress, examples: Sequence[WorkedExample]
) -> list[Answer]:
    if isinstance(model, MultipleChoiceModel):
        return askers.multiple_choice(model, spec, asks, progress)
    if isinstance(model, CausalModel):
        return askers.causal(model, spec, asks, progress)
    if isinstance(model, TextToTextModel):
        return askers.text_to_text(model, spec, asks, progress)
    return askers.in_text(model, spec, asks, progress, examples)


def _tables(spec: BbqSpec) -> tuple[str, ...]:
    """Return the tables of records: answers in text have their class beside the choice."""
    return ("choice", PARSED) if spec.in_text() else ("choice",)


def _by_template(spec: BbqSpec, snapshots: Snapshots) -> Mapping[str, list[Question]]:
    """Return the questions by template; of a run over stored answers those that are answered."""
    stored = spec.stored(snapshots)
    found: dict[str, list[Question]] = defaultdict(list)
    for question in prompts.questions_to_ask(spec.questions(snapshots), spec.params):
        if not stored or question.id in stored:
            found[question.cluster].append(question)
    return found


def _banks(spec: BbqSpec, snapshots: Snapshots) -> dict[str, str]:
    """Return the bank of each question."""
    return {
        question.id: source.slug or ""
        for source in spec.bank
        for question in spec.model_copy(update={"bank": (source,)}).questions(snapshots)
    }


def _labels(question: Question) -> tuple[str, ...]:
    own = (question.id, question.reported, question.cluster, question.condition, question.polarity)
    return (*own, about(question))


def _lists_options(spec: BbqSpec, kind: Kind) -> bool:
    """Return whether the model sees all options at once, so that their order may matter."""
    listed = spec.params.scoring == "letter" or spec.params.listed
    return spec.in_text() or kind == Kind.TEXT_TO_TEXT or (kind == Kind.CAUSAL and listed)


def _check_params(spec: BbqSpec, checkpoint: Checkpoint) -> None:
    """Raise SpecError for a param without effect on this kind of model: it would only seem to be chosen."""
    params, kind = spec.params, checkpoint.kind
    layouts = kind in (Kind.TEXT_TO_TEXT, Kind.MULTIPLE_CHOICE)
    foreign = params.model_dump(include=ONLY_CAUSAL, exclude_defaults=True) if kind != Kind.CAUSAL else {}
    if foreign:
        raise SpecError(
            f"params.{next(iter(foreign))} is for causal models, and {spec.model} is of the kind {kind}: leave it out."
        )
    in_chat = kind == Kind.CAUSAL and params.prompt == "chat"
    refuse_answering(spec, checkpoint, also={TEMPLATE} if in_chat else frozenset())
    if params.layout != "race" and not layouts:
        raise SpecError(f"params.layout is for models that know such layouts, not for {kind} ones: leave it out.")
    if params.orders != "given" and not _lists_options(spec, kind):
        raise SpecError(
            f"params.orders {params.orders}: {spec.model} is not shown the options together, so their order is nothing"
            " to it; list them (params.listed, or scoring letter), or leave orders out."
        )
    if in_chat:
        askers.in_chat(checkpoint.tokenizer, prompts.NEUTRAL, params.chat_template_kwargs)
