"""Self-Debias in probes that read probabilities of words: the model as it is asked, and what decides its answers."""

from dataclasses import replace

from plumbline.spec.audit import AuditSpec
from plumbline.spec.errors import ModelError
from plumbline.spec.self_debias import SelfDebiasing, SelfDebiasSpec
from workers.engine.checkpoints.checkpoint import Checkpoint, Kind
from workers.engine.self_debias import tokens_of
from workers.engine.self_debiased import self_debiased
from workers.probes.protocol import Model, ShardPlan, Snapshots


def self_debiasing(spec: AuditSpec, snapshots: Snapshots) -> SelfDebiasing | None:
    """Return the descriptions below which the spec asks, or None for a plain run."""
    return spec.self_debiasing(snapshots) if isinstance(spec, SelfDebiasSpec) else None


def longest_description(spec: AuditSpec, snapshots: Snapshots, checkpoint: Checkpoint) -> int:
    """Return the number of tokens of the longest description, 0 for a plain run.

    Raises ModelError for a model without a distribution over the vocabulary, SpecError for a description that its
    tokenizer cannot spell.
    """
    if (asked := self_debiasing(spec, snapshots)) is None:
        return 0
    if checkpoint.kind not in (Kind.MASKED, Kind.CAUSAL):
        raise ModelError(
            f"self_debias lowers words in a distribution over the vocabulary, and {spec.model} has none: it is of the"
            f" kind {checkpoint.kind}. Choose a masked or causal language model, or take self_debias out."
        )
    return tokens_of(checkpoint.tokenizer, asked).longest


def as_asked(model: Model, spec: AuditSpec, snapshots: Snapshots) -> Model:
    """Return the model as the spec asks it: plainly, or with Self-Debias."""
    asked = self_debiasing(spec, snapshots)
    return model if asked is None else self_debiased(model, asked)


def with_descriptions(shard: ShardPlan, asked: SelfDebiasing | None) -> ShardPlan:
    """Return the shard with the descriptions among its inputs. A plain shard, and its content key, stay the same."""
    return shard if asked is None else replace(shard, inputs={**shard.inputs, "self_debias": asked.content()})
