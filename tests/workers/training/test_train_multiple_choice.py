"""A tiny model learns to choose; a training that was killed ends as if it had not been."""

from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from plumbline.spec.errors import InputError
from tests.workers.engine.conftest import SMALL, save_model
from workers.engine.loading import locate
from workers.engine.multiple_choice import MultipleChoiceModel
from workers.training.accuracy import accuracy
from workers.training.mcq import start_model
from workers.training.questions import Question
from workers.training.recipe import ChoiceRecipe
from workers.training.train_multiple_choice import Choosing

RECIPE = ChoiceRecipe(epochs=3, rate=3e-3, batch=4, warm_up=0.2)
Begin = Callable[..., Choosing]


def questions(count: int) -> list[Question]:
    """The right answer is always the same word; it stands in each place."""
    words = ("warm", "women", "poor")
    places = [number % 3 for number in range(count)]
    return [
        Question(number, f"all are {number}.", "who?", (*words[3 - place :], *words[: 3 - place]), place)
        for number, place in enumerate(places)
    ]


@pytest.fixture
def begin(tiny_folder: Path) -> Begin:
    def training(recipe: ChoiceRecipe = RECIPE, count: int = 18) -> Choosing:
        model = start_model(locate(f"path:{tiny_folder}"), recipe.seed, "cpu", new_head=True)
        return Choosing(model, recipe, questions(count))

    return training


def weights(choosing: Choosing) -> dict[str, torch.Tensor]:
    return {name: value.detach().clone() for name, value in choosing.model.model.named_parameters()}


def test_what_can_be_learnt_is_learnt(tmp_path: Path) -> None:
    # Without dropout, which in a wide random model of this size drowns everything.
    calm = {**SMALL, "initializer_range": 0.1, "hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    folder = save_model(tmp_path / "calm", "BertForMaskedLM", "wordpiece", calm)
    model = start_model(locate(f"path:{folder}"), 0, "cpu", new_head=True)
    choosing = Choosing(model, replace(RECIPE, epochs=12), questions(18))
    losses = list(choosing.losses())
    assert np.mean(losses[-10:]) < 0.3 < np.mean(losses[:10])
    assert accuracy(model, questions(18)).right == 18


def test_only_what_shall_learn_changes(begin: Begin) -> None:
    choosing = begin(replace(RECIPE, learn=r"pooler|layer\.2\.attention"))
    before = weights(choosing)
    list(choosing.losses())
    changed = {name for name, value in weights(choosing).items() if not torch.equal(value, before[name])}
    assert changed == set(choosing.learnt())
    assert {name.split(".")[1] for name in changed} == {"pooler", "encoder"}


def test_a_resumed_training_ends_with_the_same_weights(begin: Begin, tmp_path: Path) -> None:
    undisturbed, killed, resumed = begin(), begin(), begin()
    expected = list(undisturbed.losses())
    first = list(islice(killed.losses(), 6))
    killed.save(tmp_path / "checkpoint.pt")
    torch.rand(7)
    resumed.resume(tmp_path / "checkpoint.pt")
    assert first + list(resumed.losses()) == expected
    assert len(expected) == undisturbed.steps == 15
    for name, value in weights(resumed).items():
        assert torch.equal(value, weights(undisturbed)[name]), name


@pytest.mark.parametrize(
    ("changed", "named"), [({"recipe": replace(RECIPE, rate=1e-3, seed=1)}, "rate, seed"), ({"count": 17}, "questions")]
)
def test_another_training_cannot_be_gone_on_with(
    begin: Begin, tmp_path: Path, changed: dict[str, Any], named: str
) -> None:
    begin().save(tmp_path / "checkpoint.pt")
    with pytest.raises(InputError, match=f"made with another {named}: give the same again"):
        begin(**changed).resume(tmp_path / "checkpoint.pt")


@pytest.mark.parametrize(
    ("learn", "told"), [("(", "is not a regular expression"), ("nobody", "in no parameter's name")]
)
def test_a_pattern_that_finds_nothing_is_refused(begin: Begin, learn: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        begin(replace(RECIPE, learn=learn))


def test_the_rate_rises_then_falls_to_nothing(begin: Begin) -> None:
    choosing = begin()
    rates = []
    for _ in choosing.losses():
        rates.append(choosing.optimizer.param_groups[0]["lr"])
    assert rates[:3] == pytest.approx([1e-3, 2e-3, 3e-3])
    assert rates[3] == 3e-3
    assert rates[-1] == pytest.approx(3e-3 / 12)


def test_a_question_that_is_too_long_or_draws_level_is_answered_wrongly(begin: Begin) -> None:
    model: MultipleChoiceModel = begin().model
    logits = {"women": 1.0, "poor": 2.0, "warm": 2.0}
    some = [replace(one, answers=answers) for one in questions(2) for answers in (("women", "poor", "warm"),)]
    some.append(replace(some[1], answers=("women", "poor", "women")))
    some.append(replace(some[1], context="all women are poor. " * 40))

    class Fixed(MultipleChoiceModel):
        def logits(self, pairs: Any, progress: Any = None) -> Any:
            return np.array([np.nan if len(first) > 200 else logits[choice] for first, choice in pairs])

    found = accuracy(Fixed(model.checkpoint, model.model), some)
    assert (found.right, found.questions) == (1, 4)
    assert str(found).startswith("0.250 of 4 questions about 3 contexts (standard error 0.217; chance 0.333; 95% inter")
