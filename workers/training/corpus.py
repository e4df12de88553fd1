"""The text of a training: a folder of gzip files with one document a line, split by document, cut into passages."""

import gzip
import hashlib
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from plumbline.spec.errors import InputError
from workers.training.questions import is_one_in

Tokens = npt.NDArray[np.int32]

ONE_IN = 50
"""One of this many documents is held out."""
LONGEST, SHORTEST, FEWEST = 62, 6, 4
"""Tokens of a passage without [CLS] and [SEP]: the longest, the shortest limit in training, the fewest for a row."""


@dataclass(frozen=True)
class Corpus:
    training: list[str]
    held_out: list[str]
    digest: str
    """SHA-256 over all documents in their order."""


def read_corpus(folder: Path) -> Corpus:
    """Return all documents of `*.gz`, in the order of the files' names.

    Raises InputError if they hold too little text.
    """
    documents = list(_documents(folder))
    held_out = [text for text in documents if is_held_out(text)]
    training = [text for text in documents if not is_held_out(text)]
    if not training or not held_out:
        raise InputError(
            f"{folder} holds too little text ({len(documents)} documents): name a folder of .gz files, one document a"
            f" line, of which one in {ONE_IN} is held out"
        )
    sums = hashlib.sha256("\n".join(documents).encode())
    return Corpus(training, held_out, sums.hexdigest())


def _documents(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("*.gz")):
        try:
            with gzip.open(path, "rt", encoding="utf-8") as file:
                yield from (line.strip() for line in file if line.strip())
        except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
            raise InputError(f"{path} is not a gzip file of UTF-8 text ({error}): correct it or remove it") from error


def is_held_out(document: str) -> bool:
    """Return whether a document is held out, which depends on its text alone and so is the same in every run."""
    return is_one_in(document, ONE_IN)


def tokenized(tokenizer: Any, documents: Iterable[str]) -> list[Tokens]:
    """Return the tokens of each document, int32, without special tokens."""
    backend = tokenizer.backend_tokenizer
    # An encoder's tokenizer file may truncate every text to the length that sentence embeddings were trained on.
    backend.no_truncation()
    backend.no_padding()
    encoded = backend.encode_batch_fast(list(documents), add_special_tokens=False)
    return [np.array(one.ids, dtype=np.int32) for one in encoded]


def training_passages(tokenizer: Any, documents: Iterable[str], seed: int) -> list[Tokens]:
    """Return passages of which half have a random limit, because the sentences of an audit are short."""
    random = np.random.default_rng(seed)
    ends = sentence_ends(tokenizer)
    found = []
    for tokens in tokenized(tokenizer, documents):
        limits = random.integers(SHORTEST, LONGEST + 1, size=len(tokens))
        limits[random.random(len(limits)) < 0.5] = LONGEST
        found += passages(tokens, ends, limits)
    return found


def held_out_passages(tokenizer: Any, documents: Iterable[str]) -> list[Tokens]:
    """Return passages as long as whole sentences allow."""
    ends = sentence_ends(tokenizer)
    every = (passages(tokens, ends, np.full(len(tokens), LONGEST)) for tokens in tokenized(tokenizer, documents))
    return [passage for some in every for passage in some]


def sentence_ends(tokenizer: Any) -> list[int]:
    return [tokenizer.convert_tokens_to_ids(mark) for mark in ".!?"]


def passages(tokens: Tokens, ends: Sequence[int], limits: npt.NDArray[np.integer[Any]]) -> list[Tokens]:
    """Cut tokens into runs of whole sentences, the i-th of at most `limits[i]` tokens; only longer sentences are cut.

    Runs of fewer than FEWEST tokens are left out.
    """
    stops = np.flatnonzero(np.isin(tokens, ends)) + 1
    found, start = [], 0
    for limit in limits:
        if start >= len(tokens):
            break
        last = int(np.searchsorted(stops, start + limit, side="right")) - 1
        whole = last >= 0 and stops[last] > start
        stop = int(stops[last]) if whole and start + limit < len(tokens) else start + int(limit)
        found.append(tokens[start:stop])
        start = stop
    return [passage for passage in found if len(passage) >= FEWEST]
