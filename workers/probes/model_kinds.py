"""The kinds of model that a probe takes, as its card lists them."""

from collections.abc import Set

from plumbline.spec.answers.chat_question import WorkedExample
from plumbline.spec.answers.spec import TextAnswersSpec
from plumbline.spec.audit import AuditSpec
from plumbline.spec.errors import ModelError, SpecError
from plumbline.spec.registry import PROBES
from plumbline.spec.self_debias import SelfDebiasSpec
from workers.engine.chat_template import rendered
from workers.engine.checkpoints.checkpoint import Checkpoint, Kind
from workers.engine.endpoints.chat_completion import turns_of
from workers.probes.chat_replies import wording_of

_EXAMPLE = WorkedExample("A question.", "An answer.")


def require_kind(spec: AuditSpec, checkpoint: Checkpoint) -> None:
    """Raise ModelError for a model whose kind is not on the card of the spec's probe."""
    kinds = PROBES[spec.probe].card.model_kinds
    if checkpoint.kind not in kinds:
        raise ModelError(
            f"{spec.model} is of the kind {checkpoint.kind}; the probe {spec.probe} takes these kinds:"
            f" {', '.join(kinds)}."
        )


def refuse_answering(spec: TextAnswersSpec, checkpoint: Checkpoint, also: Set[str] = frozenset()) -> None:
    """Raise SpecError for a param of answers in text if the model gives none: it would only seem to be chosen.

    A causal model gives them if the audit lets it generate, and if it has a chat template for the turns.

    `also` are those that the audit uses for other models too.
    """
    chosen = spec.chosen_answering().keys() - also
    if spec.answer_params.generate:
        _check_generating(spec, checkpoint)
    elif chosen and checkpoint.kind != Kind.REMOTE:
        raise SpecError(
            f"params.{min(chosen)} is for answers in text, of remote endpoints and with params.generate, and"
            f" {spec.model} is of the kind {checkpoint.kind}: leave it out."
        )


def _check_generating(spec: TextAnswersSpec, checkpoint: Checkpoint) -> None:
    if checkpoint.kind != Kind.CAUSAL:
        raise SpecError(
            f"params.generate is for causal models, and {spec.model} is of the kind {checkpoint.kind}: leave it out."
        )
    if checkpoint.server is not None:
        raise SpecError(
            f"params.generate is for models with their weights here, and {spec.model} is behind a server: ask its chat"
            " endpoint (openai:BASE_URL#MODEL)."
        )
    params = spec.answer_params
    turns = turns_of(_EXAMPLE.question, wording_of(params, [_EXAMPLE]))
    rendered(checkpoint.tokenizer, turns, params.chat_template_kwargs)


def require_weights(spec: AuditSpec, reference: str, checkpoint: Checkpoint) -> None:
    """Raise ModelError for a model behind a server if the probe reads more than log probabilities."""
    if checkpoint.server is None:
        return
    why = PROBES[spec.probe].card.needs_weights
    if isinstance(spec, SelfDebiasSpec) and spec.self_debias is not None:
        why = "self_debias reweights the distribution over the whole vocabulary"
    if why:
        raise ModelError(
            f"{reference} is behind a server, which gives log probabilities of single words only: {why}; audit the"
            " model with its weights (hub: or path:)."
        )
