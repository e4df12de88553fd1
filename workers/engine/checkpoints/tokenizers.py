"""Fast tokenizers, because only these report which characters a token spells."""

from pathlib import Path
from typing import Any

from transformers import AutoTokenizer

from plumbline.spec.errors import ModelError
from workers.engine.checkpoints.silence import first_line, quiet


def load_tokenizer(reference: str, folder: Path, limit: int | None) -> Any:
    """Return the tokenizer of a checkpoint, with `model_max_length` at most `limit`.

    Raises ModelError with the remedy.
    """
    with quiet():
        try:
            tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
        # Foreign files break in many ways, and every error is the files' fault.
        except Exception as error:
            raise ModelError(
                f"the tokenizer of {reference} cannot be loaded ({first_line(error)}): save it again as tokenizer.json"
            ) from error
    if not tokenizer.is_fast:
        raise ModelError(
            f"{reference} has only a slow tokenizer, which does not say which token spells which character:"
            " save a fast one (tokenizer.json)"
        )
    tokenizer.model_max_length = min(tokenizer.model_max_length, limit or tokenizer.model_max_length)
    return tokenizer
