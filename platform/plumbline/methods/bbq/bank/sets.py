"""Sets of four: both conditions of the negative question, then of the other, with the same three options.

Source: Parrish et al. 2022, section 3.2; the order is that of the published files.
"""

from collections import defaultdict
from collections.abc import Sequence

from plumbline.methods.bbq.bank.lines import UNKNOWN, Line
from plumbline.spec.errors import InputError

ORDER = (("neg", "ambig"), ("neg", "disambig"), ("nonneg", "ambig"), ("nonneg", "disambig"))
SIZE = len(ORDER)
Placed = tuple[str, Line]


def in_sets(lines: Sequence[Placed]) -> list[list[Placed]]:
    """Return the checked sets of a category in the order of their numbers.

    Raises InputError naming the first faulty line.
    """
    sets: dict[int, list[Placed]] = defaultdict(list)
    for place, line in lines:
        sets[line.example_id // SIZE].append((place, line))
    return [_checked(number, sorted(sets[number], key=_id)) for number in sorted(sets)]


def _id(placed: Placed) -> int:
    return placed[1].example_id


def _checked(number: int, four: list[Placed]) -> list[Placed]:
    first, last = number * SIZE, number * SIZE + SIZE - 1
    if [line.example_id for _, line in four] != list(range(first, last + 1)):
        raise InputError(
            f"{four[-1][0]}: the examples {first} to {last} are a set of four, but the file holds"
            f" {', '.join(str(line.example_id) for _, line in four)} of them; fetch it again."
        )
    head = four[0][1]
    for (place, line), expected in zip(four, ORDER, strict=True):
        if (line.question_polarity, line.context_condition) != expected:
            raise InputError(
                f"{place}: example {line.example_id} is not {' and '.join(expected)}, as its set needs it."
            )
        if differing := next((name for name in SHARED if getattr(line, name) != getattr(head, name)), ""):
            raise InputError(f"{place}: {differing} differs from that of example {first}, the first of its set.")
        _check_gold(place, line)
    if four[1][1].label == four[3][1].label:
        raise InputError(f"{four[3][0]}: both disambiguated questions of its set have the same right answer.")
    return four


SHARED = ("question_index", "version", "options", "labels", "codes")


def _check_gold(place: str, line: Line) -> None:
    right = line.codes[line.label] == UNKNOWN
    if right != (line.context_condition == "ambig"):
        raise InputError(
            f"{place}: in a context {line.context_condition} the right answer is"
            f" {'one of the two people' if right else 'the option that says UNKNOWN'}; its label is {line.label}."
        )
