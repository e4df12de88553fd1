"""Kinds of bank, and how each is made. The module `bank_kinds` of a method has those of its questions in BANK_KINDS."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from plumbline.spec.errors import InputError
from plumbline.spec.registry import all_contributed
from plumbline.vocab.banks import contexts_file, socialiqa
from plumbline.vocab.banks.reading import Questions
from plumbline.vocab.models import Bank


class Generate(Protocol):
    """A function that makes questions from the templates of a folder, by a seed."""

    def __call__(
        self, path: Path, seed: int = 0, categories: Sequence[str] = (), original: bool = False
    ) -> Questions: ...


@dataclass(frozen=True, slots=True)
class BankKind:
    """Functions that read the questions of one kind from files, and generate them from templates.

    Each raises InputError.
    """

    read: Callable[[Path], Questions]
    read_categories: Callable[[Path, Sequence[str]], Questions] | None = None
    """Reads only these categories. None where the questions have no categories."""
    generate: Generate | None = None
    """None where the questions are not generated from templates."""
    starter: Path | None = None
    """A folder whose starter.yaml lists banks of this kind that come with Plumbline."""
    item_columns: tuple[str, ...] = ()
    """The columns of the admin's list of one bank's questions; none: those of all kinds."""
    templates_page: str = ""
    """The name of the page on which people validate the bank's templates."""
    formats: Mapping[str, Callable[[Path], Questions]] = field(default_factory=dict)
    """The reader of each format that --format may name, where files of the kind have several."""


OWN: Mapping[str, BankKind] = {
    Bank.Kind.SOCIAL_IQA.value: BankKind(socialiqa.questions),
    Bank.Kind.CONTEXTS.value: BankKind(contexts_file.questions),
}
"""The kinds that several methods use: `sodapop` and `name_embedding` take their contexts."""


def bank_kinds() -> dict[str, BankKind]:
    """Return all kinds of bank by name."""
    return {**OWN, **all_contributed("bank_kinds", "BANK_KINDS")}


def bank_kind(kind: str) -> BankKind:
    """Return the kind of that name. Raises InputError where there is none."""
    kinds = bank_kinds()
    if kind not in kinds:
        raise InputError(f"unknown kind of bank {kind!r}; the kinds are {', '.join(kinds)}.")
    return kinds[kind]
