"""The asker of a probe on a kind of model, and checks of params that the kind does not support."""

from functools import partial

from plumbline.methods.association.ilps import IlpsSpec
from plumbline.methods.association.ilps_chain import IlpsChainSpec
from plumbline.methods.association.log_probability import LogProbabilitySpec
from plumbline.methods.association.sensitivity_test import SetSpec
from plumbline.spec.association import AssociationSpec
from plumbline.spec.association_kinds import check_kind
from plumbline.spec.errors import SpecError
from plumbline.spec.materials import Materials
from plumbline.spec.prior import Prior
from workers.engine.chat_template import rendered
from workers.engine.checkpoints.checkpoint import Checkpoint, Kind
from workers.engine.masked import mask_token_id
from workers.engine.sentences import encode
from workers.probes.cell_scores import causal, masked
from workers.probes.cell_scores.asks import Asker, Encode
from workers.probes.model_kinds import require_kind


def asker_for(spec: AssociationSpec, materials: Materials, checkpoint: Checkpoint, described: int = 0) -> Asker:
    """Return the probe's asker for this model, which leaves room for a description of `described` tokens.

    Raises ModelError for an unsupported kind, SpecError for wrong params.
    """
    require_kind(spec, checkpoint)
    check_kind(spec, checkpoint.kind, materials.templates)
    make = _on_causal if checkpoint.kind == Kind.CAUSAL else _on_masked
    return make(spec, materials, checkpoint, described)


def _on_masked(spec: AssociationSpec, materials: Materials, checkpoint: Checkpoint, described: int) -> Asker:
    mask = mask_token_id(checkpoint)
    encoder: Encode = partial(encode, checkpoint.tokenizer, described=described)
    if isinstance(spec, LogProbabilitySpec):
        return masked.LogProbability(materials, encoder, mask, prior_masks=spec.params.prior_masks)
    assert isinstance(spec, IlpsSpec | IlpsChainSpec | SetSpec)  # noqa: S101 -- there is no other association spec
    released = isinstance(spec, IlpsChainSpec) and spec.params.variant == "released_code"
    chain = not isinstance(spec, IlpsSpec)
    return masked.Ilps(materials, spec.prior, encoder, mask, chain=chain, released=released)


def _on_causal(spec: AssociationSpec, materials: Materials, checkpoint: Checkpoint, described: int) -> Asker:
    params = spec.scoring_params()
    if params.get("ends") == "required" and checkpoint.server is not None:
        raise SpecError(
            f"params.ends required: {spec.model} is behind a server, and the end of a word is the probability of"
            " thousands of tokens; leave ends out, or audit the model with its weights."
        )
    prior: Prior = getattr(spec, "prior", None) or Prior(mean=True)
    chat = params["format"] == "chat"
    if chat and described:
        raise SpecError(
            "params.format chat: a description of Self-Debias would stand before the conversation; use format raw."
        )
    return causal.Continuation(
        materials,
        prior,
        partial(encode, checkpoint.tokenizer, special_tokens=not chat, described=described),
        first_only=isinstance(spec, IlpsSpec),
        suffix=params.get("suffix", False),
        ends=params.get("ends") == "required",
        prefix=chat_prefix(checkpoint, params["chat_prompt"]) if chat else "",
    )


def chat_prefix(checkpoint: Checkpoint, prompt: str) -> str:
    """Return the conversation up to the start of the assistant's turn, with special tokens as text.

    Raises SpecError for a model without a chat template.
    """
    if not checkpoint.tokenizer.chat_template:
        raise SpecError(f"params.format chat: {checkpoint.reference} has no chat template; use format raw.")
    turn = [{"role": "user", "content": prompt}]
    return rendered(checkpoint.tokenizer, turn)
