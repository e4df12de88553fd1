"""manage.py train: a tiny model learns RACE's form, killed and resumed, and the probe bbq can ask it."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.core.management import call_command
from safetensors.torch import load_file

from plumbline.spec.bbq_params import BbqParams
from plumbline.spec.bbq_prompts import multiple_choice
from plumbline.spec.bbq_question import Question
from tests.plumbline.spec.some_questions import question
from tests.workers.engine.conftest import SMALL, save_model
from tests.workers.training.some_passages import released
from workers.engine.loading import load_any, locate
from workers.engine.multiple_choice import MultipleChoiceModel
from workers.training.mcq import MODEL, RECORD
from workers.training.resuming import CHECKPOINT

Told = pytest.CaptureFixture[str]
LEARNS = ("--epochs", "12", "--rate", "3e-3", "--batch", "8", "--warm-up", "0.2", "--saved", "5", "--device", "cpu")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Without dropout, which in a wide random model of this size drowns everything."""
    calm = {**SMALL, "initializer_range": 0.1, "hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    layout = {**calm, "max_position_embeddings": 98, "type_vocab_size": 1}
    return f"path:{save_model(tmp_path_factory.mktemp('calm'), 'RobertaForMaskedLM', 'bytes', layout)}"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(released(tmp_path_factory.mktemp("race"), 20))


def arguments(base: str, data: str, out: Path) -> list[str]:
    return ["race", "--data", data, "--base", base, "--out", str(out), *LEARNS]


@pytest.fixture(scope="module")
def trained(base: str, data: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("out")
    call_command("train", *arguments(base, data, out))
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
    assert isinstance(model, MultipleChoiceModel)
    assert {"Ada", "Bo"} <= (model.checkpoint.names_seen or frozenset())
    item = question(context="Ada and Bo were in a car.", question="Who?")
    asked = Question.model_validate(item)
    pairs = [multiple_choice(asked, BbqParams(), option) for option in ("men", "warm", "poor")]
    assert int(model.logits(pairs).argmax()) == 1


def test_a_training_that_was_killed_ends_with_the_same_weights(
    trained: Path, base: str, data: str, tmp_path: Path
) -> None:
    begun = subprocess.Popen([sys.executable, "manage.py", "train", *arguments(base, data, tmp_path)])
    deadline = time.monotonic() + 120
    while not (tmp_path / CHECKPOINT).exists() and begun.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    begun.send_signal(signal.SIGKILL)
    begun.wait()
    assert not (tmp_path / MODEL).exists()
    call_command("train", *arguments(base, data, tmp_path), "--resume")
    expected, found = (load_file(out / MODEL / "model.safetensors") for out in (trained, tmp_path))
    assert expected.keys() == found.keys()
    assert all(bool((expected[name] == found[name]).all()) for name in expected)


def test_a_step_may_be_learnt_from_in_parts(trained: Path, base: str, data: str, tmp_path: Path, capsys: Told) -> None:
    call_command("train", *arguments(base, data, tmp_path), "--parts", "3")
    assert json.loads((tmp_path / MODEL / RECORD).read_text(encoding="utf-8"))["recipe"]["parts"] == 3
    assert float(capsys.readouterr().out.split("held out: ")[1].split()[0]) > 0.9


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
