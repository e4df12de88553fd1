"""Pairs of people with different proper names. Source: Parrish et al. 2022, section 3.3 and appendix B.

A given name and a surname of the same ethnicity, for race. A given name alone, for gender. Names without a meaning of
their own if the template itself says who is who.
"""

from collections.abc import Iterator, Sequence
from itertools import permutations

from plumbline.methods.bbq.bank.draws import Draws, Thing
from plumbline.methods.bbq.bank.people import Pair, Person, Together, both_orders, labelled, with_own_fillers
from plumbline.methods.bbq.bank.templates import Template
from plumbline.methods.bbq.bank.vocabulary import ALONE, ProperName, Vocabulary

STATUS_NAMES = 6
"""Names that are drawn if the template says which of two is rich. Each meets each other."""
STATED = {"men": "M", "man": "M", "m": "M", "women": "F", "woman": "F", "f": "F"}


def of_names(row: Template, vocabulary: Vocabulary, draws: Draws) -> Iterator[Together]:
    """Return pairs in both orders, each with filler words of its own.

    Raises ValueError if there are too few names.
    """
    if any(name.ethnicity in row.stereotyped for name in vocabulary.given()):
        return with_own_fillers(_of_ethnicities(row, vocabulary, draws))
    if row.category == "SES":
        return with_own_fillers(_of_status(row, vocabulary, draws))
    return with_own_fillers(_of_genders(row, vocabulary, draws))


def targeted(row: Template, vocabulary: Vocabulary, gender: str = "") -> list[ProperName]:
    """Return given names of the stereotyped groups, of the gender that the template states or the call asks for."""
    stated = gender or stated_gender(row)
    found = [name for name in vocabulary.given() if name.ethnicity in row.stereotyped]
    return [name for name in found if stated in ("", name.gender)]


def stated_gender(row: Template) -> str:
    return STATED.get(row.gender.lower(), "")


def with_surname(name: ProperName, vocabulary: Vocabulary, draws: Draws) -> str:
    """Return the given name before a surname of its ethnicity."""
    surnames = at_least(vocabulary.surnames(name.ethnicity), 1, f"surnames of {name.ethnicity}")
    return f"{name.text} {draws.one(surnames)}"


def at_least(pool: Sequence[Thing], count: int, what: str) -> Sequence[Thing]:
    """Return the pool. Raises ValueError if it holds too few."""
    if len(pool) < count:
        raise ValueError(f"the table of proper names has {len(pool)} {what}, needed are {count}")
    return pool


def _of_ethnicities(row: Template, vocabulary: Vocabulary, draws: Draws) -> Iterator[Pair]:
    names = at_least(targeted(row, vocabulary), 1, f"given names of {', '.join(row.stereotyped)}")
    for name in draws.some(names):
        same_sex = [other for other in vocabulary.given() if other.gender == name.gender]
        others = [other for other in same_sex if other.ethnicity not in row.stereotyped]
        for other in draws.some(at_least(others, 1, "given names of other groups")):
            yield from both_orders(*(_known(one, vocabulary, draws) for one in (name, other)))


def _known(name: ProperName, vocabulary: Vocabulary, draws: Draws) -> Person:
    return labelled(with_surname(name, vocabulary, draws), f"{name.gender}-{name.ethnicity}")


def _of_genders(row: Template, vocabulary: Vocabulary, draws: Draws) -> Iterator[Pair]:
    names = vocabulary.given(ALONE)
    women, men = ([name for name in names if name.gender == gender] for gender in ("F", "M"))
    for woman in draws.some(at_least(women, 1, "names of women")):
        for man in draws.some(at_least(men, 1, "names of men")):
            for pair in ((woman, man), (man, woman)):
                yield _in_slots(row, pair)


def _of_status(row: Template, vocabulary: Vocabulary, draws: Draws) -> Iterator[Pair]:
    names = draws.some(at_least(vocabulary.given(ALONE), STATUS_NAMES, "names"), STATUS_NAMES)
    for one, other in permutations(names, 2):
        yield _in_slots(row, (one, other))
        yield _in_slots(row, (other, one))


def _in_slots(row: Template, pair: tuple[ProperName, ProperName]) -> Pair:
    """Return the fills. The code is the template's for the slot, else the name's gender."""
    first, second = pair
    return labelled(first.text, row.info1 or first.gender), labelled(second.text, row.info2 or second.gender)
