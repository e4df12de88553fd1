"""Multiple-choice questions of any source as contexts: those rows that are about one person whose gender stays open.

The others are left out, each with its first reason.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plumbline.spec.banks.contexts import SLOT
from plumbline.spec.errors import InputError
from plumbline.spec.numbers import counted
from plumbline.vocab.banks import choices_file
from plumbline.vocab.banks.choices_file import Choice
from plumbline.vocab.banks.definitional import gendered_words
from plumbline.vocab.banks.neutral import neutral
from plumbline.vocab.banks.people_named import known_names, people_in
from plumbline.vocab.banks.prompts import follows, prompt_of
from plumbline.vocab.banks.reading import Questions, named
from plumbline.vocab.banks.slots import left_names, slotted

ABOUT = {"title": "Contexts from multiple-choice questions", "source": "", "licence": "", "origin": ""}
NO_NAME = "no known name, and none marked"
SEVERAL = "several names"
NOT_THERE = "the name is not in the context or question"
OTHER_FORM = "the name stays in another form"
NO_PROMPT = "no prompt is known for the question"
UNFIT = "the right answer does not follow the prompt"
GENDER = "a pronoun gives the gender away"
MOST_SHOWN = 20


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A row that cannot be a context, with its reason and the words that show it."""

    line: int
    reason: str
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.line} ({', '.join(self.words)})" if self.words else str(self.line)


def questions(path: Path) -> Questions:
    """Return the contexts of a file. Raises InputError as `choices_file.read`, and if no row can be a context."""
    rows, notices = choices_file.read(path)
    known = known_names([one.question for one in rows], [one.context for one in rows])
    found = [context_of(row, known) for row in rows]
    items = [one for one in found if not isinstance(one, LeftOut)]
    told = [*notices, *_notices(items, [one for one in found if isinstance(one, LeftOut)])]
    if not items:
        raise InputError(f"{path.name}: {' '.join(told)}")
    return Questions(items, named([path]), ABOUT, told)


def context_of(row: Choice, known: frozenset[str]) -> dict[str, Any] | LeftOut:
    """Return the context that a row becomes, or why it cannot be one."""
    name, reason, shown = _person(row, known)
    if reason:
        return LeftOut(row.line, reason, shown)
    texts = [row.context, row.question, row.prompt, *row.options]
    put = [slotted(text, name) if name else text for text in texts]
    if not any(SLOT in text for text in put[:2]):
        return LeftOut(row.line, NOT_THERE, (name,))
    if left := [word for text in put if name for word in left_names(text, name)]:
        return LeftOut(row.line, OTHER_FORM, tuple(dict.fromkeys(left)))
    pairs = [neutral(text) for text in put]
    flags = [flag for _, some in pairs for flag in some]
    if revealing := [flag.partition(": ")[2] for flag in flags if flag.startswith("pronoun left")]:
        return LeftOut(row.line, GENDER, tuple(dict.fromkeys(revealing)))
    return _prompted(row, name, [text for text, _ in pairs], flags)


def _person(row: Choice, known: frozenset[str]) -> tuple[str, str, tuple[str, ...]]:
    """Return the person's name ("" if the slot marks it already), or a reason with the names that it is about."""
    texts = (row.context, row.question, row.prompt, *row.options)
    if row.name or any(SLOT in text for text in texts):
        return row.name, "", ()
    people = people_in(texts, known)
    if len(people) == 1:
        return people[0], "", ()
    return "", SEVERAL if people else NO_NAME, tuple(people)


def _prompted(row: Choice, name: str, texts: Sequence[str], flags: Sequence[str]) -> dict[str, Any] | LeftOut:
    context, question, own, *options = texts
    answer = options.pop(row.right)
    prompt = own or prompt_of(question, answer)
    if not prompt:
        return LeftOut(row.line, NO_PROMPT, (question,))
    if not own and not follows(prompt, answer):
        return LeftOut(row.line, UNFIT, (answer,))
    words = [word for text in (context, question, prompt, answer, *options) for word in gendered_words(text)]
    return {
        "id": row.id,
        "context": context,
        "question": question,
        "prompt": prompt,
        "answer": answer,
        "others": options,
        "seed_name": name,
        "flags": list(dict.fromkeys([*flags, *(f"gendered word: {word}" for word in words)])),
    }


def _notices(items: Sequence[dict[str, Any]], left: Sequence[LeftOut]) -> Iterator[str]:
    yield f"{len(items):,} of {counted(len(items) + len(left), 'row')} can be contexts."
    for reason in dict.fromkeys(one.reason for one in left):
        lines = [str(one) for one in left if one.reason == reason]
        more = f" and {len(lines) - MOST_SHOWN:,} more" if len(lines) > MOST_SHOWN else ""
        yield f"left out, {reason}: {counted(len(lines), 'row')}, on line {', '.join(lines[:MOST_SHOWN])}{more}."
    if flagged := [item["id"] for item in items if item["flags"]]:
        yield f"{len(flagged):,} of the contexts are flagged. Look at them in the admin, and choose with `only`."
