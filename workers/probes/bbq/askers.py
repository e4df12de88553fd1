"""Answers to BBQ's questions from each kind of model."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from plumbline.methods.bbq import prompts
from plumbline.methods.bbq.params import BbqParams
from plumbline.methods.bbq.spec import BbqSpec, StoredAnswer
from plumbline.spec.answers.chat_question import LETTERS, WorkedExample
from plumbline.spec.answers.classes import REASONS
from plumbline.spec.answers.reply import KeptReply
from plumbline.spec.banks.bbq_question import OPTIONS
from workers.engine.causal import CausalModel
from workers.engine.chat_template import rendered
from workers.engine.multiple_choice import MultipleChoiceModel, Pair
from workers.engine.options import PLAIN, Scoring, Seam, option_faults, option_scores
from workers.engine.text_to_text import TextToTextModel
from workers.probes.bbq.item_requests import Answer, Ask
from workers.probes.chat_replies import ChatModel, chat_replies
from workers.probes.matching import matched
from workers.probes.progress import in_items
from workers.probes.protocol import Progress
from workers.probes.reply_parsers import parsed

_MOST_SHOWN = 60


def multiple_choice(model: MultipleChoiceModel, spec: BbqSpec, asks: Sequence[Ask], progress: Progress) -> list[Answer]:
    """Return the option with the largest logit."""
    pairs = [prompts.multiple_choice(ask.question, spec.params, option) for ask in asks for option in ask.options]
    logits = model.logits(pairs, in_items(progress, len(asks), len(pairs)))
    return _by_largest(logits.reshape(-1, OPTIONS), pairs, model.faults)


def causal(model: CausalModel, spec: BbqSpec, asks: Sequence[Ask], progress: Progress) -> list[Answer]:
    """Return the option, or the letter, that is most likely after the question."""
    pairs, seam = causal_pairs(model.tokenizer, spec.params, asks)
    scoring = scoring_of(spec.params)
    scores = option_scores(model, pairs, scoring, in_items(progress, len(asks), len(pairs)), seam)

    def faults(some: Sequence[Pair]) -> list[str]:
        return option_faults(model.tokenizer, some, scoring, seam)

    return _by_largest(scores.reshape(-1, OPTIONS), pairs, faults)


def causal_pairs(tokenizer: object, params: BbqParams, asks: Sequence[Ask]) -> tuple[list[Pair], Seam]:
    """Return the text before each option, or before each letter, and how the two are joined."""
    lettered = params.scoring == "letter"
    texts = [prompts.causal(ask.question, params, ask.options, lettered) for ask in asks]
    chat = params.prompt == "chat"
    variables = params.chat_template_kwargs
    firsts = [in_chat(tokenizer, text, variables) for text in texts] if chat else texts
    seam = Seam(in_chat(tokenizer, prompts.NEUTRAL, variables), ready=True) if chat else PLAIN
    seconds = [list(LETTERS) if lettered else ask.options for ask in asks]
    return [(first, second) for first, some in zip(firsts, seconds, strict=True) for second in some], seam


def scoring_of(params: BbqParams) -> Scoring:
    """Return how options are scored. A letter is scored as it is."""
    return "sum" if params.scoring == "letter" else params.scoring


def in_chat(tokenizer: object, text: str, variables: Mapping[str, Any] = MappingProxyType({})) -> str:
    """Return a user's turn in the model's chat template, up to its own turn. Raises SpecError as `rendered` does."""
    return rendered(tokenizer, [{"role": "user", "content": text}], variables)


def text_to_text(model: TextToTextModel, spec: BbqSpec, asks: Sequence[Ask], progress: Progress) -> list[Answer]:
    """Return the option that equals the output, once both are normalised."""
    texts = [prompts.text_to_text(ask.question, spec.params, ask.options) for ask in asks]
    outputs = model.outputs(texts, progress=progress)
    faults = model.faults(texts)
    return [
        Answer(None, reason=fault) if fault else _by_text(output, ask.options)
        for ask, output, fault in zip(asks, outputs, faults, strict=True)
    ]


def in_text(
    model: ChatModel, spec: BbqSpec, asks: Sequence[Ask], progress: Progress, examples: Sequence[WorkedExample] = ()
) -> list[Answer]:
    """Return the option that the answer in text names, and the class of each answer.

    `examples` come before each question.
    """
    params = spec.params
    texts = [prompts.remote(ask.question, params, ask.options) for ask in asks]
    kept = chat_replies(model, params, texts, spec.seed, progress, examples, [ask.sample for ask in asks])
    return [_of_reply(one, ask, params) for ask, one in zip(asks, kept, strict=True)]


def _of_reply(kept: KeptReply, ask: Ask, params: BbqParams) -> Answer:
    unknown = ask.place(ask.question.unknown)
    found = parsed(params, kept.reply, ask.options, unknown, ask.question.question)
    return Answer(found.chosen, reason=REASONS.get(found.kind, ""), kind=found.kind, reply=kept.number)


def stored(answers: dict[str, StoredAnswer], asks: Sequence[Ask]) -> list[Answer]:
    """Return the imported answers. Their logits and places count the options in the order of the bank."""
    return [_of_stored(answers[ask.question.id], ask) for ask in asks]


def _of_stored(answer: StoredAnswer, ask: Ask) -> Answer:
    if answer.logits is not None:
        return Answer.of([answer.logits[place] for place in ask.order])
    if answer.chosen is not None:
        return Answer(ask.place(answer.chosen))
    return _by_text(answer.output or "", ask.options)


def _by_text(output: str, options: Sequence[str]) -> Answer:
    chosen = matched(output, options)
    return Answer(chosen, reason="" if chosen is not None else _unmatched(output))


def _unmatched(output: str) -> str:
    shown = " ".join(output.split())
    return f"the output {shown[:_MOST_SHOWN]!r} matches no option" if shown else "the output is empty"


def _by_largest(
    scores: np.ndarray, pairs: Sequence[Pair], faults: Callable[[Sequence[Pair]], list[str]]
) -> list[Answer]:
    """Return the largest of each row [items, options]. An item with an unscorable option has that option's fault."""
    without = np.flatnonzero(np.isnan(scores.ravel())).tolist()
    why = dict(zip(without, faults([pairs[index] for index in without]) if without else [], strict=True))
    return [
        Answer.of(row)
        if not np.isnan(row).any()
        else Answer(None, reason=next(why[place] for place in range(at, at + OPTIONS) if place in why))
        for at, row in zip(range(0, scores.size, OPTIONS), scores, strict=True)
    ]
