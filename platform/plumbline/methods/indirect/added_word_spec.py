"""A word added to a finished indirect run: the spec of the small run that asks about this word alone."""

from typing import TYPE_CHECKING, Any, Literal

from plumbline.methods.indirect.materials import BRIDGE_FEATURE, TARGET_BRIDGE, IndirectMaterials, numbered
from plumbline.spec.content import Attribute
from plumbline.spec.errors import SpecError
from plumbline.spec.grammar import slots
from plumbline.spec.sources import AttributeSource, Strict

if TYPE_CHECKING:
    from plumbline.methods.indirect.spec import IndirectSpec

Kind = Literal["target", "feature"]


class AddsTo(Strict):
    """The finished run that a small one adds a word to: what that run asked about other words is read there."""

    run: int
    kind: Kind
    """Whether the word is a target or a feature."""

    def asks(self, side: str) -> bool:
        """Whether the small run asks a side itself: those that its word stands in."""
        kind, _, slug = side.partition(":")
        return kind != BRIDGE_FEATURE if self.kind == "target" else not slug and kind != TARGET_BRIDGE


def with_word(spec: "IndirectSpec", run: int, kind: Kind, category: str, word: Attribute) -> "IndirectSpec":
    """The same audit of one word: of a target with all features, or of a feature with all targets.

    `category` is the feature's list: a word of a sensitive one is asked about in the sentences of that list, and is
    the one neutral feature of the small run. A target of a causal model has no direct scores. SpecError for a run that
    is itself of an added word.
    """
    if spec.adds_to is not None:
        raise SpecError(f"run {run} is itself of a word that was added to run {spec.adds_to.run}: add the word there.")
    alone = (AttributeSource(inline=(word,)),)
    changed: dict[str, Any] = {"adds_to": AddsTo(run=run, kind=kind), "name": f"{spec.name[:120]} + {word.text[:70]}"}
    if kind == "target":
        return _without_direct(spec.model_copy(update={**changed, "targets": alone}))
    changed["features"] = alone
    sensitive = dict(zip(numbered([own.slug for own in spec.sensitive]), spec.sensitive, strict=True))
    if own := sensitive.get(category):
        changed |= {"sensitive": (), "bridge_feature": own.bridge_feature, "target_feature": own.target_feature}
    return spec.model_copy(update=changed)


def _without_direct(spec: "IndirectSpec") -> "IndirectSpec":
    """Of one target on a causal model: the prior of a direct score is the mean over all targets, so it has none."""
    if not spec.causal:
        return spec
    sensitive = tuple(own.model_copy(update={"target_feature": ()}) for own in spec.sensitive)
    return spec.model_copy(update={"target_feature": (), "sensitive": sensitive})


def forms_needed(materials: IndirectMaterials, kind: Kind, category: str) -> tuple[str, ...]:
    """Which forms of a new word, besides itself, the sentences ask for: some of `plural` and `article`.

    A word without an article ("France") leaves it empty, so only the plural must be given.
    """
    base = "target" if kind == "target" else "feature"
    own = next((one for one in materials.sensitive if one.slug == category), materials.neutral)
    sides = materials.sides if kind == "target" else [side for side in materials.sides if _is_of(side, own.slug)]
    found = [slot for side in sides for text in materials.templates(side) for slot in slots(text) if slot.base == base]
    wanted = {"plural": any(slot.form == "plural" for slot in found)}
    wanted["article"] = any(slot.article.lower() == "the" for slot in found)
    return tuple(name for name, is_asked in wanted.items() if is_asked)


def _is_of(side: str, slug: str) -> bool:
    return side != TARGET_BRIDGE and side.partition(":")[2] == slug
