"""What the tables tell of names: how many people bear each, and which share of them is of which ethnicity."""

from collections.abc import Mapping
from dataclasses import dataclass

from plumbline.spec.errors import InputError
from plumbline.vocab.text import fault_in, tidy

ASIAN, BLACK, LATINO, WHITE = "Asian", "Black", "Latino", "White"
"""As BBQ's vocabulary_proper_names.csv writes them."""
LONGEST = 100


@dataclass(frozen=True, slots=True)
class Counted:
    """A name with its count and shares, from 0 to 1."""

    name: str
    count: int
    shares: Mapping[str, float]
    gender: str = ""
    """F or M where the table tells it."""


def name_of(cell: object, place: str) -> str:
    """A name as people write it, where the table has it in capitals. InputError for what is none."""
    text = tidy(str(cell or ""))
    if not text or len(text) > LONGEST:
        raise InputError(f"{place}: the name is empty or longer than {LONGEST} characters.")
    if fault := fault_in(text):
        raise InputError(f"{place}: the name {fault}.")
    return text.capitalize() if text.isupper() else text


def number_of(cell: object, place: str, column: str, most: float = 1e9) -> float:
    """InputError for what is no number from 0 to `most`."""
    try:
        number = float(str(cell).strip())
    except ValueError:
        number = -1.0
    if not 0 <= number <= most:
        raise InputError(f"{place}: {column} is {str(cell)[:40]!r}; write a number from 0 to {most:,.0f}.")
    return number
