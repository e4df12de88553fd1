"""Models on a hub, pinned to the current commit of a name; safetensors and tokenizer only."""

import re
from pathlib import Path

from httpx2 import HTTPError
from huggingface_hub import HfApi, constants, snapshot_download, try_to_load_from_cache
from huggingface_hub.errors import (
    GatedRepoError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)

from plumbline.spec.errors import ModelError
from workers.engine.checkpoints.checkpoint import PICKLES, TOKENIZER_FILES, TOKENIZER_SETTINGS

_COMMIT = re.compile(r"[0-9a-f]{40}")
_WEIGHTS = re.compile(r"model(-\d+-of-\d+)?\.safetensors|model\.safetensors\.index\.json")
_OTHERS = {"config.json", *TOKENIZER_FILES, *TOKENIZER_SETTINGS}


def download(reference: str, repository: str, revision: str) -> tuple[Path, str]:
    """Return the local folder of a hub model, and its commit.

    HF_HOME, HF_TOKEN, HF_ENDPOINT and HF_HUB_OFFLINE are respected. Without the network, a cached model is used only if
    the reference is a full commit or HF_HUB_OFFLINE is set, because a branch may have moved. Raises ModelError for a
    repository that is gated, missing, unreachable or without safetensors.
    """
    try:
        files = _needed(reference, repository, revision)
        # Fetched by name, so that the cache also knows the name offline; the folder is that of the commit.
        folder = Path(snapshot_download(repository, revision=revision, allow_patterns=files))
    except GatedRepoError as error:
        raise ModelError(
            f"{reference} is gated: accept its terms on the hub and set HF_TOKEN to a token of that account"
        ) from error
    except RevisionNotFoundError as error:
        raise ModelError(
            f"{reference}: the hub knows no revision {revision!r}: name a branch, tag or commit"
        ) from error
    except RepositoryNotFoundError as error:
        raise ModelError(
            f"{reference} is not on the hub, or private: check the name, or set HF_TOKEN to a token that may read it"
        ) from error
    except (HTTPError, OSError) as error:
        folder = _from_cache(reference, repository, revision, error)
    return folder, folder.name


def download_tokenizer(reference: str, repository: str, revision: str) -> Path:
    """Return a local folder with the tokenizer of a hub model, without its weights. Raises ModelError."""
    try:
        return Path(snapshot_download(repository, revision=revision, allow_patterns=sorted(_OTHERS)))
    except (HTTPError, OSError) as error:
        raise ModelError(
            f"{reference}: the tokenizer of {repository}@{revision} cannot be fetched ({type(error).__name__}): check"
            " the name and HF_TOKEN, or download it elsewhere and write &tokenizer=path:DIR"
        ) from error


def _needed(reference: str, repository: str, revision: str) -> list[str]:
    """Return the needed files: weights as safetensors, config, tokenizer. Raises ModelError without safetensors."""
    info = HfApi().model_info(repository, revision=revision)
    names = [sibling.rfilename for sibling in info.siblings or []]
    weights = [name for name in names if _WEIGHTS.fullmatch(name)]
    if "model.safetensors" in weights:
        weights = ["model.safetensors"]
    if not weights:
        pickled = any(Path(name).match(pattern) for name in names for pattern in PICKLES)
        found = "its weights only as pickles" if pickled else "no weights"
        raise ModelError(
            f"{reference} holds {found}: choose a repository or revision with safetensors, or convert it and use path:"
        )
    return weights + [name for name in names if name in _OTHERS]


def _from_cache(reference: str, repository: str, revision: str, error: Exception) -> Path:
    if _COMMIT.fullmatch(revision) or constants.is_offline_mode():
        config = try_to_load_from_cache(repository, "config.json", revision=revision)
        if isinstance(config, str):
            return Path(config).parent
    raise ModelError(
        f"{reference}: the hub cannot be reached ({type(error).__name__}): check the network or HF_ENDPOINT,"
        " or download the model elsewhere and use path:"
    ) from error
