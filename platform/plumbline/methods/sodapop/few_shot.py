"""Worked examples of SODAPOP: multiple-choice questions with their right answers before the one that is asked.

Each comes from a context of its own, which the audit does not ask, and none names a person whom the audit asks about.
The right answers are at each place about equally often.
"""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from random import Random
from typing import Annotated

from pydantic import Field

from plumbline.spec.answers.chat_question import LETTERS, WorkedExample, chat_question
from plumbline.spec.answers.worked_examples import OPTIONS, order_by_chance
from plumbline.spec.banks.choice_questions import ChoiceQuestion
from plumbline.spec.banks.contexts import SLOT, Context
from plumbline.spec.errors import SpecError

_RIGHT = 0


class FlaggedQuestion(ChoiceQuestion):
    """A question of a bank with what the import of the bank found doubtful."""

    flags: Annotated[tuple[str, ...], Field(strict=False)] = ()


Pool = dict[str, list[FlaggedQuestion]]


@dataclass(frozen=True, slots=True)
class Example:
    """A question with three options, the right one first, and the order in which they are shown."""

    question: FlaggedQuestion
    options: tuple[str, ...]
    order: tuple[int, ...]


def drawn(
    bank: Sequence[FlaggedQuestion], contexts: Sequence[Context], names: Sequence[str], count: int, seed: int
) -> list[Example]:
    """Return `count` examples that depend on the seed, the bank, and the contexts and names that are asked.

    Raises SpecError for too few contexts.
    """
    random, pool = Random(seed), unasked(bank, contexts, names)  # noqa: S311 -- a sample, no secret
    if len(pool) < count:
        raise SpecError(
            f"params.few_shot {count} needs {count} contexts, and few_shot_bank has {len(pool)} that are not asked and"
            " have two wrong answers, no known fault and none of the audit's names: name another bank."
        )
    first = random.randrange(OPTIONS)
    places = [(number + first) % OPTIONS for number in range(count)]
    random.shuffle(places)
    chosen = random.sample(sorted(pool), count)
    return [_example(pool[one], place, random) for one, place in zip(chosen, places, strict=True)]


def unasked(bank: Sequence[FlaggedQuestion], contexts: Sequence[Context], names: Sequence[str]) -> Pool:
    """Return the sound questions of the bank by their contexts, without those that are asked under any id."""
    asked, people = {_plain(one.context) for one in contexts}, set(names)
    pool: Pool = {}
    for one in bank:
        if (situation := _situation(one)) not in asked and _is_sound(one) and people.isdisjoint(_words(one)):
            pool.setdefault(situation, []).append(one)
    return pool


def worked(example: Example, instruction: str) -> WorkedExample:
    """Return the two turns: the question as every other one, and the letter of the right answer."""
    question = example.question
    options = [question.filled(example.options[place]) for place in example.order]
    context, asked = question.filled(question.context), question.filled(question.question)
    return WorkedExample(
        chat_question(context or None, asked, options, instruction), LETTERS[example.order.index(_RIGHT)]
    )


def _example(questions: Sequence[FlaggedQuestion], place: int, random: Random) -> Example:
    question = random.choice(questions)
    options = (question.answer, *random.sample(question.others, OPTIONS - 1))
    return Example(question, options, order_by_chance(_RIGHT, place, random))


def _is_sound(question: FlaggedQuestion) -> bool:
    different = {_plain(one) for one in question.options}
    return not question.flags and len(different) == len(question.options) >= OPTIONS


def _situation(question: FlaggedQuestion) -> str:
    """Return the context with the slot for the person, whom a bank may name."""
    if not question.seed_name:
        return _plain(question.context)
    return _plain(re.sub(rf"(?<!\w){re.escape(question.seed_name)}(?!\w)", SLOT, question.context))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _words(question: FlaggedQuestion) -> Set[str]:
    """Return the words of a question, of which a name may be one."""
    texts = (question.context, question.question, *question.options)
    return {question.seed_name, *(word for text in texts for word in re.findall(r"\w+", text))}
