"""Loading of models from a reference."""

import gc
import os
import platform
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from plumbline.spec.errors import ModelError, OutOfMemoryError
from plumbline.spec.reference import ModelReference, Scheme
from workers.engine.checkpoints.bundled import bundled
from workers.engine.checkpoints.checkpoint import Checkpoint, Kind, inspect
from workers.engine.checkpoints.gguf import converted
from workers.engine.checkpoints.hub import download
from workers.engine.checkpoints.variants import variant
from workers.engine.endpoints.remote import RemoteModel, remote
from workers.engine.projection import inspect_projected, read_projection
from workers.engine.servers.finding import find_server
from workers.engine.stored_answers import StoredAnswers, stored
from workers.engine.word_vectors import StaticVectors, is_static, static

if TYPE_CHECKING:
    from workers.engine.causal import CausalModel
    from workers.engine.classifier import ClassifierModel
    from workers.engine.embeddings import EncoderModel
    from workers.engine.masked import MaskedModel
    from workers.engine.multiple_choice import MultipleChoiceModel
    from workers.engine.text_to_text import TextToTextModel

    Asked = MaskedModel | CausalModel | MultipleChoiceModel | TextToTextModel | EncoderModel | RemoteModel
    AnyModel = Asked | StaticVectors | StoredAnswers

__all__ = ["ENGINE_VERSION", "Checkpoint", "Device", "Dtype", "Kind", "load", "load_any", "locate", "provenance"]

ENGINE_VERSION = "1"
"""Part of every shard's content key. Raised whenever a number changes by more than rounding."""

Dtype = Literal["float32", "bfloat16"]
Device = Literal["auto", "cpu", "cuda"]

# Missing keys without effect: buffers that are computed again, and a pooler that only some heads use.
_HARMLESS = ("position_ids", "inv_freq", ".masked_bias", ".attn.bias")
_POOLER = "pooler."
_POOLED = (Kind.MULTIPLE_CHOICE, Kind.CLASSIFIER)


def locate(reference: str) -> Checkpoint:
    """Find a model's files and check them, without loading weights.

    Raises SpecError for an invalid reference, ModelError with the remedy for a model that cannot be used.
    """
    parsed = ModelReference.parse(reference)
    match parsed.scheme:
        case Scheme.PATH:
            return _folder(reference, Path(parsed.target).expanduser())
        case Scheme.BUNDLED:
            return bundled(reference, parsed.target)
        case Scheme.HUB:
            folder, commit = download(reference, parsed.target, parsed.revision)
            return inspect(reference, folder, commit)
        case Scheme.VARIANT:
            return variant(reference, parsed.target, locate)
        case Scheme.OPENAI:
            return remote(reference)
        case Scheme.VLLM | Scheme.SGLANG:
            return find_server(reference, parsed, locate)
        case Scheme.ANSWERS:
            return stored(reference)


def _folder(reference: str, folder: Path) -> Checkpoint:
    if is_static(folder):
        return static(reference, folder)
    if not folder.is_dir():
        what = "is neither a folder nor a file of word vectors" if folder.exists() else "does not exist"
        raise ModelError(f"the model folder {folder} {what}: check the path, which is relative to {Path.cwd()}")
    files = sorted(folder.glob("*.gguf"))
    if not files or any(folder.glob("model*.safetensors*")):
        return inspect_projected(reference, folder)
    if len(files) > 1:
        raise ModelError(f"{reference} holds {len(files)} .gguf files: leave one, as each is a model of its own")
    return converted(reference, files[0], files[0].stem.lower())


def load_any(checkpoint: Checkpoint, dtype: Dtype = "float32", device: Device = "auto") -> "AnyModel":
    """Load whatever a probe may query: a language model, one with another head, an encoder, or word vectors.

    Word vectors are read later. A remote endpoint and stored answers have nothing to load. Raises as `load` does.
    """
    if checkpoint.kind == Kind.REMOTE:
        return RemoteModel(checkpoint)
    if checkpoint.kind == Kind.ANSWERS:
        return StoredAnswers(checkpoint)
    # Imported here, because `locate` must stay fast.
    from transformers import AutoModel, AutoModelForMultipleChoice, AutoModelForSeq2SeqLM

    from workers.engine.embeddings import EncoderModel
    from workers.engine.multiple_choice import MultipleChoiceModel
    from workers.engine.text_to_text import TextToTextModel

    _exempt_libraries_from_collection()
    match checkpoint.kind:
        case Kind.ENCODER:
            return EncoderModel(checkpoint, _weights(checkpoint, AutoModel, dtype, device))
        case Kind.MULTIPLE_CHOICE:
            return MultipleChoiceModel(checkpoint, _weights(checkpoint, AutoModelForMultipleChoice, dtype, device))
        case Kind.TEXT_TO_TEXT:
            return TextToTextModel(checkpoint, _weights(checkpoint, AutoModelForSeq2SeqLM, dtype, device))
        case Kind.STATIC:
            return StaticVectors(checkpoint)
        case _:
            return load(checkpoint, dtype, device)


def load(checkpoint: Checkpoint, dtype: Dtype = "float32", device: Device = "auto") -> "MaskedModel | CausalModel":
    """Load a masked or causal language model in evaluation mode, with TF32 off.

    Raises ModelError for other kinds, for weights that break or do not fit, and for weights without the vocabulary
    head, because a head of random numbers must never be audited.
    """
    # Imported here, because `locate` must stay fast.
    from transformers import AutoModelForCausalLM, AutoModelForMaskedLM

    from workers.engine.causal import CausalModel
    from workers.engine.masked import MaskedModel
    from workers.engine.servers.model import ServerModel
    from workers.engine.xlnet import FAMILIES as PERMUTED

    match checkpoint.kind:
        case Kind.MASKED:
            # transformers lists XLNet, which predicts any place from all others, only under causal models.
            is_permuted = checkpoint.config.get("model_type") in PERMUTED
            auto = AutoModelForCausalLM if is_permuted else AutoModelForMaskedLM
            return MaskedModel(checkpoint, _weights(checkpoint, auto, dtype, device))
        case Kind.CAUSAL if checkpoint.server is not None:
            return ServerModel(checkpoint)
        case Kind.CAUSAL:
            return CausalModel(checkpoint, _weights(checkpoint, AutoModelForCausalLM, dtype, device))
        case other:
            raise ModelError(
                f"{checkpoint.reference} is of the kind {other.replace('_', ' ')}: this probe needs a masked or causal"
                " language model"
            )


def load_classifier(checkpoint: Checkpoint, device: Device = "auto") -> "ClassifierModel":
    """Load a text classifier with two labels. No probe queries one. Raises ModelError as `load` does."""
    from transformers import AutoModelForSequenceClassification

    from workers.engine.classifier import ClassifierModel

    if checkpoint.kind != Kind.CLASSIFIER:
        kind = checkpoint.kind.replace("_", " ")
        raise ModelError(f"{checkpoint.reference} is of the kind {kind}: make a classifier with manage.py train labels")
    return ClassifierModel(checkpoint, _weights(checkpoint, AutoModelForSequenceClassification, "float32", device))


def _weights(checkpoint: Checkpoint, auto: Any, dtype: Dtype, device: Device) -> Any:
    import torch

    from workers.engine.attention import use_float64_attention
    from workers.engine.batching import is_out_of_memory
    from workers.engine.checkpoints.silence import first_line, quiet
    from workers.engine.linear import use_linear

    target = resolved_device(device)
    _without_tf32()
    with quiet():
        try:
            model, report = auto.from_pretrained(
                checkpoint.folder,
                dtype=getattr(torch, dtype),
                use_safetensors=True,
                local_files_only=True,
                trust_remote_code=False,
                output_loading_info=True,
                # Mismatched keys are then reported by name, like missing ones; check_complete refuses both.
                ignore_mismatched_sizes=True,
            )
            check_complete(checkpoint, report)
            # T5 adds its positions to the scores in the model's own dtype, and its results are text, not numbers.
            if checkpoint.kind != Kind.TEXT_TO_TEXT:
                use_float64_attention(model)
            use_linear(model)
            return project_all(checkpoint, model.to(target).eval())
        except ModelError:
            raise
        # Foreign files break in many ways, and every error is the files' fault.
        except Exception as error:
            if is_out_of_memory(error):
                raise OutOfMemoryError(
                    f"{checkpoint.reference} does not fit into the memory of {target}: use a smaller model or bfloat16"
                ) from error
            raise ModelError(
                f"{checkpoint.reference} cannot be loaded ({first_line(error)}): fetch or save the model again"
            ) from error


def _without_tf32() -> None:
    """Let no product in float32 be rounded to TF32, whatever the environment says.

    cuBLAS reads its own variable with the first product of a process, and obeys it rather than PyTorch.
    """
    import torch

    os.environ["NVIDIA_TF32_OVERRIDE"] = "0"
    torch.set_float32_matmul_precision("highest")
    torch.backends.cudnn.allow_tf32 = False


def project_all(checkpoint: Checkpoint, model: Any) -> Any:
    """Let the model's layers give projected states, as the checkpoint says. Raises ModelError if that fails."""
    # Imported here: `locate` must stay cheap.
    from workers.engine.projecting import project

    # Each comes before all that is there: before what records the states, and before the projections after it.
    for path in reversed(checkpoint.projections):
        project(model, read_projection(path), checkpoint.reference)
    return model


def check_complete(checkpoint: Checkpoint, report: dict[str, Any]) -> None:
    """Raise ModelError if transformers' report of a loaded model names weights that the files lack."""
    harmless = _HARMLESS if checkpoint.kind in _POOLED else (*_HARMLESS, _POOLER)
    missing = sorted(key for key in report["missing_keys"] if not any(part in key for part in harmless))
    mismatched = sorted(str(key[0]) for key in report["mismatched_keys"])
    if missing or mismatched or report["error_msgs"]:
        keys = missing + mismatched
        named = ", ".join(keys[:3]) + (" and more" if len(keys) > 3 else "") or str(report["error_msgs"])
        raise ModelError(
            f"{checkpoint.reference} lacks weights that its config promises ({named}), and they would start from random"
            f" numbers: choose a checkpoint that was saved with its {_head(checkpoint.kind)}"
        )


def _head(kind: Kind) -> str:
    own = {Kind.MULTIPLE_CHOICE: "multiple-choice head", Kind.CLASSIFIER: "classification head"}
    return own.get(kind, f"{kind} language-modelling head")


@cache
def _exempt_libraries_from_collection() -> None:
    """Exempt the libraries' objects from garbage collection, once per process and before a model is loaded.

    Torch, Transformers and Django have 650,000 objects. Searching them repeatedly took a fifth of the time that an
    audit spends outside the model.
    """
    gc.freeze()


def use_threads(count: int) -> None:
    """Set the number of threads of this process. Several workers on one machine share its cores."""
    import torch

    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    torch.set_num_threads(count)


def resolved_device(device: Device) -> str:
    """Return `cuda` or `cpu`. Raises ModelError if a GPU is requested and absent."""
    import torch

    if device == "cuda" and not torch.cuda.is_available():
        raise ModelError("no CUDA device is available: use device auto or cpu")
    return "cuda" if device != "cpu" and torch.cuda.is_available() else "cpu"


def provenance(checkpoint: Checkpoint, dtype: Dtype = "float32", device: Device = "auto") -> dict[str, Any]:
    """Return what a run records to make its numbers reproducible: model, libraries, device, threads."""
    import torch

    target = resolved_device(device)
    return {
        "engine": ENGINE_VERSION,
        "model": checkpoint.reference,
        "kind": checkpoint.kind,
        "revision": checkpoint.revision,
        "digest": checkpoint.digest,
        "tokenizer_digest": checkpoint.tokenizer_digest,
        "note": checkpoint.note,
        "dtype": dtype,
        "device": target,
        "device_name": torch.cuda.get_device_name() if target == "cuda" else platform.processor() or platform.machine(),
        "threads": torch.get_num_threads(),
        "cores": os.cpu_count(),
        "tf32": False,
        "python": platform.python_version(),
        # Torch may also name its build, such as "2.13.0+cu130"; the wheels of the public index do not.
        "torch": str(torch.__version__),
        **{library: version(library) for library in ("transformers", "tokenizers", "safetensors", "numpy")},
    }
