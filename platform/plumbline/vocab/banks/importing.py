"""A bank's import: all of its questions or nothing."""

from collections.abc import Callable, Sequence
from pathlib import Path

from django.core.exceptions import ValidationError
from django.db import transaction

from plumbline.spec.digests import digest
from plumbline.spec.errors import InputError
from plumbline.vocab.banks import contexts_file, gap_file, socialiqa
from plumbline.vocab.banks.bbq import generated, published_examples
from plumbline.vocab.banks.reading import Questions
from plumbline.vocab.models import Bank, BankItem

KINDS: dict[str, Callable[[Path], Questions]] = {
    Bank.Kind.GAP.value: gap_file.questions,
    Bank.Kind.SOCIAL_IQA.value: socialiqa.questions,
    Bank.Kind.CONTEXTS.value: contexts_file.questions,
    Bank.Kind.BBQ.value: published_examples.questions,
}
"""How the files of each kind are read."""


def import_bank(
    kind: str, path: Path, slug: str, title: str = "", categories: Sequence[str] = ()
) -> tuple[Bank, list[str]]:
    """A new bank of the questions of these files, and notices for who imports it; of BBQ only these categories.

    Raises InputError for an unknown kind, for a faulty line, naming file and line, or for a slug that is taken; then
    nothing has changed.
    """
    if kind not in KINDS:
        raise InputError(f"unknown kind of bank {kind!r}; the kinds are {', '.join(KINDS)}.")
    questions = (
        published_examples.questions(path, categories) if categories and _has_categories(kind) else KINDS[kind](path)
    )
    return create(kind, path, slug, questions, title)


def generate_bank(
    kind: str, path: Path, slug: str, title: str, seed: int, categories: Sequence[str] = (), original: bool = False
) -> tuple[Bank, list[str]]:
    """A new bank of questions made from the templates of a folder. Raises InputError as import_bank."""
    if kind != Bank.Kind.BBQ.value:
        raise InputError(f"only questions of the kind {Bank.Kind.BBQ.value} are made from templates, not of {kind!r}.")
    return create(kind, path, slug, generated.questions(path, seed, categories, original), title)


def _has_categories(kind: str) -> bool:
    """Raises InputError where they cannot be chosen."""
    if kind != Bank.Kind.BBQ.value:
        raise InputError(f"the files of {kind} have no categories: leave --categories out.")
    return True


def create(kind: str, path: Path | str, slug: str, questions: Questions, title: str = "") -> tuple[Bank, list[str]]:
    """A new bank of questions that were read, or made, from a path or file. Raises InputError where there is none."""
    if not questions.items:
        raise InputError(f"{path} holds no question: name a file of the kind {kind}.")
    about = {**questions.about, **({"title": title} if title else {})}
    bank = Bank(slug=slug, kind=kind, digest=digest(questions.items), imported_from=questions.imported_from, **about)
    with transaction.atomic():
        _refuse_taken(bank)
        save(bank, questions)
    return bank, questions.notices


def save(bank: Bank, questions: Questions) -> None:
    """Write the bank with these questions in place of those that it has. InputError for what it says of itself."""
    try:
        bank.full_clean()
    except ValidationError as error:
        raise InputError(f"bank {bank.slug!r}: {'; '.join(error.messages)}") from None
    bank.save()
    bank.entries.all().delete()
    rows = (BankItem(bank=bank, position=place, content=item) for place, item in enumerate(questions.items, start=1))
    BankItem.objects.bulk_create(rows, batch_size=1000)


def _refuse_taken(bank: Bank) -> None:
    if (other := Bank.objects.filter(slug=bank.slug).first()) is not None:
        same = "holds just these questions" if other.digest == bank.digest else "holds other questions"
        raise InputError(f"there is a bank {bank.slug!r} already, which {same}: choose another --into, or delete it.")
