"""Which commitments of an answer count: those that it neither rejects nor withdraws."""

import re

from plumbline.spec.answers.commitments import Commitment
from plumbline.spec.answers.option_names import CLOSE, MARK, OPEN

_WITHDRAWN = re.compile(
    r"(?:this|that|my|the (?:above|first|previous)) (?:answer|option|choice) (?:is|was)"
    r"(?: (?:incorrect|wrong|false)|(?: not|n't) (?:correct|right))"
)
_LETTER_ALONE = re.compile(f"^(?P<letter>[a-z]) (?:is )?{OPEN}(?P<place>\\d+){CLOSE}", re.MULTILINE)
_WITH_LETTER = re.compile(r"(?: \((?P<beside>[a-z])\)| (?:is|was|would be)(?: the)? (?P<last>[a-z])\W*$)", re.MULTILINE)


def valid(found: list[Commitment], said: str) -> list[Commitment] | None:
    """Return the commitments that count; None if there are none.

    A final answer counts alone. A list of the options, repeated in their order, is no commitment beside another one.
    An answer that withdraws all that it said before has none left.
    """
    if final := [one for one in found if one.is_final]:
        return final
    listed = [one for one in found if one.letter is not None]
    if len({one.letter for one in listed}) > 1 and all(one.places == {one.letter} for one in listed):
        found = [one for one in found if one.letter is None] or found
    found = [one for one in found if one.places] or found
    withdrawn = _WITHDRAWN.search(said)
    if withdrawn and found and all(one.at < withdrawn.start() for one in found):
        return []
    return found or None


def is_mislabelled(said: str, letters: int) -> bool:
    """Return whether an option's words stand with the letter of another one, as in "Ann (B)"."""
    alone = [(ord(found["letter"]) - ord("a"), int(found["place"])) for found in _LETTER_ALONE.finditer(said)]
    if any(place < letters and place != named for place, named in alone):
        return True
    for mark in MARK.finditer(said):
        if found := _WITH_LETTER.match(said, mark.end()):
            place = ord(found["beside"] or found["last"]) - ord("a")
            if place < letters and place != int(mark[1]):
                return True
    return False
