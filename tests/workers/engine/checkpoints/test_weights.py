import shutil
from pathlib import Path

import pytest
import torch
from transformers import BertForMaskedLM

from plumbline.spec.errors import ModelError
from workers.engine.checkpoints.weights import weights_of
from workers.engine.loading import locate


def test_the_headers_show_as_many_numbers_as_the_loaded_model_has(tiny_folders: tuple[Path, Path]) -> None:
    folder = tiny_folders[0]
    weights = weights_of(locate(f"path:{folder}"))
    assert weights.parameters == BertForMaskedLM.from_pretrained(folder).num_parameters()
    assert weights.dtype == "F32"
    assert weights.size == (folder / "model.safetensors").stat().st_size


def test_several_files_and_another_format_are_summed(tiny_folders: tuple[Path, Path], tmp_path: Path) -> None:
    shutil.copytree(tiny_folders[0], tmp_path / "model")
    (tmp_path / "model/model.safetensors").unlink()
    model = BertForMaskedLM.from_pretrained(tiny_folders[0]).to(torch.bfloat16)
    model.save_pretrained(tmp_path / "model", max_shard_size="20KB")
    weights = weights_of(locate(f"path:{tmp_path / 'model'}"))
    files = list((tmp_path / "model").glob("*.safetensors"))
    assert len(files) > 1
    assert (weights.parameters, weights.dtype) == (model.num_parameters(), "BF16")
    assert weights.size == sum(file.stat().st_size for file in files)


def test_a_damaged_file_is_named(tiny_folders: tuple[Path, Path], tmp_path: Path) -> None:
    folder = shutil.copytree(tiny_folders[0], tmp_path / "model")
    (folder / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(ModelError, match=r"the weight file model\.safetensors of path:.* is damaged: fetch"):
        weights_of(locate(f"path:{folder}"))
