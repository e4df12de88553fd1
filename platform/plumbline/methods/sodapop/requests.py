"""The questions of the asking phase as requests to a chat endpoint: the text of each, and how many there may be."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from plumbline.methods.sodapop.sizes import WORD, rows
from plumbline.spec.answers.chat_question import WorkedExample, chat_question, tokens_of
from plumbline.spec.banks.contexts import Context, filled
from plumbline.spec.content import Name

if TYPE_CHECKING:
    from plumbline.methods.sodapop.spec import SodapopSpec

OPTIONS = 3


def turn(context: Context, name: str, options: Sequence[str], instruction: str = "") -> str:
    """Return the turn of a chat that asks a question: the name in its context, the question and three options."""
    return chat_question(filled(context.context, name), filled(context.question, name), options, instruction)


def item_of(context: str, name: str, *question: int) -> str:
    """Return the name of a question in records, or what the questions of a cell begin with."""
    return ", ".join([context, name, *map(str, question)])


def most_requests(
    spec: "SodapopSpec", contexts: Sequence[Context], names: Sequence[Name], examples: Sequence[WorkedExample]
) -> tuple[int, int]:
    """Return the largest number of requests, and an estimate of the tokens that the endpoint then reads.

    How many distractors there are is known after the generating phase. Each is about as long as the right answer.
    """
    cells = [(context, name) for context in contexts for name in names]
    counts = list(_most_questions(spec, contexts, names))
    before = len(spec.params.system) + sum(map(len, chain.from_iterable(examples)))
    lengths = (before + len(turn(*_asked(*cell), spec.params.instruction)) for cell in cells)
    return sum(counts), tokens_of(count * length for count, length in zip(counts, lengths, strict=True))


def _asked(context: Context, name: Name) -> tuple[Context, str, list[str]]:
    return context, name.name, [filled(context.answer, name.name)] * OPTIONS


def _most_questions(spec: "SodapopSpec", contexts: Sequence[Context], names: Sequence[Name]) -> Iterator[int]:
    """Yield the largest number of questions of each cell, context by context. Each has two distractors."""
    most = spec.cap(len(contexts))
    for context in contexts:
        words = [len(WORD.findall(filled(context.answer, name.name))) for name in names]
        own = [rows(count, spec.params, most) for count in words]
        if spec.params.pool == "shared":
            pool = sum(own) if most is None else min(sum(own), most)
            own = [pool] * len(own)
        yield from (count // 2 for count in own)
