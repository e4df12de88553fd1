"""Questions of SODAPOP in a chat: three options with letters in an order by chance, and what a reply chose."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from plumbline.methods.sodapop.requests import OPTIONS, item_of, turn
from plumbline.methods.sodapop.spec import SodapopParams, SodapopSpec
from plumbline.spec.answers.chat_question import WorkedExample
from plumbline.spec.answers.classes import REASONS, Parsed
from plumbline.spec.answers.option_names import option_key
from plumbline.spec.answers.reply import KeptReply
from plumbline.spec.banks.contexts import filled
from plumbline.spec.digests import digest
from workers.probes.chat_replies import ChatModel, chat_replies
from workers.probes.protocol import Progress
from workers.probes.reply_parsers import parsed
from workers.probes.sodapop.paired_cells import PairedCell
from workers.probes.sodapop.pairing import RIGHT, UNASKED
from workers.probes.sodapop.words import is_stop_word

OF_REPLIES = frozenset({"answer", "best", "choice", "correct", "final", "letter", "option", "question", "right"})
"""Words with which replies speak of options."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a cell. `places` are those of its options in the order asked; RIGHT is the right answer."""

    cell: PairedCell
    number: int
    places: tuple[int, ...]

    @property
    def options(self) -> list[str]:
        known = self.cell.options
        return [known[place + 1] for place in self.places]

    @property
    def item(self) -> str:
        """The name of the question in records, which occurs once in a run."""
        return item_of(self.cell.context.id, self.cell.name.name, self.number)


@dataclass(frozen=True, slots=True)
class Answered:
    """A question with what its reply answers, and the number of the reply in the store."""

    question: Question
    parsed: Parsed
    reply: int | None

    @property
    def choice(self) -> int:
        """The place of the chosen option, or UNASKED."""
        return UNASKED if self.parsed.chosen is None else self.question.places[self.parsed.chosen]

    @property
    def reason(self) -> str:
        """Why the answer chooses no option; empty if it does."""
        return REASONS.get(self.parsed.kind, "")


def questions_of(cell: PairedCell, seed: int) -> list[Question]:
    """Return the questions of a cell. An odd last distractor is in none."""
    return [Question(cell, number, _places(cell, seed, number)) for number in range(len(cell.texts) // 2)]


def _places(cell: PairedCell, seed: int, number: int) -> tuple[int, ...]:
    """Return the order of the options. It depends on the seed, the context, the name and the question only."""
    known = (RIGHT, 2 * number, 2 * number + 1)
    random = np.random.default_rng(int(digest([seed, cell.context.id, cell.name.name, number])[:32], 16))
    return tuple(known[index] for index in random.permutation(OPTIONS))


def answered(
    model: ChatModel,
    spec: SodapopSpec,
    cells: Sequence[PairedCell],
    progress: Progress,
    examples: Sequence[WorkedExample] = (),
) -> Iterator[tuple[PairedCell, list[Answered]]]:
    """Ask the questions of all cells together, then yield them by cell. `progress` counts distractors.

    `examples` come before each question.
    """
    asked = [questions_of(cell, spec.seed) for cell in cells]
    texts = [_turn(one, spec) for some in asked for one in some]
    kept = chat_replies(model, spec.params, texts, spec.seed, lambda count: progress(2 * count), examples)
    replies = iter(kept)
    for cell, some in zip(cells, asked, strict=True):
        yield cell, [read_reply(one, next(replies), spec.params) for one in some]


def _turn(question: Question, spec: SodapopSpec) -> str:
    cell = question.cell
    return turn(cell.context, cell.name.name, question.options, spec.params.instruction)


def read_reply(question: Question, kept: KeptReply, params: SodapopParams) -> Answered:
    """Return what a reply to a question answers, by the parser of the params."""
    cell = question.cell
    asked = filled(cell.context.question, cell.name.name)
    options = question.options if params.parser == "exact" else [_named(option) for option in question.options]
    return Answered(question, parsed(params, kept.reply, options, question=asked), kept.number)


def _named(option: str) -> str:
    """Return the text by which a reply may name an option; empty if its letter alone can.

    A distractor may be any word. In "The answer is B" neither "the" nor "answer" names an option, and "A" is a letter.
    """
    key = option_key(option)
    return "" if len(key) == 1 or key in OF_REPLIES or is_stop_word(key) else option
