"""Worked examples of BBQ: questions with their right answers before the one that is asked.

They come from templates that the audit does not ask, each from another one. They are balanced over what they could
teach: the condition, the place of the right answer, whether it is the biased one, and the question's polarity.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import NamedTuple

from plumbline.methods.bbq import prompts
from plumbline.methods.bbq.params import BbqParams
from plumbline.methods.bbq.prompts import Order
from plumbline.spec.answers.chat_question import LETTERS, WorkedExample
from plumbline.spec.answers.worked_examples import order_by_chance
from plumbline.spec.banks.bbq_question import AMBIG, DISAMBIG, NEGATIVE, NON_NEGATIVE, OPTIONS, Question
from plumbline.spec.errors import SpecError

_TURNS = 2
"""Conditions, and also polarities: examples take them in turn."""
Template = tuple[str, str]
"""Category and number. Labels and proper names share them."""


class Kind(NamedTuple):
    """What a question may teach. Its parts are sorted by how much they matter."""

    condition: str
    biased: bool
    """Whether the right answer is the biased one. No answer to an ambiguous question is both."""
    polarity: str

    def fit(self, other: "Kind") -> tuple[bool, ...]:
        return tuple(one == two for one, two in zip(self, other, strict=True))


Pool = dict[Template, dict[Kind, list[Question]]]


@dataclass(frozen=True, slots=True)
class Example:
    """A question with the order of its options."""

    question: Question
    order: Order


def drawn(bank: Sequence[Question], asked: Sequence[Question], count: int, seed: int) -> list[Example]:
    """Return `count` examples that depend on the seed, the bank, and the templates that are asked.

    Questions with a known fault give none. Raises SpecError for too few templates.
    """
    random, pool = Random(seed), unasked(bank, asked)  # noqa: S311 -- a sample, no secret
    if len(pool) < count:
        raise SpecError(
            f"params.few_shot {count} needs {count} templates, and few_shot_bank has {len(pool)} whose number, context"
            " and question are not asked: name another bank, or categories that are not asked."
        )
    left = sorted(pool)
    random.shuffle(left)
    found = [_example(left, pool, kind, place, random) for kind, place in _wanted(count, random)]
    random.shuffle(found)
    return found


def unasked(bank: Sequence[Question], asked: Sequence[Question]) -> Pool:
    """Return the sound questions of the bank, without templates that are asked under any name."""
    names, texts = {_template(one) for one in asked}, {text for one in asked for text in _wordings(one)}
    others = [one for one in bank if _template(one) not in names]
    taken = {_template(one) for one in others if not texts.isdisjoint(_wordings(one))}
    pool: Pool = {}
    for one in others:
        if not one.flags and _template(one) not in taken:
            pool.setdefault(_template(one), {}).setdefault(_kind(one), []).append(one)
    return pool


def worked(example: Example, params: BbqParams) -> WorkedExample:
    """Return the two turns: the question as every other one, and the letter of the right answer."""
    question = example.question
    text = prompts.remote(question, params, prompts.in_order(question, example.order))
    return WorkedExample(text, LETTERS[example.order.index(question.gold)])


def _template(question: Question) -> Template:
    return question.category, question.template


def _wordings(question: Question) -> tuple[str, ...]:
    """Return context and question without the words for the two people.

    Templates of several files may share one of them: then they are one template for an example.
    """
    people = _people(tuple(label for place, label in enumerate(question.labels) if place != question.unknown))
    return tuple(" ".join(people.sub("{}", text).casefold().split()) for text in (question.context, question.question))


@cache
def _people(labels: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(labels, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)", re.IGNORECASE)


def _wanted(count: int, random: Random) -> Iterator[tuple[Kind, int]]:
    """Yield the kind of each example and the place of its right answer, each value about equally often."""
    conditions, polarities = (random.sample(two, _TURNS) for two in ((AMBIG, DISAMBIG), (NEGATIVE, NON_NEGATIVE)))
    biased, first = random.randrange(_TURNS), random.randrange(OPTIONS)
    for number in range(count):
        pair, condition = number // _TURNS, conditions[number % _TURNS]
        aligned = condition == DISAMBIG and (pair + biased) % _TURNS == 0
        yield Kind(condition, aligned, polarities[(pair // _TURNS + number) % _TURNS]), (number + first) % OPTIONS


def _example(left: list[Template], pool: Pool, kind: Kind, place: int, random: Random) -> Example:
    """Return an example of the first template that fits best, and take the template out of those left."""
    best = max(left, key=lambda one: max(map(kind.fit, pool[one])))
    left.remove(best)
    question = random.choice(pool[best][max(pool[best], key=kind.fit)])
    return Example(question, order_by_chance(question.gold, place, random))


def _kind(question: Question) -> Kind:
    return Kind(question.condition, question.gold == question.biased, question.polarity)
