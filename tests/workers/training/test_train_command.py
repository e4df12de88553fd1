"""manage.py train: a tiny model learns RACE's form, killed and resumed, and the probe bbq can ask it."""

import json
import signal
import time
from pathlib import Path

import numpy as np
import pytest
from django.core.management import call_command
from safetensors.torch import load_file

from plumbline.methods.bbq.params import BbqParams
from plumbline.methods.bbq.prompts import multiple_choice
from plumbline.spec.banks.bbq_question import Question
from tests.patience import PATIENCE
from tests.plumbline.spec.some_questions import question
from tests.processes import forked
from tests.workers.engine.conftest import SMALL, save_model
from tests.workers.training.some_passages import released
from workers.engine.loading import load_any, locate
from workers.engine.multiple_choice import MultipleChoiceModel
from workers.statistics.units import Floats
from workers.training.mcq import MODEL, RECORD
from workers.training.resuming import CHECKPOINT

Told = pytest.CaptureFixture[str]
LEARNS = ("--epochs", "12", "--rate", "3e-3", "--batch", "8", "--warm-up", "0.2", "--saved", "5", "--device", "cpu")
TWO_EPOCHS = ("--epochs", "2")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Without dropout, which in a wide random model of this size drowns everything."""
    calm = {**SMALL, "initializer_range": 0.1, "hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    layout = {**calm, "max_position_embeddings": 98, "type_vocab_size": 1}
    return f"path:{save_model(tmp_path_factory.mktemp('calm'), 'RobertaForMaskedLM', 'bytes', layout)}"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(released(tmp_path_factory.mktemp("race"), 20))


def arguments(base: str, data: str, out: Path, *more: str) -> list[str]:
    return ["race", "--data", data, "--base", base, "--out", str(out), *LEARNS, *more]


@pytest.fixture(scope="module")
def trained(base: str, data: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("out")
    call_command("train", *arguments(base, data, out))
    return out


@pytest.fixture(scope="module")
def begun(base: str, data: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Trained for two epochs: long enough to be disturbed."""
    out = tmp_path_factory.mktemp("begun")
    call_command("train", *arguments(base, data, out, *TWO_EPOCHS))
    return out


def test_it_learns_and_says_what_the_model_was_made_from(trained: Path, base: str) -> None:
    record = json.loads((trained / MODEL / RECORD).read_text(encoding="utf-8"))
    held_out = record["held_out"]
    assert held_out["right"] / held_out["questions"] > 0.9
    assert held_out["low"] > 0.25, "above chance"
    assert (record["base"], record["base_digest"]) == (base, locate(base).digest)
    assert (record["format"], record["recipe"]["batch"], record["cut"], record["left_out"]) == ("race", 8, 0, 0)
    assert record["questions"] + held_out["questions"] == 40


def test_the_model_knows_the_names_it_met_and_answers_bbq_in_the_same_layout(trained: Path) -> None:
    model = load_any(locate(f"path:{trained / MODEL}"), device="cpu")
    assert {"Ada", "Bo"} <= (model.checkpoint.names_seen or frozenset())
    assert int(logits(trained).argmax()) == 1


def logits(out: Path) -> Floats:
    """What a trained model gives the three answers to a question of BBQ."""
    model = load_any(locate(f"path:{out / MODEL}"), device="cpu")
    assert isinstance(model, MultipleChoiceModel)
    asked = Question.model_validate(question(context="Ada and Bo were in a car.", question="Who?"))
    return model.logits([multiple_choice(asked, BbqParams(), option) for option in ("men", "warm", "poor")])


def test_a_training_that_was_killed_ends_with_the_same_weights(
    begun: Path, base: str, data: str, tmp_path: Path
) -> None:
    killed = forked.start("manage.py", "train", *arguments(base, data, tmp_path, *TWO_EPOCHS))
    deadline = time.monotonic() + PATIENCE
    while not (tmp_path / CHECKPOINT).exists() and killed.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert not (tmp_path / MODEL).exists(), killed.communicate()
    call_command("train", *arguments(base, data, tmp_path, *TWO_EPOCHS), "--resume")
    expected, found = (load_file(out / MODEL / "model.safetensors") for out in (begun, tmp_path))
    assert expected.keys() == found.keys()
    assert all(bool((expected[name] == found[name]).all()) for name in expected)


def test_a_step_in_parts_teaches_the_same(begun: Path, base: str, data: str, tmp_path: Path) -> None:
    call_command("train", *arguments(base, data, tmp_path, *TWO_EPOCHS, "--parts", "3"))
    assert json.loads((tmp_path / MODEL / RECORD).read_text(encoding="utf-8"))["recipe"]["parts"] == 3
    np.testing.assert_allclose(logits(tmp_path), logits(begun), atol=1e-3, rtol=0)


def test_the_papers_recipe_is_the_default_and_a_fault_is_one_line(tmp_path: Path, capsys: Told) -> None:
    with pytest.raises(SystemExit) as caught:
        call_command("train", "race", "--data", str(tmp_path / "nowhere"))
    assert caught.value.code == 2
    assert "nowhere" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        call_command("train", "--help")
    told = capsys.readouterr().out
    assert "race: a folder of RACE's .txt files" in " ".join(told.split())


def test_format_race_has_its_own_recipe() -> None:
    from workers.training.mcq_options import RECIPES

    assert [(RECIPES["race"].epochs, RECIPES["race"].rate, RECIPES["race"].batch)] == [(3, 1e-5, 16)]
