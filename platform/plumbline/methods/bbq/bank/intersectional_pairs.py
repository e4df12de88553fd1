"""Pairs for intersectional templates: the other person differs in race, in gender or status, or in both.

Source: Parrish et al. 2022, sections 3.1 and 3.2, appendix H, and the published examples: up to five targets, five
draws for each, three contrasts for each draw, both orders.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from plumbline.methods.bbq.bank.draws import CUT, Draws, Thing
from plumbline.methods.bbq.bank.labels import OCCUPATION
from plumbline.methods.bbq.bank.names import at_least, targeted, with_surname
from plumbline.methods.bbq.bank.people import Pair, Person, Together, both_orders, with_own_fillers
from plumbline.methods.bbq.bank.templates import Template
from plumbline.methods.bbq.bank.vocabulary import ProperName, Vocabulary
from plumbline.methods.bbq.bank.word_list_cells import Words, two_lists

RACES = "Race_ethnicity"
SEXES = ("M", "F")


@dataclass(frozen=True, slots=True)
class Identity:
    """A race by label or by a name, and how people of it are named in a slot."""

    text: str
    code: str
    named: bool = False


@dataclass(frozen=True, slots=True)
class Second:
    """A gender or a status: its code, and the words that fill a slot GEN or OCC."""

    code: str
    words: Words = ()


def of_crossings(row: Template, vocabulary: Vocabulary, draws: Draws) -> Iterator[Together]:
    """Return the pairs, each with filler words of its own. Raises ValueError if labels or names are missing."""
    if row.proper and row.second in SEXES:
        return with_own_fillers(_of_gendered_names(row, vocabulary, draws))
    return with_own_fillers(_of_races(row, vocabulary, draws))


def slot_of(row: Template) -> str:
    return "GEN" if row.second in SEXES else "OCC"


def _of_races(row: Template, vocabulary: Vocabulary, draws: Draws) -> Iterator[Pair]:
    """Return pairs whose second identity has words of its own: a gender by label, or a status with labels or names."""
    own, other = _seconds(row, vocabulary)
    slot = slot_of(row)
    for target in _targets(row, vocabulary, draws):
        for same, different in _contrasts(target, row, vocabulary, draws):
            mine = _person(target.identity, own, slot, draws)
            contrasts = ((different, own), (same, other), (different, other))
            for identity, second in contrasts:
                yield from both_orders(mine, _person(identity, second, slot, draws))


@dataclass(frozen=True, slots=True)
class Target:
    """A race that the bias is about; of a name also the name."""

    identity: Identity
    name: ProperName | None = None


def _targets(row: Template, vocabulary: Vocabulary, draws: Draws) -> list[Target]:
    if row.proper:
        names = draws.some(at_least(targeted(row, vocabulary), CUT, f"names of {', '.join(row.races)}"))
        return [Target(_identity_by_name(name, vocabulary, draws), name) for name in names]
    labels = [label for label in vocabulary.of(RACES) if label.is_of(row.races)]
    if not labels:
        raise ValueError(f"the vocabulary of {RACES} has none of {', '.join(row.races)}; add the labels")
    return [Target(Identity(label.text, label.code)) for label in draws.some(labels)]


def _contrasts(
    target: Target, row: Template, vocabulary: Vocabulary, draws: Draws
) -> Iterator[tuple[Identity, Identity]]:
    """Return five draws of a person of the same race and one of another. A label's same race is the label itself."""
    if target.name is None:
        others = [label for label in vocabulary.of(RACES) if not label.is_of(row.races)]
        for label in draws.some(_filled(others)):
            yield target.identity, Identity(label.text, label.code)
        return
    name, given = target.name, vocabulary.given()
    alike = [other for other in given if other.gender == name.gender]
    same = [other for other in alike if other.ethnicity == name.ethnicity and other != name]
    different = [other for other in alike if other.ethnicity not in row.races]
    drawn = (draws.some(at_least(pool, CUT, "names to compare with")) for pool in (same, different))
    for one, other in zip(*drawn, strict=True):
        yield _identity_by_name(one, vocabulary, draws), _identity_by_name(other, vocabulary, draws)


def _filled(pool: list[Thing]) -> list[Thing]:
    if not pool:
        raise ValueError(f"the vocabulary of {RACES} has no label of another race; add some")
    return pool


def _of_gendered_names(row: Template, vocabulary: Vocabulary, draws: Draws) -> Iterator[Pair]:
    """Return pairs of names, each of which shows race and gender at once."""
    names = at_least(targeted(row, vocabulary, row.second), CUT, f"names of {', '.join(row.races)}")
    for name in draws.some(names):
        given = vocabulary.given()
        race = [other for other in given if other.ethnicity not in row.races and other.gender == name.gender]
        gender = [other for other in given if other.ethnicity == name.ethnicity and other.gender != name.gender]
        both = [other for other in given if other.ethnicity not in row.races and other.gender != name.gender]
        mine = _whole(name, vocabulary, draws)
        drawn = [draws.some(at_least(pool, CUT, "names to compare with")) for pool in (race, gender, both)]
        for three in zip(*drawn, strict=True):
            for other in three:
                yield from both_orders(mine, _whole(other, vocabulary, draws))


def _whole(name: ProperName, vocabulary: Vocabulary, draws: Draws) -> Person:
    known = _identity_by_name(name, vocabulary, draws)
    return Person({"NAME": known.text}, known.text, known.code)


def _identity_by_name(name: ProperName, vocabulary: Vocabulary, draws: Draws) -> Identity:
    return Identity(with_surname(name, vocabulary, draws), f"{name.gender}-{name.ethnicity}", named=True)


def _person(identity: Identity, second: Second, slot: str, draws: Draws) -> Person:
    word = draws.one(second.words)
    label = f"{identity.text}, {word}" if identity.named else f"{identity.text} {word}"
    return Person({"NAME": identity.text, slot: word}, label, f"{second.code}-{identity.code}")


def _seconds(row: Template, vocabulary: Vocabulary) -> tuple[Second, Second]:
    """Return the stereotyped gender or status and the other one, with their words.

    Raises ValueError unless there are two.
    """
    if row.fills.strip():
        found = [Second(code, words) for code, words in zip(row.second_info, two_lists(row.fills), strict=False)]
    else:
        jobs = vocabulary.of("SES", OCCUPATION)
        codes = dict.fromkeys(job.code for job in jobs)
        found = [Second(code, tuple(job.text for job in jobs if job.code == code)) for code in codes]
    own, other = ([one for one in found if (one.code == row.second) is wanted] for wanted in (True, False))
    if len(own) != 1 or len(other) != 1:
        raise ValueError(f"there are no words for {row.second!r} and for one other; see Names and Var2_info")
    return own[0], other[0]
