"""Import of a question bank: all of its questions or nothing."""

from collections.abc import Sequence
from pathlib import Path

from django.core.exceptions import ValidationError
from django.db import transaction

from plumbline.spec.digests import digest
from plumbline.spec.errors import InputError
from plumbline.vocab.banks.kinds import bank_kind, bank_kinds
from plumbline.vocab.banks.reading import Questions
from plumbline.vocab.models import Bank, BankItem


def import_bank(
    kind: str, path: Path, slug: str, title: str = "", categories: Sequence[str] = (), format_name: str = ""
) -> tuple[Bank, list[str]]:
    """Create a bank of the questions of these files. Return it, and notices for its importer.

    `categories`: import only these. `format_name`: one of the kind's formats; empty: as the kind reads files without.
    Raises InputError for an unknown kind or format, for a faulty line, naming file and line, for categories if the
    kind has none, or for a slug that is taken; then nothing has changed.
    """
    return create(kind, path, slug, read_questions(kind, path, categories, format_name), title)


def read_questions(kind: str, path: Path, categories: Sequence[str] = (), format_name: str = "") -> Questions:
    """Return the questions of these files. Raises InputError as `import_bank`."""
    made = bank_kind(kind)
    if format_name and format_name not in made.formats:
        known = f"the formats are {', '.join(made.formats)}" if made.formats else "leave --format out"
        raise InputError(f"files of {kind} have no format {format_name!r}: {known}.")
    if not categories:
        read = made.formats[format_name] if format_name else made.read
        return read(path)
    if made.read_categories is None:
        raise InputError(f"the files of {kind} have no categories: leave --categories out.")
    return made.read_categories(path, categories)


def generate_bank(
    kind: str, path: Path, slug: str, title: str, seed: int, categories: Sequence[str] = (), original: bool = False
) -> tuple[Bank, list[str]]:
    """Create a bank of questions made from the templates of a folder. Raises InputError as import_bank."""
    generate = bank_kind(kind).generate
    if generate is None:
        able = [name for name, one in bank_kinds().items() if one.generate]
        raise InputError(f"only questions of the kind {', '.join(able)} are made from templates, not of {kind!r}.")
    return create(kind, path, slug, generate(path, seed, categories, original), title)


def create(kind: str, path: Path | str, slug: str, questions: Questions, title: str = "") -> tuple[Bank, list[str]]:
    """Create a bank of questions that were read, or generated, from a path. Raises InputError if there is none."""
    if not questions.items:
        raise InputError(f"{path} holds no question: name a file of the kind {kind}.")
    about = {**questions.about, **({"title": title} if title else {})}
    bank = Bank(slug=slug, kind=kind, digest=digest(questions.items), imported_from=questions.imported_from, **about)
    with transaction.atomic():
        _refuse_taken(bank)
        save(bank, questions)
    return bank, questions.notices


def save(bank: Bank, questions: Questions) -> None:
    """Write the bank with these questions in place of its present ones.

    Raises InputError for faulty fields of the bank.
    """
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
