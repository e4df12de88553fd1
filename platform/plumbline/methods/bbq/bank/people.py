"""The two people of a set, and the fills of their slots."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from plumbline.methods.bbq.bank.vocabulary import Label


@dataclass(frozen=True, slots=True)
class Person:
    """One of two people: the fills of the slots by their names without the number, the whole label, and the group."""

    fills: Mapping[str, str]
    label: str
    code: str


Pair = tuple[Person, Person]
"""Two people. The first one fills the first slots."""
Together = tuple[Pair, ...]
"""Pairs that share their filler words."""


def person_of_label(label: Label) -> Person:
    """Return a person who is named by the group's label alone."""
    return labelled(label.text, label.code)


def labelled(text: str, code: str) -> Person:
    return Person({"NAME": text}, text, code)


def both_orders(first: Person, second: Person) -> tuple[Pair, Pair]:
    return (first, second), (second, first)


def with_own_fillers(pairs: Iterator[Pair]) -> Iterator[Together]:
    """Return the pairs, each with filler words of its own."""
    return ((pair,) for pair in pairs)


def fills_of(pair: Pair) -> dict[str, str]:
    """Return the fills of the slots NAME1, NAME2 and, of intersectional templates, GEN1, OCC2 and so on."""
    return {f"{slot}{place}": text for place, person in enumerate(pair, start=1) for slot, text in person.fills.items()}
