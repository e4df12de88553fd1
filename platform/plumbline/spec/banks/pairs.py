"""Pairs of opposites among the attributes, such as powerless - powerful. Each pole is scored separately."""

from collections.abc import Sequence
from dataclasses import dataclass

from plumbline.spec.content import Attribute
from plumbline.spec.errors import SpecError


@dataclass(frozen=True, slots=True)
class Pair:
    """Two attributes by their indexes in the list of attributes. `name` is "left - right", as curated."""

    name: str
    dimension: str
    human_data_key: str
    left: int
    right: int
    left_extra: tuple[int, ...] = ()
    """The adjectives beside the left pole, whose scores are averaged with it."""
    right_extra: tuple[int, ...] = ()


def pairs_of(attributes: Sequence[Attribute]) -> tuple[Pair, ...]:
    """Return the pairs whose poles both occur, ordered by first pole.

    Raises SpecError for a pole without a pair, a pair without a pole, or two words at the same end of a pair.
    """
    ends: dict[str, dict[str, int]] = {}
    for place, attribute in enumerate(attributes):
        if bool(attribute.pole) != bool(attribute.pair):
            raise SpecError(f"attribute {attribute.text!r}: give both 'pair' and 'pole', or neither.")
        if not attribute.pole:
            continue
        poles = ends.setdefault(attribute.pair, {})
        if attribute.pole in poles:
            taken = attributes[poles[attribute.pole]].text
            raise SpecError(f"{taken!r} and {attribute.text!r} are both the {attribute.pole} of {attribute.pair!r}.")
        poles[attribute.pole] = place
    places = {attribute.text: place for place, attribute in enumerate(attributes)}
    return tuple(_pair(name, attributes, poles, places) for name, poles in ends.items() if len(poles) == 2)


def _pair(name: str, attributes: Sequence[Attribute], poles: dict[str, int], places: dict[str, int]) -> Pair:
    left, right = poles["left"], poles["right"]
    one, other = attributes[left], attributes[right]
    dimension, key = one.dimension or other.dimension, one.human_data_key or other.human_data_key
    extras = [tuple(places[word] for word in pole.extra if word in places) for pole in (one, other)]
    return Pair(name, dimension, key, left, right, *extras)
