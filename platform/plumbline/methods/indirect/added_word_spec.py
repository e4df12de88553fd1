"""The spec of a small run that scores one word added to a finished indirect run."""

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
    """The finished run to which a small run adds a word. The scores of other words come from that run."""

    run: int
    kind: Kind
    """Whether the word is a target or a feature."""

    def asks(self, side: str) -> bool:
        """Return whether the small run scores a side itself, because its word occurs there."""
        kind, _, slug = side.partition(":")
        return kind != BRIDGE_FEATURE if self.kind == "target" else not slug and kind != TARGET_BRIDGE


def with_word(spec: "IndirectSpec", run: int, kind: Kind, category: str, word: Attribute) -> "IndirectSpec":
    """Return the spec of the same audit with one word: a target with all features, or a feature with all targets.

    `category` is the feature's list. A word of a sensitive list uses the sentences of that list and is the only neutral
    feature of the small run. A target of a causal model has no direct scores. Raises SpecError if the run itself scores
    an added word.
    """
    if spec.adds_to is not None:
        raise SpecError(f"run {run} scores a word that was added to run {spec.adds_to.run}: add the word there.")
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
    """Return the spec without direct scores on a causal model, whose prior is a mean over all targets."""
    if not spec.causal:
        return spec
    sensitive = tuple(own.model_copy(update={"target_feature": ()}) for own in spec.sensitive)
    return spec.model_copy(update={"target_feature": (), "sensitive": sensitive})


def forms_needed(materials: IndirectMaterials, kind: Kind, category: str) -> tuple[str, ...]:
    """Return the further forms of a new word that the sentences need: some of `plural` and `article`.

    A word without an article ("France") leaves it empty, so only the plural is required.
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
