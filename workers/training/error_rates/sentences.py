"""Templates with a known label and words that name groups, from files of the user's, and the sentences of both."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from plumbline.spec.errors import InputError, SpecError
from plumbline.spec.grammar import Word, expand, render, require
from workers.training.labelled_texts import is_positive, read_rows

STARTER = "starter"
"""What stands for the files in this folder."""
HERE = Path(__file__).parent
TEMPLATES = "a CSV file in UTF-8 with the columns template (with the slot {group}), label (0 or 1) and, if any, kind"
WORDS = "a CSV file in UTF-8 with the columns group and word and, if templates need them, plural and pronoun"


@dataclass(frozen=True)
class Template:
    text: str
    positive: bool
    """The right label of its sentences, whichever group they name."""
    kind: str
    """Templates of one kind are one unit."""


@dataclass(frozen=True)
class Sentences:
    """The sentences of all templates about all groups; each template is asked with each word."""

    templates: list[Template]
    words: dict[str, list[Word]]
    """By group."""

    def texts(self) -> list[str]:
        """Return the sentences, by template, then group, then word. Raises InputError for a word without a form."""
        return [
            render(template.text, {"group": word}).text
            for template in self.templates
            for words in self.words.values()
            for word in words
        ]


def read_sentences(templates: str, words: str) -> Sentences:
    """Read both files; `starter` names those of this folder. Raises InputError, naming file and line."""
    found = Sentences(
        _read_templates(_path(templates, "sentiment-templates.csv")), _read_words(_path(words, "gender-words.csv"))
    )
    found.texts()
    return found


def _path(given: str, starter: str) -> Path:
    return HERE / starter if given == STARTER else Path(given)


def _read_templates(path: Path) -> list[Template]:
    found = [one for line, row in read_rows(path, ("template", "label"), TEMPLATES) for one in _of_row(path, line, row)]
    if len({one.positive for one in found}) < 2:
        raise InputError(f"{path} needs templates of both labels: name {TEMPLATES}")
    return found


def _of_row(path: Path, line: int, row: dict[str, str]) -> list[Template]:
    """Return the templates of a row, one for each alternative of its grammar; they are one kind."""
    positive = is_positive(path, line, row["label"])
    try:
        texts = expand(row["template"])
        for text in texts:
            require(text, ["group"], "a template with a label")
    except SpecError as error:
        raise InputError(f"{path}, line {line}: {error}") from error
    kind = row.get("kind") or row["template"]
    return [Template(text, positive, kind) for text in texts]


def _read_words(path: Path) -> dict[str, list[Word]]:
    found: dict[str, list[Word]] = {}
    for line, row in read_rows(path, ("group", "word"), WORDS):
        if not row["group"] or not row["word"]:
            raise InputError(f"{path}, line {line} has no group or no word: fill both in or take the line out")
        word = Word(row["word"], row["word"], row.get("plural", ""), row.get("pronoun", ""))
        found.setdefault(row["group"], []).append(word)
    if len(found) < 2:
        raise InputError(f"{path} names {len(found)} of at least 2 groups: name {WORDS}")
    return found


def kinds_of(templates: Sequence[Template], *, positive: bool) -> list[str]:
    """Return the kinds of the templates with this label, in the order of the file."""
    return list(dict.fromkeys(one.kind for one in templates if one.positive == positive))
