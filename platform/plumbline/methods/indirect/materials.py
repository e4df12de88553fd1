"""The words of an indirect audit: targets, names, and sets of features, each with templates of its own."""

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
"""Of each kind of templates the slot that is filled, and the one that is predicted. The last is the direct score."""
CONTINUED = {**SIDES, TARGET_BRIDGE: ("name", "target")}
"""The same for causal models, which predict only what comes after: on each side the name is the one that is given."""
SENSITIVE = "sensitive"
"""What a sensitive set is called whose words stand in the spec itself; the second one is "sensitive 2"."""


@dataclass(frozen=True)
class FeatureSet:
    """Features that are asked about in the same templates: the neutral ones, or those of one sensitive attribute."""

    slug: str
    """Of a sensitive set the list that it comes from, which is its category; empty for the neutral set."""
    features: tuple[Attribute, ...]
    categories: tuple[str, ...]
    """For each feature the list that it comes from; empty for inline neutral ones."""
    bridge_feature: tuple[str, ...]
    target_feature: tuple[str, ...]
    """Of the direct score; none where it is not asked for."""

    def side(self, kind: str) -> str:
        """What records call the set's templates of a kind: `bridge_feature`, or `bridge_feature:races`."""
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
        """Of all sets, in order; a word may stand in several, in each with a category of its own."""
        return tuple(one for own in self.sets for one in own.features)

    @property
    def categories(self) -> tuple[str, ...]:
        """For each of `features` its list."""
        return tuple(one for own in self.sets for one in own.categories)

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """Every set of templates that is asked: `target_bridge`, and for each set of features its own."""
        of_sets = ((kind, own) for kind in (BRIDGE_FEATURE, TARGET_FEATURE) for own in self.sets)
        return (TARGET_BRIDGE, *(own.side(kind) for kind, own in of_sets if own.templates(kind)))

    def templates(self, side: str) -> tuple[str, ...]:
        kind = kind_of(side)
        return self.target_bridge if kind == TARGET_BRIDGE else self.set_of(side).templates(kind)

    def set_of(self, side: str) -> FeatureSet:
        slug = side.partition(":")[2]
        return next(own for own in self.sets if own.slug == slug)

    def slots(self, side: str) -> tuple[str, str]:
        """The one that is filled, and the one that is predicted."""
        return (CONTINUED if self.causal else SIDES)[kind_of(side)]

    def words(self, side: str) -> tuple[list[Word], list[Word]]:
        """What may fill the two slots of a side, in order: those that are filled, and those that are predicted."""
        given, predicted = self.slots(side)
        return self._words(side, given), self._words(side, predicted)

    def _words(self, side: str, slot: str) -> list[Word]:
        if slot == "name":
            return [Word(one.name, one.name, "", one.pronoun) for one in self.names]
        return [attribute_word(one) for one in self.targets] if slot == "target" else self.set_of(side).words


def kind_of(side: str) -> str:
    """`bridge_feature` of `bridge_feature:races`: one of SIDES."""
    return side.partition(":")[0]


def require_apart(sets: Sequence[FeatureSet]) -> None:
    """Measures tell the sets apart by their lists. SpecError where two have one."""
    neutral, *sensitive = sets
    count = Counter([*set(neutral.categories), *(own.slug for own in sensitive)])
    if twice := [slug for slug, times in count.items() if times > 1]:
        raise SpecError(f"the list {twice[0]!r} stands among the features twice, neutral or sensitive; keep it in one.")


def numbered(slugs: Sequence[str]) -> Iterator[str]:
    """The slugs of sensitive sets; those without a list of their own are numbered."""
    without = 0
    for slug in slugs:
        without += not slug
        yield slug or (SENSITIVE if without == 1 else f"{SENSITIVE} {without}")
