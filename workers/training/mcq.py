"""Fine-tune a multiple-choice model: manage.py train socialiqa|race --data FILE --base REF --out DIR."""

import argparse
import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
import transformers
from safetensors.torch import save_file
from transformers import AutoModelForMultipleChoice

from plumbline.spec.errors import InputError
from workers.engine.checkpoints.bundled import ENCODER, MINILM
from workers.engine.checkpoints.checkpoint import Checkpoint, Kind, inspect
from workers.engine.loading import Device, locate, use_threads
from workers.engine.multiple_choice import MultipleChoiceModel
from workers.training.accuracy import Accuracy, accuracy
from workers.training.fine_tuning_loop import train
from workers.training.headed_base import Head, headed_base
from workers.training.mcq_options import QUESTIONS, add_options, out_of, recipe_of
from workers.training.questions import Question, check_answers, read_questions, split
from workers.training.race_dataset import read_race
from workers.training.resuming import CHECKPOINT, take_up
from workers.training.train_multiple_choice import Choosing
from workers.training.truncation import cut
from workers.training.write_headed import write_headed

MODEL, LEARNT = "model", "learnt.safetensors"
HEAD = Head(AutoModelForMultipleChoice, Kind.MULTIPLE_CHOICE, "multiple-choice model")
RECORD = "made_from.json"
Options = argparse.Namespace


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--format", choices=list(QUESTIONS), default="socialiqa", help="of the questions")
    add_options(parser)
    options = parser.parse_args(arguments)
    options.out = out_of(options.format, options.out)
    try:
        run(options)
    except InputError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    except KeyboardInterrupt as stopped:
        sys.stderr.write(f"{interruption(stopped, options.out)}\n")
        return 130
    return 0


def interruption(stopped: KeyboardInterrupt, out: Path) -> str:
    """Return what an interrupt says, or what it leaves if it came before the steps, after them, or twice."""
    if str(stopped):
        return str(stopped)
    if (out / CHECKPOINT).exists():
        return f"interrupted: the same command with --resume continues at the checkpoint in {out}"
    return "interrupted before the first checkpoint: the same command begins again"


@dataclass(frozen=True)
class Read:
    """The questions for training and evaluation, and the numbers of those left out or cut."""

    training: list[Question]
    held_out: list[Question]
    left_out: int = 0
    """The number of questions left out because a text is empty."""
    cut: int = 0
    """The number of questions whose passage was cut to the model's length."""

    def __str__(self) -> str:
        told = f"{len(self.training)} questions to learn, {len(self.held_out)} held out"
        empty = f"; {self.left_out} with an empty text left out" if self.left_out else ""
        return told + empty + (f"; the ends of {self.cut} passages cut" if self.cut else "")


def run(options: Options) -> None:
    """Train and evaluate a model by the options. Raises InputError with the remedy.

    A training that is stopped before its end is not evaluated: the accuracy would be that of no model.
    """
    check_options(options)
    use_threads(options.threads)
    recipe = recipe_of(options)
    read = _questions(options)
    model = start_model(base_of(options.base), recipe.seed, options.device, new_head=not options.evaluate)
    if options.format == "race":
        read = _fitted(model.tokenizer, read)
    say(str(read))
    choosing = None if options.evaluate else Choosing(model, recipe, read.training)
    if choosing:
        take_up(choosing, options.out, options.resume)
        if not train(choosing, options.out, options.minutes * 60, options.saved, say):
            return
        write_model(choosing, options.out)
    check_answers(read.held_out)
    say("answering the questions held out ...")
    found = accuracy(model, read.held_out)
    say(f"held out: {found}")
    if choosing:
        write_record(options, choosing, read, found)


def check_options(options: Options) -> None:
    """Raise InputError for numbers that no training can have."""
    if options.saved < 1:
        raise InputError(f"there is no checkpoint every {options.saved} steps: give --saved 1 or more")
    if not options.minutes >= 0:  # also catches nan, which no time would ever exceed
        raise InputError(f"--minutes {options.minutes} is no time limit: give 0 or more, or leave it out")


def _questions(options: Options) -> Read:
    questions, empty = _read(options.format, options.data)
    if options.dev:
        held_out, empty_too = _read(options.format, options.dev)
        return Read(questions, held_out, empty + empty_too)
    if options.one_in < 2:
        raise InputError(f"--one-in {options.one_in} leaves nothing to learn: give 2 or more, or a file with --dev")
    training, held_out = split(questions, options.one_in)
    if not training or not held_out:
        raise InputError(
            f"{options.data} holds too few contexts to hold one in {options.one_in} out: give more questions, or --dev"
        )
    return Read(training, held_out, empty)


def _read(form: str, path: Path) -> tuple[list[Question], int]:
    return read_race(path) if form == "race" else (read_questions(path), 0)


def _fitted(tokenizer: Any, read: Read) -> Read:
    training, some = cut(tokenizer, read.training)
    held_out, others = cut(tokenizer, read.held_out)
    return Read(training, held_out, read.left_out, some + others)


def base_of(reference: str | None) -> Checkpoint:
    """Find the model that a training begins with. Raises ModelError as `locate` does."""
    if reference is None:
        return inspect("the encoder", MINILM.path("the recipe", ENCODER), MINILM.release)
    return locate(reference)


def start_model(checkpoint: Checkpoint, seed: int, device: Device, *, new_head: bool) -> MultipleChoiceModel:
    """Return the base model as `headed_base` does."""
    return MultipleChoiceModel(checkpoint, headed_base(checkpoint, HEAD, seed, device, new_head=new_head))


def write_model(choosing: Choosing, out: Path) -> None:
    """Write the whole model as a folder for `path:` references.

    If only some weights learnt, also these alone, in fp16.
    """
    write_headed(choosing.model, choosing.names_seen, out / MODEL)
    if choosing.recipe.learn:
        weights = {name: value.half().cpu().contiguous() for name, value in choosing.learnt().items()}
        facts = {"recipe": json.dumps(asdict(choosing.recipe)), **_texts(choosing.identity, "base", "questions")}
        save_file(weights, out / LEARNT, metadata={"format": "pt", **facts})
    say(f"written: {out / MODEL}")


def write_record(options: Options, choosing: Choosing, read: Read, found: Accuracy) -> None:
    """Write a record of the model's sources and its accuracy into its folder."""
    low, high = found.interval
    record = {
        "base": choosing.model.checkpoint.reference,
        "base_digest": choosing.model.checkpoint.digest,
        "format": options.format,
        "files": [path.name for path in (options.data, options.dev) if path],
        "recipe": asdict(choosing.recipe),
        "questions": len(read.training),
        "questions_digest": choosing.identity["questions"],
        "left_out": read.left_out,
        "cut": read.cut,
        "held_out": {"right": found.right, "questions": found.questions, "low": low, "high": high},
        "versions": {"torch": torch.__version__, "transformers": transformers.__version__},
    }
    (options.out / MODEL / RECORD).write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


def _texts(identity: dict[str, Any], *keys: str) -> dict[str, str]:
    return {key: str(identity[key]) for key in keys}


def say(line: str) -> None:
    """Write a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
