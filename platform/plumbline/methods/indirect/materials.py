"""The words of an indirect audit: targets, names, and sets of features with their own templates."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from plumbline.spec.content import Attribute, Name
from plumbline.spec.errors import SpecError
from plumbline.spec.grammar import Word
from plumbline.spec.sentences import attribute_word

TARGET_BRIDGE, BRIDGE_FEATURE, TARGET_FEATURE = "target_bridge", "bridge_feature", "target_feature"
SIDES = {
    TARGET_BRIDGE: ("target", "name"),
    BRIDGE_FEATURE: ("name", "feature"),
    TARGET_FEATURE: ("target", "feature"),
}
"""For each kind of templates, the filled slot and the predicted slot. The last kind is the direct score."""
CONTINUED = {**SIDES, TARGET_BRIDGE: ("name", "target")}
"""The same for causal models, which predict only later words: the name is the given word on both sides."""
SENSITIVE = "sensitive"
"""The name of a sensitive set with inline words. A second one is "sensitive 2"."""


@dataclass(frozen=True)
class FeatureSet:
    """Features that share templates: the neutral ones, or those of one sensitive attribute."""

    slug: str
    """The list of a sensitive set, which is its category. Empty for the neutral set."""
    features: tuple[Attribute, ...]
    categories: tuple[str, ...]
    """For each feature its list. Empty for inline neutral features."""
    bridge_feature: tuple[str, ...]
    target_feature: tuple[str, ...]
    """The templates of the direct score. Empty if it is not requested."""

    def side(self, kind: str) -> str:
        """Return the records' name for the set's templates of a kind: `bridge_feature` or `bridge_feature:races`."""
        return f"{kind}:{self.slug}" if self.slug else kind

    def templates(self, kind: str) -> tuple[str, ...]:
        return self.bridge_feature if kind == BRIDGE_FEATURE else self.target_feature

    @property
    def words(self) -> list[Word]:
        return [attribute_word(one) for one in self.features]


@dataclass(frozen=True)
class IndirectMaterials:
    """The words of a frozen spec."""

    targets: tuple[Attribute, ...]
    names: tuple[Name, ...]
    target_bridge: tuple[str, ...]
    sets: tuple[FeatureSet, ...]
    """The neutral features first, then each sensitive set."""
    causal: bool = False
    """Whether the words are for a causal model."""

    @property
    def neutral(self) -> FeatureSet:
        return self.sets[0]

    @property
    def sensitive(self) -> tuple[FeatureSet, ...]:
        return self.sets[1:]

    @property
    def features(self) -> tuple[Attribute, ...]:
        """The features of all sets in order. A word may be in several sets, with a category in each."""
        return tuple(one for own in self.sets for one in own.features)

    @property
    def categories(self) -> tuple[str, ...]:
        """For each of `features` its list."""
        return tuple(one for own in self.sets for one in own.categories)

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """The names of all sets of templates: `target_bridge`, and those of each set of features."""
        of_sets = ((kind, own) for kind in (BRIDGE_FEATURE, TARGET_FEATURE) for own in self.sets)
        return (TARGET_BRIDGE, *(own.side(kind) for kind, own in of_sets if own.templates(kind)))

    def templates(self, side: str) -> tuple[str, ...]:
        kind = kind_of(side)
        return self.target_bridge if kind == TARGET_BRIDGE else self.set_of(side).templates(kind)

    def set_of(self, side: str) -> FeatureSet:
        slug = side.partition(":")[2]
        return next(own for own in self.sets if own.slug == slug)

    def slots(self, side: str) -> tuple[str, str]:
        """Return the filled slot and the predicted slot."""
        return (CONTINUED if self.causal else SIDES)[kind_of(side)]

    def words(self, side: str) -> tuple[list[Word], list[Word]]:
        """Return the words for the filled slot and for the predicted slot of a side, in order."""
        given, predicted = self.slots(side)
        return self._words(side, given), self._words(side, predicted)

    def _words(self, side: str, slot: str) -> list[Word]:
        if slot == "name":
            return [Word(one.name, one.name, "", one.pronoun) for one in self.names]
        return [attribute_word(one) for one in self.targets] if slot == "target" else self.set_of(side).words


def kind_of(side: str) -> str:
    """Return the kind of a side: `bridge_feature` for `bridge_feature:races`."""
    return side.partition(":")[0]


def require_apart(sets: Sequence[FeatureSet]) -> None:
    """Raise SpecError if two sets have the same list, since measures identify sets by lists."""
    neutral, *sensitive = sets
    count = Counter([*set(neutral.categories), *(own.slug for own in sensitive)])
    if twice := [slug for slug, times in count.items() if times > 1]:
        raise SpecError(f"the list {twice[0]!r} appears twice among the features, neutral or sensitive; keep one.")


def numbered(slugs: Sequence[str]) -> Iterator[str]:
    """Yield the slugs of sensitive sets. Sets without a list are numbered."""
    without = 0
    for slug in slugs:
        without += not slug
        yield slug or (SENSITIVE if without == 1 else f"{SENSITIVE} {without}")
