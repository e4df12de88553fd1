"""Fine-tuning from its command line, on a tiny base."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open

from workers.engine.checkpoints.checkpoint import inspect
from workers.engine.loading import load_any, locate
from workers.engine.multiple_choice import MultipleChoiceModel
from workers.engine.projection import INSIDE, Projection, write_projection
from workers.training.mcq import LEARNT, MODEL, interruption, main
from workers.training.resuming import CHECKPOINT

Told = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> str:
    words = ("women", "poor", "warm")
    answers = {f"answer{letter}": word for letter, word in zip("ABC", words, strict=True)}
    entries = [
        {"context": f"{number} are {words[number % 3]}.", "question": "who?", **answers, "correct": "ABC"[number % 3]}
        for number in range(30)
    ]
    path = tmp_path_factory.mktemp("questions") / "train.jsonl"
    path.write_text("\n".join(map(json.dumps, entries)), encoding="utf-8")
    return str(path)


def test_a_training_stops_goes_on_and_leaves_a_model_that_can_be_asked(
    data: str, tiny_folder: Path, tmp_path: Path, capsys: Told
) -> None:
    recipe = ["--data", data, "--base", f"path:{tiny_folder}", "--out", str(tmp_path), "--learn", "pooler|classifier"]
    assert main([*recipe, "--minutes", "0"]) == 0
    assert not (tmp_path / MODEL).exists()
    told = capsys.readouterr().out
    assert told.splitlines()[-1].startswith("stopped after step 1 of ")
    assert told.endswith(f": the same command with --resume continues there ({tmp_path})\n")
    assert "held out: " not in told, "a model that is not trained to the end has no accuracy to report"
    assert main([*recipe, "--resume"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("held out: ")
    model = load_any(locate(f"path:{tmp_path / MODEL}"), device="cpu")
    assert isinstance(model, MultipleChoiceModel)
    assert model.checkpoint.names_seen == frozenset()
    with safe_open(tmp_path / LEARNT, "pt") as written:
        assert {name.split(".")[-2] for name in written.keys()} == {"dense", "classifier"}  # noqa: SIM118
        assert json.loads(written.metadata()["recipe"])["batch"] == 3
    assert main(["--data", data, "--base", f"path:{tmp_path / MODEL}", "--evaluate"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == last


def test_a_variant_is_fine_tuned_with_its_projection_at_work(data: str, tiny_folder: Path, tmp_path: Path) -> None:
    parent = inspect("tiny", tiny_folder)
    nothing = Projection(np.zeros((32, 32), np.float32), np.ones(32, np.float32), None)
    base = tmp_path / "base"
    shutil.copytree(tiny_folder, base)
    (base / INSIDE).mkdir()
    write_projection(base / INSIDE / "00.safetensors", nothing, parent.digest, "a test")
    out = tmp_path / "out"
    assert main(["--data", data, "--base", f"path:{base}", "--out", str(out), "--epochs", "1"]) == 0
    found = locate(f"path:{out / MODEL}")
    assert [path.parent.name for path in found.projections] == [INSIDE]
    model = load_any(found, device="cpu")
    assert isinstance(model, MultipleChoiceModel)
    assert np.ptp(model.logits([("women are", "warm"), ("men are", "poor")])) < 1e-6


def test_a_begun_training_is_not_overwritten_and_none_is_invented(
    data: str, tiny_folder: Path, tmp_path: Path, capsys: Told
) -> None:
    recipe = ["--data", data, "--base", f"path:{tiny_folder}", "--out", str(tmp_path)]
    assert main([*recipe, "--resume"]) == 2
    (tmp_path / CHECKPOINT).touch()
    assert main(recipe) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert "holds no checkpoint: remove --resume" in first
    assert "holds a training already: continue with --resume" in second


def test_only_a_trained_model_is_evaluated(data: str, tiny_folder: Path, capsys: Told) -> None:
    assert main(["--data", data, "--base", f"path:{tiny_folder}", "--evaluate"]) == 2
    assert "is of the kind masked: choose a trained multiple-choice model as --base" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--saved", "0"], "no checkpoint every 0 steps: give --saved 1 or more"),
        (["--minutes", "-1"], "--minutes -1.0 is no time limit"),
        (["--minutes", "nan"], "--minutes nan is no time limit"),
    ],
)
def test_limits_that_could_not_be_kept_are_refused(
    data: str, tiny_folder: Path, tmp_path: Path, capsys: Told, more: list[str], told: str
) -> None:
    assert main(["--data", data, "--base", f"path:{tiny_folder}", "--out", str(tmp_path / "out"), *more]) == 2
    assert told in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_an_interrupt_before_the_first_step_does_not_promise_a_checkpoint(tmp_path: Path) -> None:
    assert interruption(KeyboardInterrupt(), tmp_path).startswith("interrupted before the first checkpoint")
    (tmp_path / CHECKPOINT).touch()
    assert interruption(KeyboardInterrupt(), tmp_path).endswith(f"continues at the checkpoint in {tmp_path}")


@pytest.mark.parametrize(
    ("more", "told"),
    [(["--one-in", "1"], "--one-in 1 leaves nothing to learn"), (["--one-in", "1000"], "too few contexts to hold one")],
)
def test_a_split_that_leaves_one_side_empty_is_refused(
    data: str, tiny_folder: Path, capsys: Told, more: list[str], told: str
) -> None:
    assert main(["--data", data, "--base", f"path:{tiny_folder}", *more]) == 2
    assert told in capsys.readouterr().err


def test_questions_of_another_file_are_measured_on(data: str, tiny_folder: Path, tmp_path: Path, capsys: Told) -> None:
    recipe = ["--data", data, "--dev", data, "--base", f"path:{tiny_folder}", "--out", str(tmp_path), "--minutes", "0"]
    assert main(recipe) == 0
    assert capsys.readouterr().out.splitlines()[0] == "30 questions to learn, 30 held out"
