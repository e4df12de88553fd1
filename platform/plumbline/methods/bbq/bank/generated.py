"""Banks of BBQ from templates and vocabularies: the published ones, or a curator's own in their format."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from plumbline.methods.bbq.bank import folder, templates, vocabulary
from plumbline.methods.bbq.bank.collected_faults import Hold
from plumbline.methods.bbq.bank.draws import Draws
from plumbline.methods.bbq.bank.import_notices import notices_of
from plumbline.methods.bbq.bank.intersectional_pairs import of_crossings
from plumbline.methods.bbq.bank.labels import of_own_lists, of_vocabulary
from plumbline.methods.bbq.bank.names import of_names
from plumbline.methods.bbq.bank.people import Together
from plumbline.methods.bbq.bank.published_examples import without_repeats
from plumbline.methods.bbq.bank.set_of_questions import filler_words, set_of
from plumbline.methods.bbq.bank.sets import SIZE
from plumbline.methods.bbq.bank.templates import Placed, Template
from plumbline.methods.bbq.bank.vocabulary import Vocabulary
from plumbline.spec.banks.bbq_question import Question
from plumbline.spec.errors import InputError
from plumbline.spec.faults import in_one_line
from plumbline.vocab.banks.reading import Questions

ABOUT = {
    "title": "BBQ questions, generated",
    "source": "Templates in the format of Parrish et al. 2022, BBQ",
    "licence": "As the templates; those of nyu-mll/BBQ are CC-BY-4.0",
    "origin": "As the templates",
}
DEFAULT_SEED = 0
MOST_QUESTIONS = 500_000


def questions(
    path: Path, seed: int = DEFAULT_SEED, categories: Sequence[str] = (), original: bool = False
) -> Questions:
    """Return sets of four for each template. Raises InputError naming file and line of the first fault.

    `original` reads lists of words as the authors' parser did, which gives their number of examples.
    """
    files = [path] if path.is_file() else folder.template_files(path)
    rows, told = templates.read(files)
    chosen = _chosen(path, rows, categories)
    words, heard = vocabulary.read(path.parent if path.is_file() else path)
    items = items_of(chosen, words, seed, original)
    lists = ", lists as the authors read them" if original else ""
    return questions_of(items, f"seed {seed}{lists}: {', '.join(file.name for file in files)}", [*told, *heard])


def questions_of(made: Sequence[Question], by: str, notices: Sequence[str]) -> Questions:
    """Return the questions of `items_of` as a bank takes them; `by` names seed and files."""
    items = without_repeats(made)
    contents = [item.model_dump(mode="json") for item in items]
    return Questions(contents, by[:1000], ABOUT, [*notices, *notices_of(items)])


def _chosen(path: Path, rows: Sequence[Placed], categories: Sequence[str]) -> list[Placed]:
    known = dict.fromkeys(row.category for _, row in rows)
    if not known:
        raise InputError(f"{path} holds no table of templates: name a folder with templates in CSV.")
    if missing := [name for name in categories if name not in known]:
        raise InputError(f"{path} holds no templates of {missing[0]!r}; the categories are {', '.join(known)}.")
    return [(place, row) for place, row in rows if not categories or row.category in categories]


def items_of(
    rows: Sequence[Placed],
    words: Vocabulary,
    seed: int,
    original: bool = False,
    hold: Hold = nullcontext,
    most: int = MOST_QUESTIONS,
) -> list[Question]:
    """Return the questions of all rows. Raises InputError for too many, or a faulty row unless `hold` collects all.

    They are numbered within the version of their template: "Age 3b 17" is none of the published "Age 17", and an
    edit of one template renames no other's.
    """
    of_category: Counter[str] = Counter()
    of_name: Counter[str] = Counter()
    twins: Counter[str] = Counter()
    found: list[Question] = []
    for place, row in rows:
        name = f"{row.category} {row.number}{row.version}"
        twins[name] += 1  # rows of one name differ in their lists
        with hold():
            contents = _with_place(place, _contents(row, words, Draws(seed, name, str(twins[name])), original))
            for content in islice(contents, most - len(found) + 1):
                numbered = {"id": f"{name} {of_name[name]}", "set": of_category[row.category] // SIZE}
                found.append(_question(place, {**content, **numbered}))
                of_name[name] += 1
                of_category[row.category] += 1
        if len(found) > most:
            raise InputError(
                f"{place}: up to here these make more than {most:,} questions; use fewer or shorter lists."
            )
    return found


def _with_place(place: str, contents: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Return the questions of a row. Raises InputError naming the row for what it cannot give."""
    try:
        yield from contents
    except KeyError as error:
        raise InputError(f"{place}: nothing fills the slot {error.args[0]}; correct it, or give its words.") from None
    except ValueError as error:
        raise InputError(f"{place}: {error}.") from None


def _contents(row: Template, words: Vocabulary, draws: Draws, original: bool) -> Iterator[dict[str, Any]]:
    for together in pairs_of(row, words, draws, original):
        shared = filler_words(row, draws)
        for pair in together:
            yield from set_of(row, pair, shared, draws)


def pairs_of(row: Template, words: Vocabulary, draws: Draws, original: bool = False) -> Iterator[Together]:
    """Return the people of a row, pair by pair. Raises ValueError if words are missing."""
    if row.intersectional:
        return of_crossings(row, words, draws)
    if row.proper:
        return of_names(row, words, draws)
    if row.fills.strip():
        return of_own_lists(row, original)
    return of_vocabulary(row, words, draws)


def _question(place: str, content: dict[str, Any]) -> Question:
    try:
        return Question.model_validate(content)
    except ValidationError as error:
        raise InputError(f"{place}: {in_one_line(error)}") from None
