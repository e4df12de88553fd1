"""A variant with weights of its own is trained: from a language model and a text to a folder of the model store."""

import math
import time
from collections.abc import Callable
from pathlib import Path

from plumbline.spec.digests import digest
from plumbline.spec.errors import InputError, OutOfMemoryError
from plumbline.spec.variant import VariantCard
from workers.debiasing.corpus import Documents, read_documents
from workers.engine.batching import is_out_of_memory
from workers.engine.checkpoints.checkpoint import Checkpoint, Kind
from workers.engine.checkpoints.variants import read_card, variant_folder
from workers.engine.loading import locate
from workers.engine.masked import mask_token_id
from workers.training.lm_batches import Batches
from workers.training.passages import material_of
from workers.training.pretraining import Pretraining
from workers.training.sole_process import sole_process
from workers.training.start_model import check_trainable, start_model
from workers.training.training_order import TrainingOrder
from workers.training.write_variant import write_variant

Say = Callable[[str], None]
Stop = Callable[[], bool]
SAID = 20
"""Steps between progress lines."""


def train_variant(order: TrainingOrder, say: Say, stop: Stop) -> VariantCard:
    """Train the variant, or go on from its checkpoint, and write it with its card into the store.

    `say` gets lines of progress. `stop` is asked after each step. The caller removes the checkpoint when the card is
    entered. Raises InputError with the remedy, KeyboardInterrupt with a message after a stop.
    """
    if (folder := variant_folder(order.slug)).exists():
        return _finished(order, folder)
    parent = locate(order.reference)
    if parent.server is not None:
        raise InputError(f"{order.reference} is behind a server: a variant is made of weights in files.")
    check_trainable(parent, order.recipe)
    documents = read_documents(order.corpus)
    with sole_process(order.checkpoint.parent):
        return _trained(order, parent, documents, say, stop)


def _trained(order: TrainingOrder, parent: Checkpoint, documents: Documents, say: Say, stop: Stop) -> VariantCard:
    training, replaced = _prepared(order, parent, documents)
    say(f"{len(training.material.learnt):,} passages to learn, {len(training.material.held_out):,} held out")
    if order.checkpoint.exists():
        training.resume(order.checkpoint)
        say(f"continued after step {training.step} of {order.recipe.steps}")
    _train(order, training, say, stop)
    say("what a classifier reads of the groups ...")
    return write_variant(order, parent, documents, training, replaced)


def _finished(order: TrainingOrder, folder: Path) -> VariantCard:
    """Return the card of a variant whose training ended, but not its entry in the database."""
    if not order.checkpoint.exists():
        raise InputError(f"variant:{order.slug} is in the model store already: choose another --name")
    return read_card(f"variant:{order.slug}", folder)


def _prepared(order: TrainingOrder, parent: Checkpoint, documents: Documents) -> tuple[Pretraining, dict[str, float]]:
    recipe = order.recipe
    batches = Batches.of(parent.tokenizer, mask_token_id(parent) if parent.kind == Kind.MASKED else None)
    material = material_of(parent.tokenizer, documents, order.swapped, batches, recipe.length)
    model, replaced = start_model(parent, recipe, order.device)
    words = digest([part.model_dump() for part in order.lists if order.swapped])
    made_from = {"model": parent.digest, "text": documents.sha256, "word list": words}
    return Pretraining(model, recipe, material, batches, made_from), replaced


def _train(order: TrainingOrder, training: Pretraining, say: Say, stop: Stop) -> None:
    steps, said = order.recipe.steps, progress_lines(training.step, order.recipe.steps)
    try:
        for loss in training.losses():
            line, step, stopped = said(loss), training.step, stop()
            if not math.isfinite(loss):
                raise InputError(f"the loss of step {step} is not a number: give a smaller --rate, and another --name")
            if step % SAID == 0 or step == steps:
                say(line)
            if step % order.saved == 0 or step == steps or stopped:
                training.save(order.checkpoint)
            if step < steps and stopped:
                raise KeyboardInterrupt(f"interrupted after step {step} of {steps}: the same command continues there")
    except RuntimeError as error:
        if not is_out_of_memory(error):
            raise
        remedy = "give a smaller --batch or --length"
        raise OutOfMemoryError(f"{order.reference} needs more memory for its training: {remedy}") from error


def progress_lines(step: int, steps: int) -> Callable[[float], str]:
    """Return a function that takes the loss of each next step and returns the line about it."""
    begun, first, mean = time.monotonic(), step, 0.0

    def line(loss: float) -> str:
        nonlocal step, mean
        step, mean = step + 1, 0.98 * mean + 0.02 * loss if mean else loss
        pace = (step - first) / (time.monotonic() - begun)
        left = (steps - step) / pace / 60
        return f"step {step} of {steps}  loss {mean:.3f}  {pace:.2f} steps/s  {left:.0f} min left"

    return line
