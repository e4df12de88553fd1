"""Which associations a model of a kind can be asked for, and what a causal model scores in a template."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from plumbline.spec.errors import SpecError
from plumbline.spec.grammar import slots
from plumbline.spec.prior import Prior

if TYPE_CHECKING:
    from plumbline.spec.association import AssociationSpec

OFF = (None, False, "ignored", "raw")
"""The values by which a param for causal models changes nothing."""


def check_kind(spec: "AssociationSpec", kind: str, templates: Sequence[str]) -> None:
    """Raise SpecError for params or a prior that are not defined for a masked or causal model, with these templates."""
    if kind == "masked":
        _check_masked(spec)
    elif kind == "causal":
        _check_causal(spec, templates)


def group_comes_first(template: str) -> bool:
    """Return whether the group precedes the attribute, so that on a causal model the attribute is the scored slot."""
    return next(slot.base for slot in slots(template) if slot.base in ("group", "attribute")) == "group"


def _check_masked(spec: "AssociationSpec") -> None:
    params = spec.scoring_params()
    for key in ("suffix", "ends", "format"):
        if params.get(key) not in OFF:
            raise SpecError(
                f"params.{key}: {params[key]!r} is defined for causal models only, and {spec.model} is masked."
            )


def _check_causal(spec: "AssociationSpec", templates: Sequence[str]) -> None:
    params = spec.scoring_params()
    if params["variant"] != "paper":
        raise SpecError(
            f"params.variant {params['variant']!r} is defined for masked models only, and {spec.model} is causal."
        )
    prior: Prior | None = getattr(spec, "prior", None)
    if prior is not None and prior.mask:
        raise SpecError(
            f"prior {{mask: one}} needs a masked model, and {spec.model} is causal:"
            " give prior {singular: person, plural: people} or {mean: true}."
        )
    first = next((template for template in templates if not group_comes_first(template)), None)
    if first is not None and not spec.scores_groups:
        raise SpecError(
            f"template {first!r} names the attribute first, so on a causal model its distance would be the group's,"
            " which is another quantity: take it out, or choose the others by templates: {list: ..., only: [...]}."
        )
    if first is not None and prior is not None and not (prior.mean or prior.attribute):
        raise SpecError(
            f"template {first!r} names the attribute first, so a causal model scores the group, and the prior needs a"
            " word in place of the attribute, too: add 'attribute: WORD' to the prior (in the form of a plan: “In place"
            " of the attribute”), or use prior {mean: true}."
        )
