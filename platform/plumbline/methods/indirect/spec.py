"""Indirect log probability bias score: target and feature linked by a bridge of first names (thesis, section 3.3)."""

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from plumbline.methods.indirect.added_word_spec import AddsTo
from plumbline.methods.indirect.card import CARD
from plumbline.methods.indirect.materials import (
    SIDES,
    FeatureSet,
    IndirectMaterials,
    kind_of,
    numbered,
    require_apart,
)
from plumbline.methods.indirect.planned_tests import of_ties
from plumbline.spec.audit import AuditSpec
from plumbline.spec.content import Name
from plumbline.spec.errors import SpecError
from plumbline.spec.field_kinds import Slots
from plumbline.spec.grammar import Word, render, require, slots
from plumbline.spec.power.tests import PlannedTest
from plumbline.spec.registry import Method
from plumbline.spec.sources import (
    Attributes,
    Joined,
    Source,
    Strict,
    Templates,
    attributes_of,
    entries_of,
    entries_with,
    templates_of,
)

__all__ = ["CARD", "SIDES", "IndirectMaterials", "IndirectParams", "IndirectSpec", "SensitiveSet"]

SUMMARY_PARAMS = {"resamples", "permutations", "level"}
FEWEST_NAMES = 10


class IndirectParams(Strict):
    variant: Literal["paper", "causal"] = "paper"
    """`causal` (ours) is for causal models, which predict only later words.

    Its scores do not compare with masked ones.
    """
    average: Literal["probability", "log"] = "probability"
    """The mean over the templates: of probabilities before the logarithm (the thesis), or of logarithms."""
    prior_masks: Literal["one", "per_subword"] = "one"
    """The number of masks for the omitted word of the prior: one, or one for each subword."""
    split: Literal["leave_out", "chain"] = "leave_out"
    """Predicted words of several tokens: excluded with their reason (the thesis), or by the chain rule (ours).

    Causal models have no masks and always use the chain rule.
    """
    padding: Annotated[str, Field(max_length=5000)] = ""
    """A text before each sentence, for models trained on long texts (XLNet, thesis, section 3.3.3)."""
    resamples: Annotated[int, Field(ge=100, le=100_000)] = 1000
    """The number of resamples of names for intervals."""
    permutations: Annotated[int, Field(ge=99, le=1_000_000)] = 9999
    """The smallest number of permutations of names within their groups. Large families get more."""
    level: Annotated[float, Field(gt=0.5, lt=1.0)] = 0.95

    @model_validator(mode="after")
    def _no_masks(self) -> Self:
        if self.variant == "causal" and self.prior_masks != "one":
            raise ValueError("prior_masks: the variant causal has a mean as prior and no masks; remove this key")
        return self


def _listed(value: Any) -> Any:
    """Turn a bare list of texts into inline templates."""
    texts = isinstance(value, list | tuple) and bool(value) and all(isinstance(one, str) for one in value)
    return {"inline": list(value)} if texts else value


Bridge = Annotated[
    tuple[Annotated[Source[Name], entries_with(Name, "name")], ...], Joined, Field(min_length=1, strict=False)
]
Sentences = Annotated[Templates, BeforeValidator(_listed)]
OwnSentences = Annotated[tuple[Source[str], ...], Joined, Field(strict=False), BeforeValidator(_listed)]
"""Optional templates of the direct score."""


class SensitiveSet(Strict):
    """A sensitive attribute, such as sex or age, in addition to the neutral features, with its own templates."""

    attributes: Attributes
    bridge_feature: Annotated[Sentences, Slots(("name", "feature"))]
    """Templates with the slots {name} and {feature}."""
    target_feature: Annotated[OwnSentences, Slots(("target", "feature"))] = ()
    """Templates with the slots {target} and {feature}, for the direct score."""

    @property
    def slug(self) -> str:
        """The names of its lists, joined. Empty for inline words."""
        return " + ".join(source.slug for source in self.attributes if source.slug)


class IndirectSpec(AuditSpec):
    """The spec. `templates: {target_bridge: ..., bridge_feature: ...}` or the top level holds the sets of templates."""

    probe: Literal["indirect"]
    targets: Attributes
    features: Attributes
    """The neutral features."""
    sensitive: Annotated[tuple[SensitiveSet, ...], Field(max_length=20, strict=False)] = ()
    bridge: Bridge
    target_bridge: Annotated[Sentences, Slots(("target", "name"))]
    """Templates with the slots {target} and {name}."""
    bridge_feature: Annotated[Sentences, Slots(("name", "feature"))]
    """Templates with the slots {name} and {feature}."""
    target_feature: Annotated[OwnSentences, Slots(("target", "feature"))] = ()
    """Templates with the slots {target} and {feature}, for the direct score."""
    params: IndirectParams = IndirectParams()
    adds_to: AddsTo | None = None
    """For an added word: the finished run to which it was added."""
    summary_params: ClassVar[Set[str]] = SUMMARY_PARAMS

    @model_validator(mode="before")
    @classmethod
    def _sets(cls, data: Any) -> Any:
        if not isinstance(data, Mapping) or not isinstance(data.get("templates"), Mapping):
            return data
        if foreign := [key for key in data["templates"] if key not in SIDES]:
            raise ValueError(f"templates: unknown key {foreign[0]!r}; the keys are {', '.join(SIDES)}")
        return {**{key: value for key, value in data.items() if key != "templates"}, **data["templates"]}

    def people(self, snapshots: Mapping[str, Mapping[str, Any]]) -> list[str]:
        return [one.name for one in self._names(snapshots)]

    def base(self) -> int | None:
        return self.adds_to.run if self.adds_to else None

    def materials(self, snapshots: Mapping[str, Mapping[str, Any]]) -> IndirectMaterials:
        """Return the words. Raises SpecError for empty lists and repeated entries."""
        sets = (self._neutral(snapshots), *self._sensitive(snapshots))
        require_apart(sets)
        return IndirectMaterials(
            targets=tuple(one for one, _ in attributes_of(self.targets, snapshots)),
            names=tuple(self._names(snapshots)),
            target_bridge=tuple(templates_of(self.target_bridge, snapshots)),
            sets=sets,
            causal=self.causal,
        )

    def item_count(self, snapshots: Mapping[str, Mapping[str, Any]]) -> int | None:
        """Count each sentence once, although several sets of features may share it."""
        materials = self.materials(snapshots)
        found: dict[tuple[str, str, str], int] = {}
        for side in materials.sides:
            given, predicted = materials.words(side)
            for template in materials.templates(side):
                found |= {(kind_of(side), template, word.label): len(given) for word in predicted}
        return sum(found.values())

    def planned_tests(self, snapshots: Mapping[str, Mapping[str, Any]]) -> list[PlannedTest]:
        return of_ties(self, self.materials(snapshots))

    @property
    def causal(self) -> bool:
        """Whether the model is causal."""
        return self.params.variant == "causal"

    def _neutral(self, snapshots: Mapping[str, Mapping[str, Any]]) -> FeatureSet:
        found = attributes_of(self.features, snapshots)
        return FeatureSet(
            slug="",
            features=tuple(one for one, _ in found),
            categories=tuple(category for _, category in found),
            **_templates(self, snapshots),
        )

    def _sensitive(self, snapshots: Mapping[str, Mapping[str, Any]]) -> list[FeatureSet]:
        slugs = numbered([own.slug for own in self.sensitive])
        found = []
        for slug, own in zip(slugs, self.sensitive, strict=True):
            features = tuple(one for one, _ in attributes_of(own.attributes, snapshots))
            found.append(FeatureSet(slug, features, (slug,) * len(features), **_templates(own, snapshots)))
        return found

    def _names(self, snapshots: Mapping[str, Mapping[str, Any]]) -> list[Name]:
        found = [Name.model_validate(entry) for source in self.bridge for entry in entries_of(source, snapshots)]
        if twice := _repeated(one.name for one in found):
            raise SpecError(f"the name {twice!r} appears twice in the bridge; keep one.")
        return found

    def check(self, snapshots: Mapping[str, Mapping[str, Any]]) -> None:
        """Check that templates have the required slots and words the required forms. Raises SpecError if not."""
        materials = self.materials(snapshots)
        if len(materials.names) < FEWEST_NAMES:
            raise SpecError(
                f"the bridge has {len(materials.names)} names; a correlation needs at least {FEWEST_NAMES}."
            )
        for side in materials.sides:
            given, predicted = materials.slots(side)
            filled, told = materials.words(side)
            for template in materials.templates(side):
                require(template, (given, predicted), f"{side} of the probe {self.probe}")
                if self.causal:
                    _require_first(template, given, predicted, side)
                _render_all(template, {given: filled, predicted: told[:1]})
                _render_all(template, {given: filled[:1], predicted: told})


def _templates(
    own: IndirectSpec | SensitiveSet, snapshots: Mapping[str, Mapping[str, Any]]
) -> dict[str, tuple[str, ...]]:
    """Return the templates of one set of features: through the names, and direct."""
    direct = templates_of(own.target_feature, snapshots) if own.target_feature else []
    return {"bridge_feature": tuple(templates_of(own.bridge_feature, snapshots)), "target_feature": tuple(direct)}


def _require_first(template: str, given: str, predicted: str, side: str) -> None:
    if next(slot.base for slot in slots(template) if slot.base in (given, predicted)) != given:
        raise SpecError(
            f"template {template!r} of {side} names the {predicted} before the {given}, and a causal model (variant"
            f" causal) predicts only later words: put {{{given}}} first, remove the template, or choose the"
            " others by {list: ..., only: [...]}."
        )


def _render_all(template: str, words: Mapping[str, Sequence[Word]]) -> None:
    (one, first), (other, second) = words.items()
    for left in first:
        for right in second:
            render(template, {one: left, other: right})


def _repeated(labels: Iterable[str]) -> str:
    seen: set[str] = set()
    for label in labels:
        if label in seen:
            return label
        seen.add(label)
    return ""


METHODS = {CARD.probe: Method(IndirectSpec, CARD)}
