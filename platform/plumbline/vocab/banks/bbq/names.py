"""Pairs of people whom proper names tell apart. Source: Parrish et al. 2022, section 3.3 and appendix B.

A given name and a surname of the same ethnicity, for race; a given name alone, for gender; names without a meaning of
their own, where the template itself says who is who.
"""

from collections.abc import Iterator, Sequence
from itertools import permutations

from plumbline.vocab.banks.bbq.draws import Draws, Thing
from plumbline.vocab.banks.bbq.people import Pair, Person, Together, alone, both_orders, labelled
from plumbline.vocab.banks.bbq.templates import Template
from plumbline.vocab.banks.bbq.vocabulary import ALONE, ProperName, Vocabulary

STATUS_NAMES = 6
"""Names that are drawn where the template says which of two is rich; each meets each other."""
STATED = {"men": "M", "man": "M", "m": "M", "women": "F", "woman": "F", "f": "F"}


def of_names(row: Template, vocabulary: Vocabulary, draws: Draws) -> Iterator[Together]:
    """Pairs in both orders, each with filler words of its own. ValueError where there are too few names."""
    if any(name.ethnicity in row.stereotyped for name in vocabulary.given()):
        return alone(_of_ethnicities(row, vocabulary, draws))
    if row.category == "SES":
        return alone(_of_status(row, vocabulary, draws))
    return alone(_of_genders(row, vocabulary, draws))


def targeted(row: Template, vocabulary: Vocabulary, gender: str = "") -> list[ProperName]:
    """Given names of the stereotyped groups, of the gender that the template states or that is asked for."""
    stated = gender or stated_gender(row)
    found = [name for name in vocabulary.given() if name.ethnicity in row.stereotyped]
    return [name for name in found if stated in ("", name.gender)]


def stated_gender(row: Template) -> str:
    return STATED.get(row.gender.lower(), "")


def with_surname(name: ProperName, vocabulary: Vocabulary, draws: Draws) -> str:
    """The given name before a surname of its ethnicity."""
    surnames = enough(vocabulary.surnames(name.ethnicity), 1, f"surnames of {name.ethnicity}")
    return f"{name.text} {draws.one(surnames)}"


def enough(pool: Sequence[Thing], count: int, what: str) -> Sequence[Thing]:
    """The pool. ValueError where it holds fewer."""
    if len(pool) < count:
        raise ValueError(f"the table of proper names has {len(pool)} {what}, needed are {count}")
    return pool


def _of_ethnicities(row: Template, vocabulary: Vocabulary, draws: Draws) -> Iterator[Pair]:
    names = enough(targeted(row, vocabulary), 1, f"given names of {', '.join(row.stereotyped)}")
    for name in draws.some(names):
        same_sex = [other for other in vocabulary.given() if other.gender == name.gender]
        others = [other for other in same_sex if other.ethnicity not in row.stereotyped]
        for other in draws.some(enough(others, 1, "given names of other groups")):
            yield from both_orders(*(_known(one, vocabulary, draws) for one in (name, other)))


def _known(name: ProperName, vocabulary: Vocabulary, draws: Draws) -> Person:
    return labelled(with_surname(name, vocabulary, draws), f"{name.gender}-{name.ethnicity}")


def _of_genders(row: Template, vocabulary: Vocabulary, draws: Draws) -> Iterator[Pair]:
    names = vocabulary.given(ALONE)
    women, men = ([name for name in names if name.gender == gender] for gender in ("F", "M"))
    for woman in draws.some(enough(women, 1, "names of women")):
        for man in draws.some(enough(men, 1, "names of men")):
            for pair in ((woman, man), (man, woman)):
                yield _in_slots(row, pair)


def _of_status(row: Template, vocabulary: Vocabulary, draws: Draws) -> Iterator[Pair]:
    names = draws.some(enough(vocabulary.given(ALONE), STATUS_NAMES, "names"), STATUS_NAMES)
    for one, other in permutations(names, 2):
        yield _in_slots(row, (one, other))
        yield _in_slots(row, (other, one))


def _in_slots(row: Template, pair: tuple[ProperName, ProperName]) -> Pair:
    """The code is what the template says of the slot, else the name's gender."""
    first, second = pair
    return labelled(first.text, row.info1 or first.gender), labelled(second.text, row.info2 or second.gender)
