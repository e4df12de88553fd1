"""The words of a run that name a gender, and what a plan needs to show known biases."""

from collections.abc import Iterator
from dataclasses import dataclass

from plumbline.methods.indirect.materials import IndirectMaterials
from plumbline.methods.indirect.replication.printed import GENDERS
from plumbline.methods.indirect.words import groups_in

NO_DIRECT = "no direct score of these words: give their list templates under target_feature"
NO_WORDS = "no list of features has words of both genders: add the starter list gender-words"


@dataclass(frozen=True, slots=True)
class Gendered:
    """A list of features with words of both genders and direct scores, and the targets that name a gender."""

    slug: str
    words: dict[str, str]
    """Each word with its gender, in the order of the list."""
    targets: tuple[str, ...]
    named: dict[str, str]
    """The targets that name a gender by the curated flag, with that gender: waitress, policeman."""

    def of(self, gender: str) -> list[str]:
        return [word for word, own in self.words.items() if own == gender]

    @property
    def neutral(self) -> list[str]:
        return [target for target in self.targets if target not in self.named]


def gendered(materials: IndirectMaterials) -> Gendered | None:
    """Return the first such list of a run, or None."""
    for slug, asked_directly in _lists(materials):
        if asked_directly and (words := _words(materials, slug)):
            named = {one.text: one.group for one in materials.targets if one.group}
            return Gendered(slug, words, tuple(one.text for one in materials.targets), named)
    return None


def lacking(materials: IndirectMaterials) -> str:
    """Return what the plan of a run lacks for this, or "" if `gendered` finds a list."""
    if gendered(materials):
        return ""
    return NO_DIRECT if any(_words(materials, slug) for slug, _ in _lists(materials)) else NO_WORDS


def _lists(materials: IndirectMaterials) -> Iterator[tuple[str, bool]]:
    """Yield the slug of every list of features, and whether it has a direct score."""
    for own in materials.sets:
        for slug in dict.fromkeys(own.categories):
            yield slug, bool(own.target_feature)


def _words(materials: IndirectMaterials, slug: str) -> dict[str, str]:
    """Return the words of the list that name a gender, or none unless both genders occur."""
    words = {word: group for word, group in groups_in(materials, slug).items() if group in GENDERS}
    return words if set(words.values()) == set(GENDERS) else {}
