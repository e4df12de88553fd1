import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

from plumbline.spec.errors import ModelError, SpecError
from workers.engine.causal import CausalModel
from workers.engine.checkpoints.checkpoint import kind_of, max_tokens
from workers.engine.loading import ENGINE_VERSION, Kind, load, locate, provenance
from workers.engine.masked import MaskedModel

Folder = Callable[[str], Path]


@pytest.fixture
def copy_of(folder_of: Folder, tmp_path: Path) -> Folder:
    """A copy of a tiny model, to be damaged."""

    def copy(name: str) -> Path:
        return Path(shutil.copytree(folder_of(name), tmp_path / name))

    return copy


def edit_config(folder: Path, **changes: Any) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def refused(folder: Path) -> str:
    """The one line that says why a folder cannot be used."""
    with pytest.raises(ModelError) as caught:
        load(locate(f"path:{folder}"), device="cpu")
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(("name", "kind", "model"), [("bert", "masked", MaskedModel), ("gpt2", "causal", CausalModel)])
def test_a_folder_is_located_and_loaded_for_reading(folder_of: Folder, name: str, kind: str, model: type) -> None:
    checkpoint = locate(f"path:{folder_of(name)}")
    assert (checkpoint.kind, checkpoint.folder, checkpoint.revision) == (kind, folder_of(name), "")
    loaded = load(checkpoint, device="cpu")
    assert isinstance(loaded, model)
    assert not loaded.model.training
    assert loaded.model.dtype == torch.float32


def test_bfloat16_is_loaded_by_choice(folder_of: Folder) -> None:
    assert load(locate(f"path:{folder_of('bert')}"), dtype="bfloat16", device="cpu").model.dtype == torch.bfloat16


def test_no_variable_of_the_environment_rounds_products_in_float32(
    folder_of: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NVIDIA_TF32_OVERRIDE", "1")
    load(locate(f"path:{folder_of('bert')}"))
    assert os.environ["NVIDIA_TF32_OVERRIDE"] == "0"
    assert not torch.backends.cuda.matmul.allow_tf32
    assert not torch.backends.cudnn.allow_tf32


def test_locating_imports_neither_torch_nor_transformers(folder_of: Folder) -> None:
    code = """
import sys
from workers.engine.loading import locate
locate(sys.argv[1])
print(*{"torch", "transformers"} & set(sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", code, f"path:{folder_of('bert')}"], capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr, done.returncode) == ("", "", 0)


def test_the_digest_follows_the_content_and_not_the_place(folder_of: Folder, copy_of: Folder) -> None:
    original, copy = locate(f"path:{folder_of('bert')}"), copy_of("bert")
    edit_config(copy, _name_or_path="elsewhere", transformers_version="0")
    assert locate(f"path:{copy}").digest == original.digest
    weights = load_file(copy / "model.safetensors")
    weights["bert.embeddings.word_embeddings.weight"][0, 0] += 1
    save_file(weights, copy / "model.safetensors")
    changed = locate(f"path:{copy}")
    assert changed.digest != original.digest
    assert changed.tokenizer_digest == original.tokenizer_digest


def test_the_tokenizer_has_a_digest_of_its_own(folder_of: Folder, copy_of: Folder) -> None:
    copy = copy_of("bert")
    (copy / "tokenizer.json").write_text((copy / "tokenizer.json").read_text().replace("women", "w0men"))
    original, changed = locate(f"path:{folder_of('bert')}"), locate(f"path:{copy}")
    assert changed.digest == original.digest
    assert changed.tokenizer_digest != original.tokenizer_digest


@pytest.mark.parametrize(
    ("config", "kind"),
    [
        ({"architectures": ["BertForMaskedLM"]}, Kind.MASKED),
        ({"architectures": ["BertForPreTraining"]}, Kind.MASKED),
        ({"architectures": ["GPT2LMHeadModel"]}, Kind.CAUSAL),
        ({"architectures": ["Qwen2ForCausalLM"]}, Kind.CAUSAL),
        ({"architectures": ["RobertaForMultipleChoice"]}, Kind.MULTIPLE_CHOICE),
        ({"architectures": ["T5WithLMHeadModel"], "is_encoder_decoder": True}, Kind.TEXT_TO_TEXT),
        ({"architectures": ["BertForSequenceClassification"]}, Kind.CLASSIFIER),
        ({"architectures": ["BertModel"]}, Kind.ENCODER),
        ({"model_type": "bert"}, Kind.MASKED),
        ({"model_type": "llama"}, Kind.CAUSAL),
    ],
)
def test_the_kind_is_found_from_the_config(config: dict[str, Any], kind: Kind) -> None:
    assert kind_of("path:x", config) is kind


@pytest.mark.parametrize(
    "config", [{"architectures": ["BertForTokenClassification"]}, {"model_type": "vit"}, {"architectures": []}]
)
def test_every_other_kind_is_refused(config: dict[str, Any]) -> None:
    with pytest.raises(ModelError, match=r"is of the wrong kind.*choose a masked or causal"):
        kind_of("path:x", config)


@pytest.mark.parametrize(
    ("config", "tokens"),
    [
        ({"max_position_embeddings": 512}, 512),
        ({"model_type": "roberta", "max_position_embeddings": 514, "pad_token_id": 1}, 512),
        ({"n_positions": 1024}, 1024),
        ({"text_config": {"max_position_embeddings": 128}}, 128),
        ({}, None),
    ],
)
def test_the_longest_input_is_read_from_the_config(config: dict[str, Any], tokens: int | None) -> None:
    assert max_tokens(config) == tokens


def test_a_folder_that_does_not_exist(tmp_path: Path) -> None:
    assert "does not exist: check the path" in refused(tmp_path / "nowhere")


def test_a_folder_without_a_model(tmp_path: Path) -> None:
    assert "holds no config.json" in refused(tmp_path)


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt", "model.pth", "weights.pkl"])
def test_pickles_are_never_read(copy_of: Folder, name: str) -> None:
    folder = copy_of("bert")
    (folder / "model.safetensors").unlink()
    (folder / name).write_bytes(b"cos\nsystem\n(S'false'\ntR.")
    assert f"only as a pickle ({name})" in refused(folder)


def test_a_folder_without_weights(copy_of: Folder) -> None:
    folder = copy_of("bert")
    (folder / "model.safetensors").unlink()
    assert "holds no weights" in refused(folder)


def test_sharded_weights_are_read_and_a_missing_shard_is_reported(
    masked: Any, tmp_path: Path, folder_of: Folder
) -> None:
    masked("bert").model.save_pretrained(tmp_path, max_shard_size="20KB")
    shutil.copy(folder_of("bert") / "tokenizer.json", tmp_path)
    shutil.copy(folder_of("bert") / "tokenizer_config.json", tmp_path)
    shards = sorted(tmp_path.glob("model-*.safetensors"))
    assert len(shards) > 1
    assert isinstance(load(locate(f"path:{tmp_path}"), device="cpu"), MaskedModel)
    shards[0].unlink()
    assert f"lacks its weight file {shards[0].name}" in refused(tmp_path)


def test_a_truncated_weight_file(copy_of: Folder) -> None:
    weights = copy_of("bert") / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    assert "cannot be loaded" in refused(weights.parent)
    weights.write_bytes(b"\x08")
    assert "cannot be loaded" in refused(weights.parent)


def test_a_config_that_is_no_json(copy_of: Folder) -> None:
    config = copy_of("bert") / "config.json"
    config.write_text("{")
    assert "config.json of" in refused(config.parent)
    config.write_text("[]")
    assert "not a JSON object" in refused(config.parent)


def test_a_config_that_does_not_fit_the_weights(copy_of: Folder) -> None:
    folder = copy_of("bert")
    edit_config(folder, vocab_size=20)
    assert "fetch or save the model again" in refused(folder) or "lacks weights" in refused(folder)


def test_an_unknown_model_type_never_runs_the_folders_code(copy_of: Folder) -> None:
    folder = copy_of("bert")
    edit_config(folder, model_type="mine", auto_map={"AutoModelForMaskedLM": "evil.Model", "AutoConfig": "evil.Config"})
    (folder / "evil.py").write_text("raise SystemExit('ran')")
    assert "cannot be loaded" in refused(folder)


@pytest.mark.parametrize(("name", "kind"), [("bert", "masked"), ("llama-bos", "causal")])
def test_weights_without_their_head_are_never_audited(copy_of: Folder, name: str, kind: str) -> None:
    folder = copy_of(name)
    weights = load_file(folder / "model.safetensors")
    kept = {key: value for key, value in weights.items() if not key.startswith(("cls.", "lm_head."))}
    save_file(kept, folder / "model.safetensors", {"format": "pt"})
    message = refused(folder)
    assert "would start from random numbers" in message
    assert f"saved with its {kind} language-modelling head" in message


def test_a_kind_that_no_likelihood_can_be_asked_of(copy_of: Folder) -> None:
    folder = copy_of("bert")
    edit_config(folder, architectures=["BertForMultipleChoice"])
    assert locate(f"path:{folder}").kind is Kind.MULTIPLE_CHOICE
    assert "is of the kind multiple choice: this probe needs a masked or causal" in refused(folder)


def test_a_folder_without_tokenizer(copy_of: Folder) -> None:
    folder = copy_of("bert")
    (folder / "tokenizer.json").unlink()
    assert "has no tokenizer files" in refused(folder)


def test_a_damaged_tokenizer(copy_of: Folder) -> None:
    folder = copy_of("bert")
    (folder / "tokenizer.json").write_text("{}")
    with pytest.raises(ModelError, match=r"tokenizer of .* cannot be loaded"):
        _ = locate(f"path:{folder}").tokenizer


def test_a_slow_tokenizer(copy_of: Folder) -> None:
    folder = copy_of("bert")
    (folder / "tokenizer.json").unlink()
    (folder / "vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a"]))
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "ProphetNetTokenizer"}))
    shutil.copy(folder / "vocab.txt", folder / "prophetnet.tokenizer")
    with pytest.raises(ModelError, match=r"slow tokenizer.*save a fast one \(tokenizer.json\)"):
        _ = locate(f"path:{folder}").tokenizer


@pytest.mark.parametrize(
    ("reference", "error", "text"),
    [
        ("bert-base", SpecError, "does not name a model"),
        ("bundled:nothing", ModelError, "is not bundled: choose one of bundled:smollm2-135m"),
    ],
)
def test_a_reference_that_leads_nowhere(reference: str, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        locate(reference)


@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has a CUDA device")
def test_a_device_that_is_not_there(folder_of: Folder) -> None:
    with pytest.raises(ModelError, match="no CUDA device is available: use device auto or cpu"):
        load(locate(f"path:{folder_of('bert')}"), device="cuda")


def test_provenance_names_model_libraries_and_device(folder_of: Folder) -> None:
    checkpoint = locate(f"path:{folder_of('bert')}")
    found = provenance(checkpoint, device="cpu")
    assert found["digest"] == checkpoint.digest
    assert (found["engine"], found["torch"], found["device"]) == (ENGINE_VERSION, torch.__version__, "cpu")
    assert found["transformers"] == transformers.__version__
    json.dumps(found)


def test_loading_says_nothing(folder_of: Folder, capfd: pytest.CaptureFixture[str]) -> None:
    load(locate(f"path:{folder_of('bert')}"), device="cpu")
    assert capfd.readouterr() == ("", "")
