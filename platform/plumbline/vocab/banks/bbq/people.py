"""The two people of a set, and what fills their slots."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from plumbline.vocab.banks.bbq.vocabulary import Label


@dataclass(frozen=True, slots=True)
class Person:
    """One of two: the fills of the slots by their names without the number, the label as a whole and the group."""

    fills: Mapping[str, str]
    label: str
    code: str


Pair = tuple[Person, Person]
"""Whoever fills the first slots goes first."""
Together = tuple[Pair, ...]
"""Pairs that share their filler words."""


def called(label: Label) -> Person:
    """A person of whom only the group's label is told."""
    return labelled(label.text, label.code)


def labelled(text: str, code: str) -> Person:
    return Person({"NAME": text}, text, code)


def both_orders(first: Person, second: Person) -> tuple[Pair, Pair]:
    return (first, second), (second, first)


def alone(pairs: Iterator[Pair]) -> Iterator[Together]:
    """Each with filler words of its own."""
    return ((pair,) for pair in pairs)


def fills_of(pair: Pair) -> dict[str, str]:
    """The slots NAME1, NAME2 and, of intersectional templates, GEN1, OCC2 and so on."""
    return {f"{slot}{place}": text for place, person in enumerate(pair, start=1) for slot, text in person.fills.items()}
