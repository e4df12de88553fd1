"""Options of SODAPOP's questions: the text before them, their scoring, and checks of the model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from plumbline.methods.sodapop.spec import SodapopSpec
from plumbline.spec.banks.contexts import Context, filled
from plumbline.spec.errors import ModelError, SpecError
from workers.engine.causal import CausalModel
from workers.engine.checkpoints.checkpoint import Checkpoint, Kind
from workers.engine.multiple_choice import FloatArray, MultipleChoiceModel, Pair, Progress, encode_pairs
from workers.engine.options import option_faults, option_scores
from workers.engine.sentences import UNKNOWN
from workers.probes.model_kinds import refuse_answering
from workers.probes.protocol import AnyModel

KINDS = (Kind.MULTIPLE_CHOICE, Kind.CAUSAL, Kind.REMOTE)


@dataclass(frozen=True, slots=True)
class Asker:
    """Functions that score pairs of first text and option with one model, one value per pair."""

    scores: Callable[[Sequence[Pair], Progress], FloatArray]
    """Scores; NaN for a pair with a fault."""
    faults: Callable[[Sequence[Pair]], list[str]]


def first_text(context: Context, name: str, kind: Kind) -> str:
    """Return the text before the option.

    A multiple-choice model reads context and question, as in the paper. A causal model continues the text for which the
    distractors were generated, context and open prompt (ours).
    """
    asked = context.prompt if kind == Kind.CAUSAL else context.question
    return filled(f"{context.context} {asked}", name)


def asker_of(model: AnyModel, spec: SodapopSpec) -> Asker:
    """Return the model's asker. Raises TypeError for a model that `check_kind` would have refused."""
    if isinstance(model, MultipleChoiceModel):
        return Asker(model.logits, model.faults)
    if isinstance(model, CausalModel):
        scores = partial(_causal_scores, model, spec)
        return Asker(scores, partial(_causal_faults, model, spec))
    raise TypeError(f"SODAPOP asks no {type(model).__name__}")


def _causal_scores(model: CausalModel, spec: SodapopSpec, pairs: Sequence[Pair], progress: Progress) -> FloatArray:
    return option_scores(model, pairs, spec.params.scoring, progress)


def _causal_faults(model: CausalModel, spec: SodapopSpec, pairs: Sequence[Pair]) -> list[str]:
    return option_faults(model.tokenizer, pairs, spec.params.scoring)


def check_kind(spec: SodapopSpec, checkpoint: Checkpoint) -> None:
    """Raise ModelError for an unsupported kind of model, SpecError for params without effect on it."""
    if checkpoint.kind not in KINDS:
        raise ModelError(
            f"{spec.model} is of the kind {checkpoint.kind}; the probe sodapop asks multiple_choice, causal and"
            " remote models: choose one, or set params.ask: false to generate only."
        )
    refuse_answering(spec, checkpoint)
    if checkpoint.kind != Kind.CAUSAL and spec.params.scoring != "mean_token":
        gives = "answers in text" if checkpoint.kind == Kind.REMOTE else "gives each choice a logit of its own"
        raise SpecError(
            f"params.scoring {spec.params.scoring!r} is defined for causal models only, and {spec.model} {gives}: leave"
            " it out."
        )


def check_answers(spec: SodapopSpec, checkpoint: Checkpoint, contexts: Sequence[Context], names: Sequence[str]) -> None:
    """Raise SpecError, naming the first context and name, if a right answer of some name cannot be scored.

    Of answers in text nothing is scored.
    """
    if spec.in_text():
        return
    cells = [(context, name) for context in contexts for name in names]
    pairs = [(first_text(context, name, checkpoint.kind), filled(context.answer, name)) for context, name in cells]
    faults = _faults(spec, checkpoint, pairs)
    unspelled = dict(zip(names, _faults(spec, checkpoint, [("A", name) for name in names]), strict=True))
    for (context, name), fault in zip(cells, faults, strict=True):
        if UNKNOWN in unspelled[name]:
            raise SpecError(f"the name {unspelled[name]} of {checkpoint.reference}: leave it out.")
        if fault:
            raise SpecError(
                f"the right answer of context {context.id!r} with the name {name!r}: {fault}; leave it out."
            )


def _faults(spec: SodapopSpec, checkpoint: Checkpoint, pairs: Sequence[Pair]) -> list[str]:
    if checkpoint.kind == Kind.CAUSAL:
        return option_faults(checkpoint.tokenizer, pairs, spec.params.scoring)
    return [one.fault for one in encode_pairs(checkpoint.tokenizer, pairs)]
