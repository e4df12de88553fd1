"""Fine-tune a text classifier with two labels: manage.py train labels --data FILE --base REF --out DIR."""

import argparse
import json
from dataclasses import asdict
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
import transformers
from torch import Tensor, nn
from transformers import AutoModelForSequenceClassification

from plumbline.spec.errors import InputError
from workers.engine.checkpoints.checkpoint import Kind
from workers.engine.classifier import LABELS, ClassifierModel
from workers.engine.loading import use_threads
from workers.engine.sentences import UNLIMITED
from workers.training.accuracy import Accuracy, design_effect
from workers.training.fine_tuning import FineTuning
from workers.training.fine_tuning_loop import train
from workers.training.headed_base import Head, headed_base
from workers.training.labelled_texts import Labelled, digest_of_labelled, read_labelled, split_labelled
from workers.training.mcq import MODEL, RECORD, base_of, check_options, say
from workers.training.mcq_options import recipe_of
from workers.training.questions import capitalised_words
from workers.training.recipe import ChoiceRecipe
from workers.training.resuming import take_up
from workers.training.write_headed import write_headed

Options = argparse.Namespace
HEAD = Head(AutoModelForSequenceClassification, Kind.CLASSIFIER, "classifier", {"num_labels": LABELS})


class Labelling(FineTuning):
    """The training of a classifier on labelled texts."""

    def __init__(self, model: ClassifierModel, recipe: ChoiceRecipe, texts: list[Labelled]) -> None:
        self.model = model
        self.texts = texts
        self.gold = torch.tensor([int(one.positive) for one in texts])
        super().__init__(model, recipe, len(texts), {"texts": digest_of_labelled(texts)})

    def loss(self, part: npt.NDArray[np.int64]) -> Tensor:
        fed = self.model.fed(self.model.encoded([self.texts[row].text for row in part]))
        return nn.functional.cross_entropy(self.model.model(**fed).logits, self.gold[part].to(self.model.device))


def run(options: Options) -> None:
    """Train and evaluate a classifier by the options. Raises InputError with the remedy.

    A training that is stopped before its end is not evaluated: the accuracy would be that of no model.
    """
    check_options(options)
    use_threads(options.threads)
    learnt, held_out = _texts(options)
    recipe = recipe_of(options)
    base = base_of(options.base)
    started = headed_base(base, HEAD, recipe.seed, options.device, new_head=not options.evaluate)
    model = ClassifierModel(base, started)
    cut = count_too_long(model, [*learnt, *held_out])
    say(f"{len(learnt)} texts to learn, {len(held_out)} held out{f'; the ends of {cut} texts cut' if cut else ''}")
    training = None if options.evaluate else Labelling(model, recipe, learnt)
    if training:
        take_up(training, options.out, options.resume)
        if not train(training, options.out, options.minutes * 60, options.saved, say):
            return
        write_headed(model, capitalised_words(one.text for one in learnt), options.out / MODEL)
        say(f"written: {options.out / MODEL}")
    found = accuracy_of(model, held_out)
    say(f"held out: {found}")
    if training:
        _write_record(options, training, len(held_out), cut, found)


def _texts(options: Options) -> tuple[list[Labelled], list[Labelled]]:
    texts = read_labelled(options.data)
    if options.dev:
        return texts, read_labelled(options.dev)
    if options.one_in < 2:
        raise InputError(f"--one-in {options.one_in} leaves nothing to learn: give 2 or more, or a file with --dev")
    learnt, held_out = split_labelled(texts, options.one_in)
    if len({one.positive for one in learnt}) < LABELS or not held_out:
        raise InputError(
            f"{options.data} holds too few texts to hold one in {options.one_in} out: give more texts, or --dev"
        )
    return learnt, held_out


def count_too_long(model: ClassifierModel, texts: list[Labelled]) -> int:
    """Return how many texts have more tokens than the model takes."""
    limit = model.tokenizer.model_max_length
    if limit >= UNLIMITED:
        return 0
    rows = model.tokenizer([one.text for one in texts], truncation=False, verbose=False)["input_ids"]
    return sum(len(ids) > limit for ids in rows)


def accuracy_of(model: ClassifierModel, texts: list[Labelled]) -> Accuracy:
    """Return the accuracy on labelled texts. Chance is the share of the more frequent label."""
    gold = np.array([one.positive for one in texts])
    right = model.positive([one.text for one in texts]) == gold
    chance = float(max(gold.mean(), 1 - gold.mean()))
    design = design_effect(right, [one.text for one in texts])
    return Accuracy(int(right.sum()), len(texts), chance, design=design, unit="texts")


def _write_record(options: Options, training: Labelling, held_out: int, cut: int, found: Accuracy) -> None:
    """Write a record of the model's sources and its accuracy into its folder."""
    low, high = found.interval
    record: dict[str, Any] = {
        "base": training.model.checkpoint.reference,
        "base_digest": training.model.checkpoint.digest,
        "format": options.format,
        "files": [path.name for path in (options.data, options.dev) if path],
        "recipe": asdict(training.recipe),
        "texts": len(training.texts),
        "positive": sum(one.positive for one in training.texts),
        "texts_digest": training.identity["texts"],
        "cut": cut,
        "held_out": {"right": found.right, "texts": held_out, "chance": found.chance, "low": low, "high": high},
        "versions": {"torch": torch.__version__, "transformers": transformers.__version__},
    }
    (options.out / MODEL / RECORD).write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
