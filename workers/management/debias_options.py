"""The options of `manage.py model debias`, and the recipe that they ask for."""

from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workers.debiasing.recipe import METHODS, Recipe
from workers.training.recipe import RETRAINING, PretrainingRecipe


def add_options(parser: ArgumentParser) -> None:
    """Add what all methods take, then what projections and trainings take."""
    parser.add_argument("reference", metavar="REF", help="the model, as in specs; a variant, too")
    parser.add_argument("--method", choices=(*METHODS, *RETRAINING), required=True)
    parser.add_argument(
        "--words",
        metavar="LIST",
        nargs="+",
        default=[],
        help="attribute sets with group and category; dropout only measures with them",
    )
    parser.add_argument("--corpus", metavar="FILE", type=Path, required=True, help="text, plain or .gz")
    parser.add_argument("--name", metavar="SLUG", required=True, help="of the variant")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    _add_projecting(parser)
    _add_training(parser)


def recipe_of(options: Mapping[str, Any]) -> Recipe | PretrainingRecipe:
    """Return the recipe of the chosen method."""
    kind = PretrainingRecipe if options["method"] in RETRAINING else Recipe
    return kind(**{name: options[name] for name in kind.__dataclass_fields__})


def _add_projecting(parser: ArgumentParser) -> None:
    usual = Recipe("leace")
    group = parser.add_argument_group("leace, inlp, sentence_debias")
    group.add_argument("--sentences", metavar="LIST", default="", help="templates with {attribute}: sentence_debias")
    group.add_argument("--layer", type=int, help="from 0 after the embeddings; without it the last")
    group.add_argument("--most", type=int, default=usual.most, help="sentences of each group")
    group.add_argument("--classifiers", type=int, default=usual.classifiers, help="inlp")
    group.add_argument("--logistic", action="store_true", help="inlp with logistic regressions")
    group.add_argument("--directions", type=int, default=usual.directions, help="sentence_debias")


def _add_training(parser: ArgumentParser) -> None:
    usual = PretrainingRecipe("cda")
    group = parser.add_argument_group("dropout, cda", "The same command continues a training that was stopped.")
    group.add_argument("--steps", type=int, default=usual.steps)
    group.add_argument("--batch", type=int, default=usual.batch, help="passages of a step")
    group.add_argument("--length", type=int, default=usual.length, help="tokens of the longest passage")
    group.add_argument("--rate", type=float, default=usual.rate, help="the highest learning rate")
    group.add_argument("--warm-up", type=float, default=usual.warm_up, help="share of the steps with a rising rate")
    group.add_argument("--decay", type=float, default=usual.decay, help="of weights")
    group.add_argument("--hidden", type=float, help="dropout of hidden states; without it by family (0.20)")
    group.add_argument("--attention", type=float, help="dropout of attention weights; without it by family (0.15)")
    group.add_argument("--saved", type=int, default=100, help="steps between checkpoints")
