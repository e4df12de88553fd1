"""The drill-down from a word to its cells, and from a cell to the questions in which the word misled the model."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Text, column, or_, select, table

from plumbline.results import statements
from plumbline.results.columns import VIEWS
from plumbline.results.tables import SCHEMA, record_table
from plumbline.results.terms import known_ids, texts_of

MOST_QUESTIONS = 20_000
"""The most questions of one name in one context with the word."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A word with a name in a context: the distractors with it, those that misled, and the expected number."""

    context: str
    group: str
    name: str
    shown: int
    chosen: int
    expected: float


@dataclass(frozen=True, slots=True)
class Question:
    """The right answer and two distractors with their scores. `chosen` names the highest, None without all scores."""

    number: int
    options: tuple[str, str, str]
    logits: tuple[float | None, float | None, float | None]
    chosen: str | None

    @property
    def shown(self) -> list[tuple[str, float | None, bool]]:
        """Each option with its score, and whether it was chosen."""
        roles = ("answer", "distractor_a", "distractor_b")
        return [(*one, role == self.chosen) for one, role in zip(self._scored(), roles, strict=True)]

    def _scored(self) -> list[tuple[str, float | None]]:
        return list(zip(self.options, self.logits, strict=True))

    @property
    def misled_by(self) -> str | None:
        """The distractor that was chosen, or None."""
        return next((text for text, _, is_chosen in self.shown[1:] if is_chosen), None)


def cells(run: int, word: str, contexts: Sequence[str], names: Sequence[str]) -> list[Cell]:
    """Return the cells of these contexts and names, the most frequent error first, by one index look-up each."""
    tally = record_table("tally")
    known = known_ids([word, *contexts, *names])
    if word not in known:
        return []
    places, people = ([known[one] for one in labels if one in known] for labels in (contexts, names))
    query = select(tally.c.context, tally.c.group, tally.c.name, tally.c.shown, tally.c.chosen, tally.c.expected).where(
        tally.c.run == run, tally.c.word == known[word], tally.c.context.in_(places), tally.c.name.in_(people)
    )
    found = statements.rows(query)
    labels = texts_of(number for row in found for number in row[:3])
    rows = [
        Cell(labels[place], labels[group], labels[name], shown, chosen, expected)
        for place, group, name, shown, chosen, expected in found
    ]
    return sorted(rows, key=lambda one: (-one.chosen, one.shown, one.context, one.name))


def questions(run: int, word: str, context: str, name: str) -> list[Question]:
    """Return the cell's questions whose distractors contain the word, also within a longer word, in order.

    At most MOST_QUESTIONS.
    """
    view = table("v_question", *(column(one) for one in VIEWS["question"]), schema=SCHEMA)
    own = (view.c.run == run, view.c.context == context, view.c.name == name)
    holds = [column(one, Text).contains(word, autoescape=True) for one in ("distractor_a", "distractor_b")]
    wanted = ("question", "answer", "distractor_a", "distractor_b", "logit_answer", "logit_a", "logit_b", "chosen")
    query = select(*(view.c[one] for one in wanted)).where(*own, or_(*holds)).order_by(view.c.question)
    return [
        Question(row[0], (row[1], row[2], row[3]), (row[4], row[5], row[6]), row[7])
        for row in statements.rows(query.limit(MOST_QUESTIONS))
    ]
