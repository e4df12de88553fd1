"""Which words of a run name a gender, and what a plan needs so that known biases can be told from it."""

from collections.abc import Iterator
from dataclasses import dataclass

from plumbline.methods.indirect.materials import IndirectMaterials
from plumbline.methods.indirect.replication.printed import GENDERS
from plumbline.methods.indirect.words import groups_in

NO_DIRECT = "no direct score of these words: give their list templates under target_feature"
NO_WORDS = "no list of features whose words name both genders: the starter list gender-words does"


@dataclass(frozen=True, slots=True)
class Gendered:
    """A list of features that names both genders, asked directly as well; and what the targets name themselves."""

    slug: str
    words: dict[str, str]
    """Each word with its gender, in the order of the list."""
    targets: tuple[str, ...]
    named: dict[str, str]
    """Those targets that name a gender by the curated flag, each with it: waitress, policeman."""

    def of(self, gender: str) -> list[str]:
        return [word for word, own in self.words.items() if own == gender]

    @property
    def neutral(self) -> list[str]:
        return [target for target in self.targets if target not in self.named]


def gendered(materials: IndirectMaterials) -> Gendered | None:
    """The first such list of a run; None where there is none."""
    for slug, asked_directly in _lists(materials):
        if asked_directly and (words := _words(materials, slug)):
            named = {one.text: one.group for one in materials.targets if one.group}
            return Gendered(slug, words, tuple(one.text for one in materials.targets), named)
    return None


def lacking(materials: IndirectMaterials) -> str:
    """What the plan of a run lacks for this; empty where `gendered` finds a list."""
    if gendered(materials):
        return ""
    return NO_DIRECT if any(_words(materials, slug) for slug, _ in _lists(materials)) else NO_WORDS


def _lists(materials: IndirectMaterials) -> Iterator[tuple[str, bool]]:
    """Every list of features by its slug, with whether it has a direct score."""
    for own in materials.sets:
        for slug in dict.fromkeys(own.categories):
            yield slug, bool(own.target_feature)


def _words(materials: IndirectMaterials, slug: str) -> dict[str, str]:
    """The words of the list that name a gender; none unless both are named."""
    words = {word: group for word, group in groups_in(materials, slug).items() if group in GENDERS}
    return words if set(words.values()) == set(GENDERS) else {}
