"""Conversion of GGUF files to safetensors.

Reading a GGUF file takes twenty seconds, a converted folder half a second.
"""

import json
import sys
from pathlib import Path
from typing import Any

from plumbline.spec.errors import ModelError
from workers.engine.checkpoints.checkpoint import Checkpoint, file_digest, inspect
from workers.engine.checkpoints.folders import atomic_folder, var_folder

_NOTE = "dequantised.json"


def converted(reference: str, file: Path, name: str, revision: str = "") -> Checkpoint:
    """Return the checkpoint of a GGUF file, which is converted below `var/models/` at its first use."""
    folder = var_folder() / "models" / f"{name}-{file_digest(file)[:16]}"
    if not folder.is_dir():
        with atomic_folder(folder) as target:
            _convert(reference, file, target)
    note = json.loads((folder / _NOTE).read_text(encoding="utf-8"))
    return inspect(reference, folder, revision, f"{note['quantization']}, dequantised")


def _convert(reference: str, file: Path, target: Path) -> None:
    # Imported here, because a converted folder needs none of this.
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    from workers.engine.checkpoints.silence import first_line, quiet

    print(f"{reference}: converting {file.name}, once, about half a minute", file=sys.stderr)  # noqa: T201
    with quiet():
        try:
            tokenizer = AutoTokenizer.from_pretrained(file.parent, gguf_file=file.name)
            dequantised = GgufConfig(gguf_file=file.name, dequantize=True)
            model = AutoModelForCausalLM.from_pretrained(
                file.parent, gguf_file=file.name, quantization_config=dequantised, dtype=torch.float32
            )
        except Exception as error:
            raise ModelError(f"{reference} cannot be loaded ({first_line(error)}): fetch {file.name} again") from error
        model.save_pretrained(target)
        tokenizer.save_pretrained(target)
    note: dict[str, Any] = {"file": file.name, "sha256": file_digest(file), "quantization": _quantization(file)}
    (target / _NOTE).write_text(json.dumps(note, indent=1), encoding="utf-8")


def _quantization(file: Path) -> str:
    """Return the file's own name for its quantisation, such as Q4_1."""
    from gguf import GGUFReader, LlamaFileType

    field = GGUFReader(file).get_field("general.file_type")
    if field is None:
        return "GGUF"
    name: str = LlamaFileType(field.contents()).name
    return name.removeprefix("MOSTLY_").removeprefix("ALL_")
