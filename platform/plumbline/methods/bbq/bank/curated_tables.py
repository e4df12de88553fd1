"""A curator's own tables, sent together: the questions that they make, or all of their faults."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from plumbline.methods.bbq.bank import generated, templates, vocabulary
from plumbline.methods.bbq.bank.collected_faults import Gathered
from plumbline.methods.bbq.bank.sets import SIZE
from plumbline.methods.bbq.bank.templates import Placed
from plumbline.spec.banks.bbq_question import Question
from plumbline.spec.errors import InputError
from plumbline.vocab.banks.reading import Questions
from plumbline.vocab.bundles import Sent

MOST_ROWS, MOST_WORDS = 5_000, 10_000
MOST_QUESTIONS = 60_000
"""The size of BBQ. A page waits for so many; the command line makes more."""
SHOWN = 3
"""The number of questions in a preview."""


@dataclass(frozen=True, slots=True)
class Tables:
    """Templates, and the words that fill those without lists of their own."""

    templates: tuple[Sent, ...]
    labels: Sent | None = None
    names: Sent | None = None


@dataclass(frozen=True, slots=True)
class Count:
    """The questions of one template, all its versions together."""

    category: str
    template: str
    versions: int
    questions: int

    @property
    def sets(self) -> int:
        return self.questions // SIZE


@dataclass(frozen=True, slots=True)
class Draft:
    """The questions of some tables by one seed."""

    questions: Questions
    counts: Sequence[Count]
    examples: Sequence[Question]
    """Questions of different templates, if there are several."""


def draft(tables: Tables, seed: int) -> Draft:
    """Return the draft.

    Raises FaultyTablesError with all faults, and InputError for no template or too much of anything.
    """
    faults = Gathered()
    rows, told = templates.read(tables.templates, faults.hold)
    words, heard = vocabulary.read_files(tables.labels, tables.names, faults.hold)
    _check_size(rows, len(words.labels) + len(words.names))
    items = generated.items_of(rows, words, seed, hold=faults.hold, most=MOST_QUESTIONS)
    faults.check()
    if not items:
        raise InputError(f"{tables.templates[0].name} holds no template: fill the column Ambiguous_Context.")
    made = generated.questions_of(items, f"seed {seed}: {', '.join(file.name for file in _files(tables))}", [])
    return Draft(_with_notices(made, [*told, *heard]), _counts(items), _examples(items))


def _files(tables: Tables) -> list[Sent]:
    return [*tables.templates, *(file for file in (tables.labels, tables.names) if file)]


def _with_notices(made: Questions, notices: list[str]) -> Questions:
    """Return the questions with these notices. The counts by category are left out: the preview has a table of them."""
    return Questions(made.items, made.imported_from, made.about, [*notices, *made.notices[1:]])


def _check_size(rows: Sequence[Placed], words: int) -> None:
    if len(rows) > MOST_ROWS or words > MOST_WORDS:
        raise InputError(
            f"there are {len(rows):,} rows of templates and {words:,} words; a page takes at most {MOST_ROWS:,} and"
            f" {MOST_WORDS:,}: split them, or use manage.py bank generate."
        )


def _counts(items: Sequence[Question]) -> list[Count]:
    versions: dict[tuple[str, str], set[str]] = {}
    for item in items:
        versions.setdefault((item.category, item.template), set()).add(item.version)
    questions = Counter((item.category, item.template) for item in items)
    return [Count(*key, len(found), questions[key]) for key, found in versions.items()]


def _examples(items: Sequence[Question]) -> list[Question]:
    """Return the first disambiguated question of each of the first templates. It holds both parts of the text."""
    first: dict[str, Question] = {}
    for item in items:
        if item.condition == "disambig":
            first.setdefault(f"{item.category} {item.template}", item)
    return list(first.values())[:SHOWN]
