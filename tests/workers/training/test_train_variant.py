"""Trained variants of tiny models: stopped, killed, resumed, loaded, asked, and refused."""

import json
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from plumbline.spec.errors import InputError, ModelError
from plumbline.spec.variant import Part, VariantCard
from tests.patience import PATIENCE
from tests.processes import forked
from tests.workers.engine.conftest import GPT2, save_model
from tests.workers.tiny import save_tiny_bert, save_tiny_multiple_choice, save_tiny_xlnet
from tests.workers.training.variant_orders import MANY, STEPS, order, write_text
from workers.engine.causal import CausalModel, CausalQuery
from workers.engine.checkpoints.variants import WEIGHTS, unfinished_folder, variant_folder
from workers.engine.loading import load_any, locate
from workers.engine.masked import MaskedModel, MaskedQuery
from workers.training import mcq
from workers.training.recipe import Retraining
from workers.training.resuming import CHECKPOINT
from workers.training.sole_process import sole_process
from workers.training.train_variant import train_variant
from workers.training.training_order import TrainingOrder


@pytest.fixture(autouse=True)
def _store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("MODEL_STORE", str(tmp_path / "store"))
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_bert(tmp_path_factory.mktemp("bert"), seed=1)


@pytest.fixture(scope="module")
def causal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_model(tmp_path_factory.mktemp("gpt2"), "GPT2LMHeadModel", "bytes_plain", GPT2)


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_text(tmp_path_factory.mktemp("text"))


def train(some: TrainingOrder, stop_after: int | None = None) -> VariantCard:
    """Train, or be stopped as by a signal that comes during this step."""
    asked = [0]

    def stop() -> bool:
        asked[0] += 1
        return stop_after is not None and asked[0] > stop_after

    return train_variant(some, lambda line: None, stop)


def stopped(some: TrainingOrder, after: int = 3) -> None:
    with pytest.raises(KeyboardInterrupt, match=r"interrupted after step .* of .*: the same command continues there"):
        train(some, after)
    assert some.checkpoint.exists()


def weights(slug: str) -> dict[str, torch.Tensor]:
    return load_file(variant_folder(slug) / WEIGHTS / "model.safetensors")


def assert_same_weights(one: str, other: str) -> None:
    expected, found = weights(one), weights(other)
    assert expected.keys() == found.keys()
    assert all(torch.equal(expected[name], found[name]) for name in expected)


@pytest.mark.parametrize("method", ["cda", "dropout"])
def test_a_stopped_training_ends_with_the_weights_of_an_undisturbed_one(
    method: Retraining, model: Path, text: Path
) -> None:
    expected = train(order(model, text, method))
    stopped(order(model, text, method, "stopped"))
    assert not variant_folder("stopped").exists()
    found = train(order(model, text, method, "stopped"))
    assert_same_weights("fair", "stopped")
    assert (found.digest, found.found) == (expected.digest, expected.found)


def test_a_causal_training_that_is_stopped_twice_ends_with_the_same_weights(causal: Path, text: Path) -> None:
    train(order(causal, text))
    stopped(order(causal, text, slug="stopped"), 1)
    stopped(order(causal, text, slug="stopped"), 2)
    train(order(causal, text, slug="stopped"))
    assert_same_weights("fair", "stopped")


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM])
def test_a_process_that_is_ended_is_continued_to_the_same_weights(
    sent: signal.Signals, model: Path, text: Path
) -> None:
    process = forked.start("-m", "tests.workers.training.variant_orders", model, text, "cda")
    checkpoint = unfinished_folder("fair") / CHECKPOINT
    deadline = time.monotonic() + PATIENCE
    while not checkpoint.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    process.send_signal(sent)
    process.wait(PATIENCE)
    assert not variant_folder("fair").exists(), process.communicate()
    if sent == signal.SIGTERM:
        assert "the same command continues there" in process.communicate()[1]
    train(order(model, text, steps=MANY))
    train(order(model, text, slug="undisturbed", steps=MANY))
    assert_same_weights("fair", "undisturbed")


def test_a_masked_variant_is_found_by_its_name_and_asked(model: Path, text: Path) -> None:
    card = train(order(model, text))
    found = locate("variant:fair")
    assert found.digest == card.digest != card.parent_digest == locate(f"path:{model}").digest
    assert found.tokenizer_digest == locate(f"path:{model}").tokenizer_digest
    variant, parent = (load_any(one, device="cpu") for one in (found, locate(f"path:{model}")))
    assert isinstance(variant, MaskedModel)
    assert isinstance(parent, MaskedModel)
    query = [MaskedQuery((2, 5, 4, 3), 2, 14)]
    assert not np.allclose(variant.log_probabilities(query), parent.log_probabilities(query), atol=1e-3)


def test_a_causal_variant_answers_as_any_causal_model(causal: Path, text: Path) -> None:
    train(order(causal, text, "dropout"))
    variant = load_any(locate("variant:fair"), device="cpu")
    assert isinstance(variant, CausalModel)
    assert np.isfinite(variant.log_probabilities([CausalQuery((2, 20), (21,))])).all()


def test_the_card_says_what_was_swapped_and_how_the_loss_changed(model: Path, text: Path) -> None:
    card = train(order(model, text, steps=MANY))
    swapped = card.found["swapped"]
    assert swapped.keys() == {"woman", "man"}
    assert card.found["counterfactual"] == swapped["woman"]["man"] + swapped["man"]["woman"]
    assert card.found["loss"]["after"] < card.found["loss"]["before"]
    assert (card.params["steps"], card.params["threads"], card.text.name) == (MANY, 1, "text.txt")


def test_raised_dropout_acts_in_the_training_alone(model: Path, text: Path) -> None:
    card = train(order(model, text, "dropout"))
    assert (card.params["hidden_dropout_prob"], card.params["attention_probs_dropout_prob"]) == (0.20, 0.15)
    config = json.loads((variant_folder("fair") / WEIGHTS / "config.json").read_text(encoding="utf-8"))
    assert (config["hidden_dropout_prob"], config["attention_probs_dropout_prob"]) == (0.1, 0.1)
    train(order(model, text, "dropout", "weaker", hidden=0.0, attention=0.0))
    assert locate("variant:weaker").digest != card.digest


def test_a_variant_of_a_trained_variant_is_trained(model: Path, text: Path) -> None:
    train(order(model, text))
    card = train(order("variant:fair", text, "dropout", "fairer"))
    assert (card.parent, card.parent_digest) == ("variant:fair", locate("variant:fair").digest)


def test_a_trained_variant_is_the_base_of_a_fine_tuning(model: Path, text: Path) -> None:
    train(order(model, text))
    base = mcq.start_model(locate("variant:fair"), 0, "cpu", new_head=True)
    name = "bert.encoder.layer.1.output.dense.weight"
    assert torch.equal(base.model.get_parameter(name), weights("fair")[name])


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"rate": 2e-3}, "rate"),
        ({"seed": 1}, "seed"),
        ({"steps": 7}, "steps"),
        ({"method": "dropout"}, "method"),
    ],
)
def test_a_checkpoint_of_another_recipe_is_refused(
    change: dict[str, object], named: str, model: Path, text: Path
) -> None:
    stopped(order(model, text))
    other = order(model, text)
    recipe = replace(other.recipe, **change)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=rf"was made with another {named}: give the same again, or another --name"):
        train(replace(other, recipe=recipe))


def test_a_checkpoint_of_another_text_list_or_model_is_refused(model: Path, text: Path, tmp_path: Path) -> None:
    stopped(order(model, text))
    longer = tmp_path / "longer.txt"
    longer.write_text(text.read_text(encoding="utf-8") + "\nThe man is here.\n", encoding="utf-8")
    with pytest.raises(InputError, match="was made with another text: give the same"):
        train(order(model, longer))
    edited = Part(kind="attributes", slug="gender", sha256="0" * 64)
    with pytest.raises(InputError, match="was made with another word list: give the same"):
        train(replace(order(model, text), lists=[edited]))
    with pytest.raises(InputError, match="was made with another model: give the same"):
        train(order(save_tiny_bert(tmp_path / "other", seed=2), text))


def test_two_processes_do_not_train_the_same_variant(model: Path, text: Path) -> None:
    with sole_process(unfinished_folder("fair")), pytest.raises(InputError, match="another process is training in"):
        train(order(model, text))
    assert train(order(model, text)).slug == "fair"


def test_a_damaged_checkpoint_is_refused(model: Path, text: Path) -> None:
    stopped(order(model, text))
    path = unfinished_folder("fair") / CHECKPOINT
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(InputError, match=r"the checkpoint .* is damaged .*: remove it to train from the beginning"):
        train(order(model, text))


def test_damaged_weights_of_a_variant_are_refused(model: Path, text: Path) -> None:
    train(order(model, text))
    file = variant_folder("fair") / WEIGHTS / "model.safetensors"
    raw = bytearray(file.read_bytes())
    raw[-1] ^= 1
    file.write_bytes(raw)
    with pytest.raises(ModelError, match="are not those of its card"):
        locate("variant:fair")


def test_a_model_without_a_language_model_head_is_refused_with_the_way_round(tmp_path: Path, text: Path) -> None:
    model = save_tiny_multiple_choice(tmp_path / "choice", seed=1)
    with pytest.raises(
        ModelError, match=r"of the kind multiple choice, which has no language-model head .* then fine-tune"
    ):
        train(order(model, text))


def test_xlnet_is_refused(tmp_path: Path, text: Path) -> None:
    with pytest.raises(ModelError, match="choose a masked or causal language model"):
        train(order(save_tiny_xlnet(tmp_path / "xlnet", seed=1), text))


@pytest.mark.parametrize(
    ("method", "change", "fault"),
    [
        ("cda", {"length": 500}, "takes passages of 8 to 128 tokens: choose another --length"),
        ("cda", {"steps": 0}, "at least one step"),
        ("cda", {"hidden": 0.1}, "--method cda does not change dropout"),
        ("cda", {"rate": 0.0}, "the learning rate must be above 0"),
        ("dropout", {"hidden": 1.5}, "dropout and warm-up from 0 to below 1"),
    ],
)
def test_a_recipe_that_does_not_fit_is_refused(
    method: Retraining, change: dict[str, Any], fault: str, model: Path, text: Path
) -> None:
    with pytest.raises(InputError, match=fault):
        train(order(model, text, method, **change))


def test_a_training_that_diverges_makes_no_variant(model: Path, text: Path) -> None:
    with pytest.raises(InputError, match=r"the loss of step \d+ is not a number: give a smaller --rate"):
        train(order(model, text, rate=1e30))
    assert not variant_folder("fair").exists()


def test_a_name_is_taken_once_but_an_ended_training_can_still_be_entered(model: Path, text: Path) -> None:
    card = train(order(model, text))
    assert train(order(model, text)) == card
    (unfinished_folder("fair") / CHECKPOINT).unlink()
    with pytest.raises(InputError, match="variant:fair is in the model store already"):
        train(order(model, text))
    assert card.params["steps"] == STEPS
