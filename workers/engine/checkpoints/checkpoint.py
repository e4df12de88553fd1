"""Checkpoints: what is known about a model before its weights are loaded."""

import hashlib
import json
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plumbline.spec.digests import digest
from plumbline.spec.errors import ModelError

if TYPE_CHECKING:
    from workers.engine.servers.facts import ServerFacts


class Kind(StrEnum):
    """The kind of a model, which decides the queries that it can answer."""

    MASKED = "masked"
    CAUSAL = "causal"
    MULTIPLE_CHOICE = "multiple_choice"
    CLASSIFIER = "classifier"
    TEXT_TO_TEXT = "text_to_text"
    ENCODER = "encoder"
    STATIC = "static"
    REMOTE = "remote"
    ANSWERS = "answers"


WITHOUT_TOKENIZER = frozenset({Kind.STATIC, Kind.REMOTE, Kind.ANSWERS})
"""Files of word vectors, remote endpoints and imported answers."""

# The order matters, because some suffixes are the end of others.
_SUFFIXES = {
    "XLNetLMHeadModel": Kind.MASKED,  # trained on all orders of the tokens, so it sees both sides of a place
    "ForMaskedLM": Kind.MASKED,
    "ForPreTraining": Kind.MASKED,
    "ForCausalLM": Kind.CAUSAL,
    "LMHeadModel": Kind.CAUSAL,
    "ForMultipleChoice": Kind.MULTIPLE_CHOICE,
    "ForSequenceClassification": Kind.CLASSIFIER,
    "ForConditionalGeneration": Kind.TEXT_TO_TEXT,
    "Model": Kind.ENCODER,
}
NAMES_SEEN = "names_seen.json"
PICKLES = ("*.bin", "*.pt", "*.pth", "*.pkl", "*.ckpt")
TOKENIZER_FILES = (
    "tokenizer.json",
    "tokenizer.model",
    "vocab.txt",
    "vocab.json",
    "merges.txt",
    "spiece.model",
    "spm.model",
    "sentencepiece.bpe.model",
)
TOKENIZER_SETTINGS = (
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "chat_template.jinja",
    "chat_template.json",
)
# Entries of a config about its history and not about the model.
_HISTORY = ("_name_or_path", "transformers_version")
# Families that count positions from the padding token's id + 1.
_OFFSET_POSITIONS = ("roberta", "xlm-roberta", "xlm-roberta-xl", "camembert", "xmod", "mpnet", "longformer")


@dataclass(frozen=True)
class Checkpoint:
    """A model's files, checked but not loaded."""

    reference: str
    folder: Path
    kind: Kind
    revision: str
    """The commit of a hub repository, the release of a bundled model, empty for a folder."""
    digest: str
    """SHA-256 over weights and config; the same in any folder."""
    tokenizer_digest: str
    note: str = ""
    """What a reader must know of the weights, such as "Q4_1, dequantised"."""
    projections: tuple[Path, ...] = ()
    """Files of maps that layers' states go through, in their order; each is part of the digest."""
    server: "ServerFacts | None" = None
    """The server that has the weights; the folder then holds the tokenizer only."""

    @cached_property
    def config(self) -> dict[str, Any]:
        return read_config(self.reference, self.folder)

    @cached_property
    def names_seen(self) -> frozenset[str] | None:
        """The capitalised words of its fine-tuning text; None if they were not recorded."""
        file = self.folder / NAMES_SEEN
        return frozenset(json.loads(file.read_text(encoding="utf-8"))) if file.is_file() else None

    @cached_property
    def tokenizer(self) -> Any:
        """The fast tokenizer with the model's limit. Raises ModelError if there is none."""
        # Imported here, because a process that only locates a model should not load torch.
        from workers.engine.checkpoints.tokenizers import load_tokenizer

        if self.server is not None:
            # The server generates one token after each text.
            return load_tokenizer(self.reference, self.folder, max(0, self.server.max_tokens - 1) or None)
        return load_tokenizer(self.reference, self.folder, max_tokens(self.config))


def inspect(reference: str, folder: Path, revision: str = "", note: str = "") -> Checkpoint:
    """Check a folder's files and return its checkpoint. Raises ModelError with the remedy."""
    config = read_config(reference, folder)
    weights = weight_files(reference, folder)
    if not any((folder / name).is_file() for name in TOKENIZER_FILES):
        raise ModelError(
            f"{reference} has no tokenizer files in {folder}: save the tokenizer in its folder (save_pretrained)"
        )
    content = {name: value for name, value in config.items() if name not in _HISTORY}
    sums = {file.name: file_digest(file) for file in weights}
    weights_digest = digest([content, sums])
    return Checkpoint(
        reference, folder, kind_of(reference, config), revision, weights_digest, tokenizer_digest(folder), note
    )


def tokenizer_digest(folder: Path) -> str:
    """Return the digest of the tokenizer's files, the same in any folder."""
    names = sorted((*TOKENIZER_FILES, *TOKENIZER_SETTINGS))
    return digest({name: file_digest(folder / name) for name in names if (folder / name).is_file()})


def read_config(reference: str, folder: Path) -> dict[str, Any]:
    """Return the model's config.json. Raises ModelError if it is missing or damaged."""
    path = folder / "config.json"
    if not path.is_file():
        raise ModelError(
            f"{reference} holds no config.json in {folder}: name a folder that save_pretrained has written"
        )
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ModelError(
            f"the config.json of {reference} is not valid JSON ({error}): fetch or save the model again"
        ) from error
    if not isinstance(config, dict):
        raise ModelError(f"the config.json of {reference} is not a JSON object: fetch or save the model again")
    return config


def kind_of(reference: str, config: dict[str, Any]) -> Kind:
    """Return the kind from the config's architecture, else from its model type.

    Raises ModelError for any other kind.
    """
    architectures = config.get("architectures") or []
    if config.get("is_encoder_decoder"):
        return Kind.TEXT_TO_TEXT
    for suffix, kind in _SUFFIXES.items():
        if any(name.endswith(suffix) for name in architectures):
            return kind
    kind_by_type = None if architectures else _kind_by_type(config.get("model_type", ""))
    if kind_by_type is None:
        named = ", ".join(architectures) or config.get("model_type") or "nothing"
        raise ModelError(
            f"{reference} is of the wrong kind: its config names {named}; choose a masked or causal language model,"
            " a multiple-choice or text-to-text model, or an encoder"
        )
    return kind_by_type


def _kind_by_type(model_type: str) -> Kind | None:
    from transformers.models.auto.modeling_auto import (
        MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
        MODEL_FOR_MASKED_LM_MAPPING_NAMES,
    )

    # Masked first, because many encoders also have a causal class that is seldom used.
    if model_type in MODEL_FOR_MASKED_LM_MAPPING_NAMES or model_type == "xlnet":
        return Kind.MASKED
    return Kind.CAUSAL if model_type in MODEL_FOR_CAUSAL_LM_MAPPING_NAMES else None


def weight_files(reference: str, folder: Path) -> list[Path]:
    """Return the safetensors files that would be loaded, sorted by name. Raises ModelError if they are missing."""
    single, index = folder / "model.safetensors", folder / "model.safetensors.index.json"
    if single.is_file():
        return [single]
    if index.is_file():
        files = [folder / name for name in _shards(reference, index)]
        missing = next((file.name for file in files if not file.is_file()), None)
        if missing:
            raise ModelError(f"{reference} lacks its weight file {missing}: fetch or save the model again")
        return files
    pickle = next((file.name for pattern in PICKLES for file in sorted(folder.glob(pattern))), None)
    if pickle:
        raise ModelError(
            f"{reference} holds its weights only as a pickle ({pickle}), which can run code when it is read:"
            " save it as safetensors (save_pretrained) or choose a revision that has them"
        )
    raise ModelError(f"{reference} holds no weights in {folder}: model.safetensors or one .gguf file is needed")


def _shards(reference: str, index: Path) -> list[str]:
    try:
        return sorted(set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values()))
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise ModelError(f"the {index.name} of {reference} is damaged: fetch or save the model again") from error


def max_tokens(config: dict[str, Any]) -> int | None:
    """Return the maximum number of tokens of the model, or None if its config does not say."""
    text: dict[str, Any] = config.get("text_config") or config
    limit = text.get("max_position_embeddings") or text.get("n_positions")
    if not isinstance(limit, int) or limit <= 0:
        return None
    return limit - (text.get("pad_token_id") or 0) - 1 if text.get("model_type") in _OFFSET_POSITIONS else limit


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file's content, cached within a process because weights are large."""
    status = path.stat()
    return _file_digest(path.resolve(), status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=1024)
def _file_digest(path: Path, size: int, mtime_ns: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
