"""Banks of texts: one text per line of a file."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from plumbline.spec.errors import InputError
from plumbline.vocab.banks.kinds import BankKind
from plumbline.vocab.banks.reading import Questions, named
from plumbline.vocab.banks.text_file import text_of

ABOUT = {"title": "Held-out texts", "source": "", "licence": "", "origin": ""}
LONGEST = 5000


def texts(path: Path) -> Questions:
    """Return the texts of a file, plain or .gz, one per line; empty lines are left out, and a repeated text is kept
    once. Raises InputError for a file without texts, and for a line of more than 5,000 characters."""
    first: dict[str, int] = {}
    for number, text in _lines(path):
        first.setdefault(text, number)
    if not first:
        raise InputError(f"{path.name} holds no text: write one per line.")
    items = [{"id": str(number), "text": text} for text, number in first.items()]
    again = sum(1 for _ in _lines(path)) - len(items)
    return Questions(
        items, named([path]), ABOUT, [f"{again} lines repeat an earlier one and are left out."] * (again > 0)
    )


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text_of(path).splitlines(), start=1):
        text = line.strip()
        if len(text) > LONGEST:
            raise InputError(f"{path.name}, line {number}: it has {len(text):,} characters, more than {LONGEST:,}.")
        if text:
            yield number, text


STARTER = Path(__file__).with_name("starter")
BANK_KINDS: Mapping[str, BankKind] = {
    "texts": BankKind("Texts: ordinary text, to see how well a model predicts it", texts, starter=STARTER)
}
