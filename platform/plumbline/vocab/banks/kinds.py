"""Kinds of bank, and how each is created.

The module `bank_kinds` of a method lists the kinds of its questions in BANK_KINDS.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from plumbline.spec.errors import InputError
from plumbline.spec.registry import all_contributed
from plumbline.vocab.banks import choices, contexts_file, socialiqa
from plumbline.vocab.banks.reading import Questions


class Generate(Protocol):
    """A function that makes questions from the templates of a folder, by a seed."""

    def __call__(
        self, path: Path, seed: int = 0, categories: Sequence[str] = (), original: bool = False
    ) -> Questions: ...


@dataclass(frozen=True, slots=True)
class BankKind:
    """The label of a kind, and functions that read its questions from files and generate them from templates.

    Each function raises InputError.
    """

    label: str
    """The kind's name for readers, such as `GAP: gendered ambiguous pronouns`."""
    read: Callable[[Path], Questions]
    read_categories: Callable[[Path, Sequence[str]], Questions] | None = None
    """Reads only these categories. None if the questions have no categories."""
    generate: Generate | None = None
    """None if the questions are not generated from templates."""
    starter: Path | None = None
    """A folder whose starter.yaml lists banks of this kind that come with Plumbline."""
    item_columns: tuple[str, ...] = ()
    """The columns of the admin's list of one bank's questions. If empty, the list has the columns of all kinds."""
    templates_page: str = ""
    """The name of the page on which people validate the bank's templates. Empty if the kind has no templates."""
    formats: Mapping[str, Callable[[Path], Questions]] = field(default_factory=dict)
    """The reader of each format that --format may name, if files of the kind have several."""


OWN: Mapping[str, BankKind] = {
    "socialiqa": BankKind("Social IQa: situations with a question about a person", socialiqa.questions),
    "contexts": BankKind(
        "Contexts: your own situations with a question about a person",
        contexts_file.questions,
        formats={"csv": contexts_file.questions, "choices": choices.questions},
    ),
}
"""The kinds that several methods use."""
ANSWERS = "answers"
"""The kind of a bank that `bank import-predictions` creates: what a model answered elsewhere. No file is read as it."""


def bank_kinds() -> dict[str, BankKind]:
    """Return all kinds of bank by name."""
    return {**OWN, **all_contributed("bank_kinds", "BANK_KINDS")}


def kind_labels() -> dict[str, str]:
    """Return the label of each kind that a bank may have."""
    answers = {ANSWERS: "Answers: what a model answered elsewhere to the questions of a bank"}
    return {name: kind.label for name, kind in bank_kinds().items()} | answers


def bank_kind(kind: str) -> BankKind:
    """Return the kind of that name. Raises InputError if there is none."""
    kinds = bank_kinds()
    if kind not in kinds:
        raise InputError(f"unknown kind of bank {kind!r}; the kinds are {', '.join(kinds)}.")
    return kinds[kind]
