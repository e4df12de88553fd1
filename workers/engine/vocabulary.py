"""Classes of tokens: those that begin a word, continue one, or follow the end of one."""

import re
import unicodedata
from typing import Any, Final

import numpy as np
import numpy.typing as npt

BoolArray = npt.NDArray[np.bool_]

WORD_INITIAL: Final = "word_initial"
CONTINUATION: Final = "continuation"

_SPACE_MARKS = ("Ġ", "▁")
_BYTE_TOKEN = re.compile(r"<0x([0-9A-F]{2})>")
# A hyphen continues the word: after "self", "-reliant" does not end it.
_JOINERS = frozenset("-‐‑")


def released_classes(tokenizer: Any, size: int) -> dict[str, BoolArray]:
    """Return the two classes of the ABC paper's released code, bool [size]: continuation tokens (Z2) and the rest (Z1).

    WordPiece marks continuations with `##`. In byte-level BPE and SentencePiece they lack the mark of a leading space.
    Special tokens and rows without a token belong to the rest.
    """
    tokens = _tokens(tokenizer, size)
    special = set(tokenizer.all_special_tokens)
    if _is_wordpiece(tokenizer):
        continues = [token.startswith("##") for token in tokens]
    else:
        continues = [bool(token) and token not in special and not token.startswith(_SPACE_MARKS) for token in tokens]
    continuation = np.array(continues, dtype=np.bool_)
    return {WORD_INITIAL: ~continuation, CONTINUATION: continuation}


def released_class(subword: int) -> str:
    """Return the class by which the released code normalises a word's n-th subword (from 0).

    It depends on the position only. WordPiece pieces after a hyphen, which do not begin with `##`, are therefore
    divided by the mass of a class that they are not in, and such a "probability" may exceed 1.
    """
    return CONTINUATION if subword else WORD_INITIAL


def boundary_tokens(tokenizer: Any, size: int) -> BoolArray:
    """Return the tokens before which a word has ended, bool [size]: a new word, space, punctuation, end of the text.

    Rows of the vocabulary without a token and single bytes of a longer character are not among them.
    """
    special = set(tokenizer.all_special_tokens)
    tokens = _tokens(tokenizer, size)
    wordpiece = _is_wordpiece(tokenizer)
    alphabet = _byte_alphabet() if any(token.startswith("Ġ") for token in tokens) else {}
    ends = [token in special or _ends_word(token, wordpiece, alphabet) for token in tokens]
    return np.array(ends, dtype=np.bool_)


def named_rows(tokenizer: Any, size: int) -> int:
    """Return how many rows of a matrix of `size` rows have a token; the others pad it to a round number."""
    ids: dict[str, int] = tokenizer.get_vocab()
    return min(size, max(ids.values()) + 1)


def _is_wordpiece(tokenizer: Any) -> bool:
    """Return whether the tokenizer's model is WordPiece. A `##` among the tokens could also be a Markdown heading."""
    return type(tokenizer.backend_tokenizer.model).__name__ == "WordPiece"


def _tokens(tokenizer: Any, size: int) -> list[str]:
    """Return the token of each row; empty if the model's matrix is larger than the vocabulary."""
    tokens = tokenizer.convert_ids_to_tokens(range(min(size, len(tokenizer))))
    return [token or "" for token in tokens] + [""] * (size - len(tokens))


def _ends_word(token: str, wordpiece: bool, alphabet: dict[str, int]) -> bool:
    if wordpiece:
        return bool(token) and not token.startswith("##") and token[0] not in _JOINERS
    if token.startswith("▁"):
        return True
    if match := _BYTE_TOKEN.fullmatch(token):
        token = chr(int(match[1], 16)) if int(match[1], 16) < 128 else ""
    elif alphabet and all(character in alphabet for character in token):
        token = bytes(alphabet[character] for character in token).decode("utf-8", errors="ignore")
    return bool(token) and _is_boundary(token[0])


def _is_boundary(character: str) -> bool:
    if character in _JOINERS:
        return False
    return character.isspace() or unicodedata.category(character)[0] in "PSZC"


def _byte_alphabet() -> dict[str, int]:
    """Return the characters that byte-level BPE writes for bytes (Radford et al. 2019, their `bytes_to_unicode`).

    Printable bytes stand for themselves, the others for the characters from 256 on.
    """
    printable = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {chr(256 + index): byte for index, byte in enumerate(others)}
