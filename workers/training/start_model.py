"""The model that a continued pre-training begins with: the parent's weights, and dropout as the recipe says."""

from typing import Any

import torch
from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForMaskedLM

from plumbline.spec.errors import InputError, ModelError
from workers.engine.checkpoints.checkpoint import Checkpoint, Kind
from workers.engine.checkpoints.silence import first_line, quiet
from workers.engine.loading import Device, check_complete, project_all, resolved_device
from workers.engine.xlnet import FAMILIES as PERMUTED
from workers.training.dropout import dropout_settings
from workers.training.recipe import PretrainingRecipe

SHORTEST = 8
"""Tokens of the longest passage, at least."""
_CLASSES = {Kind.MASKED: AutoModelForMaskedLM, Kind.CAUSAL: AutoModelForCausalLM}


def check_trainable(parent: Checkpoint, recipe: PretrainingRecipe) -> None:
    """Raise ModelError for a model that cannot be trained on text, InputError for a recipe that does not fit it."""
    if parent.kind in (Kind.MULTIPLE_CHOICE, Kind.ENCODER):
        raise ModelError(
            f"{parent.reference} is of the kind {parent.kind.replace('_', ' ')}, which has no language-model head to"
            f" train: debias the language model that it was made of with --method {recipe.method}, then fine-tune that"
            " variant (train socialiqa --base variant:SLUG)"
        )
    if parent.kind not in _CLASSES or parent.config.get("model_type") in PERMUTED:
        raise ModelError(
            f"{parent.reference} cannot be trained with --method {recipe.method}: choose a masked or causal language"
            " model (not XLNet)"
        )
    longest = parent.tokenizer.model_max_length
    if not SHORTEST <= recipe.length <= longest:
        raise InputError(
            f"{parent.reference} takes passages of {SHORTEST} to {longest} tokens: choose another --length"
        )
    _check_numbers(recipe)


def _check_numbers(recipe: PretrainingRecipe) -> None:
    dropout = [value for value in (recipe.hidden, recipe.attention) if value is not None]
    if recipe.steps < 1 or recipe.batch < 1:
        raise InputError("a training needs at least one step and one passage a step: correct --steps and --batch")
    if dropout and recipe.method != "dropout":
        raise InputError(f"--method {recipe.method} does not change dropout: leave out --hidden and --attention")
    if recipe.rate <= 0 or any(not 0 <= value < 1 for value in (*dropout, recipe.warm_up)):
        raise InputError(
            "the learning rate must be above 0, and dropout and warm-up from 0 to below 1: correct --rate, --hidden,"
            " --attention or --warm-up"
        )


def start_model(parent: Checkpoint, recipe: PretrainingRecipe, device: Device) -> tuple[Any, dict[str, float]]:
    """Return the model, and the dropout settings of its config that the recipe replaced.

    Raises ModelError for files that do not load, and for a model without its head or without dropout.
    """
    with quiet():
        try:
            config = AutoConfig.from_pretrained(parent.folder, local_files_only=True)
            changed = _raised(config, parent, recipe)
            model, report = _CLASSES[parent.kind].from_pretrained(
                parent.folder,
                config=config,
                dtype=torch.float32,
                use_safetensors=True,
                local_files_only=True,
                output_loading_info=True,
                ignore_mismatched_sizes=True,
                # Other implementations of attention add up gradients in an order that may change from run to run.
                attn_implementation="eager",
            )
        except ModelError:
            raise
        # Foreign files break in many ways, and every error is the files' fault.
        except Exception as error:
            raise ModelError(
                f"{parent.reference} cannot be loaded ({first_line(error)}): fetch or save the model again"
            ) from error
    check_complete(parent, report)
    return project_all(parent, model.to(resolved_device(device))), changed


def _raised(config: Any, parent: Checkpoint, recipe: PretrainingRecipe) -> dict[str, float]:
    """Set the dropout of the config, and return the settings as they were."""
    if recipe.method != "dropout":
        return {}
    raised = dropout_settings(config, parent.reference, recipe.hidden, recipe.attention)
    before = {name: getattr(config, name) for name in raised}
    for name, value in raised.items():
        setattr(config, name, value)
    return before
