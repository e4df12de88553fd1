"""Static word vectors from a text file: GloVe's form, or word2vec's with its header line."""

import gzip
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt

from plumbline.spec.errors import ModelError
from workers.engine.checkpoints.checkpoint import Checkpoint, Kind, file_digest

SUFFIXES = (".txt", ".vec", ".txt.gz", ".vec.gz")
Vector = npt.NDArray[np.float64]


def is_static(path: Path) -> bool:
    """Return whether a file's name is that of word vectors."""
    return path.is_file() and path.name.endswith(SUFFIXES)


def static(reference: str, path: Path) -> Checkpoint:
    """Return the checkpoint of a file of word vectors after a check of its first line. Raises ModelError."""
    with _lines(path) as lines:
        _dimensions(path, lines)
    return Checkpoint(reference, path, Kind.STATIC, "", file_digest(path), "", "static word vectors")


class StaticVectors:
    """Word vectors from a file, which is read at each request; only the lines of the requested words are used."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        self.checkpoint = checkpoint

    def vectors(self, words: Iterable[str]) -> dict[str, Vector]:
        """Return the vectors of the words that the file has, float64 [d], in one pass over the file.

        A word is looked up as written, then in lower case; spaces become underscores. The first line of a word counts.
        Raises ModelError, naming the line, for a damaged one.
        """
        forms = {word: tuple(dict.fromkeys((_form(word), _form(word).lower()))) for word in words}
        wanted = {form for both in forms.values() for form in both}
        found = _read(self.checkpoint.folder, wanted)
        chosen = {word: next((found[form] for form in both if form in found), None) for word, both in forms.items()}
        return {word: vector for word, vector in chosen.items() if vector is not None}


def _form(word: str) -> str:
    return "_".join(word.split())


def _read(path: Path, wanted: set[str]) -> dict[str, Vector]:
    found: dict[str, Vector] = {}
    with _lines(path) as lines:
        dimensions = _dimensions(path, lines)
    with _lines(path) as lines:
        for number, line in enumerate(lines, start=1):
            word = line.split(" ", 1)[0]
            # The word alone is compared, because splitting each of a million lines would take many times as long.
            if word in wanted and word not in found and len(line.split()) == dimensions + 1:
                found[word] = _vector(path, number, line)
    return found


def _vector(path: Path, number: int, line: str) -> Vector:
    try:
        vector = np.array(line.split()[1:], dtype=np.float64)
    except ValueError:
        raise ModelError(f"line {number} of {path} is not a word with its numbers: fetch the file again") from None
    if not np.isfinite(vector).all() or not vector.any():
        raise ModelError(f"line {number} of {path} has a vector of zeros, or one that is not finite: correct the file")
    return vector


def _dimensions(path: Path, lines: Iterator[str]) -> int:
    """Return the number of dimensions, from the first line or, below a header of two integers, the second."""
    first = next(lines, "").split()
    if len(first) == 2 and all(part.isdecimal() for part in first):
        first = next(lines, "").split()
    try:
        numbers = [float(part) for part in first[1:]]
    except ValueError:
        numbers = []
    if len(numbers) < 2:
        raise ModelError(
            f"{path} holds no word vectors: each line is a word and its numbers, separated by spaces"
            " (GloVe or word2vec text)"
        )
    return len(numbers)


@contextmanager
def _lines(path: Path) -> Iterator[Iterator[str]]:
    """Yield the file's lines with invalid UTF-8 replaced. Raises ModelError for a truncated file."""

    def opened() -> IO[str]:
        if path.suffix == ".gz":
            return gzip.open(path, "rt", encoding="utf-8", errors="replace", newline="\n")
        return path.open("rt", encoding="utf-8", errors="replace", newline="\n")

    try:
        with opened() as file:
            yield iter(file)
    except (OSError, EOFError, zlib.error) as error:
        raise ModelError(f"{path} cannot be read ({error}): fetch the file again") from error
