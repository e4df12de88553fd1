"""Names with the number of people who bear each, and the share of each ethnicity among them."""

from collections.abc import Mapping
from dataclasses import dataclass

from plumbline.spec.clean_text import fault_in, tidy
from plumbline.spec.errors import InputError

ASIAN, BLACK, LATINO, WHITE = "Asian", "Black", "Latino", "White"
"""Ethnicities, as BBQ's vocabulary_proper_names.csv writes them."""
LONGEST = 100


@dataclass(frozen=True, slots=True)
class Counted:
    """A name with its count and shares, from 0 to 1."""

    name: str
    count: int
    shares: Mapping[str, float]
    gender: str = ""
    """F or M if the table has it."""


def name_of(cell: object, place: str) -> str:
    """Return a name as people write it, even if the table has it in capitals. Raises InputError for what is no name."""
    text = tidy(str(cell or ""))
    if not text or len(text) > LONGEST:
        raise InputError(f"{place}: the name is empty or longer than {LONGEST} characters.")
    if fault := fault_in(text):
        raise InputError(f"{place}: the name {fault}.")
    return text.capitalize() if text.isupper() else text


def number_of(cell: object, place: str, column: str, most: float = 1e9) -> float:
    """Return the number. Raises InputError for what is no number from 0 to `most`."""
    try:
        number = float(str(cell).strip())
    except ValueError:
        number = -1.0
    if not 0 <= number <= most:
        raise InputError(f"{place}: {column} is {str(cell)[:40]!r}; write a number from 0 to {most:,.0f}.")
    return number
