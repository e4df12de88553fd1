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
from workers.engine.checkpoint import Checkpoint, Kind, file_digest

SUFFIXES = (".txt", ".vec", ".txt.gz", ".vec.gz")
Vector = npt.NDArray[np.float64]


def is_static(path: Path) -> bool:
    """Whether a file's name is that of word vectors."""
    return path.is_file() and path.name.endswith(SUFFIXES)


def static(reference: str, path: Path) -> Checkpoint:
    """The checkpoint of a file of word vectors, its first line checked. Raises ModelError where it is none."""
    with _lines(path) as lines:
        _dimensions(path, lines)
    return Checkpoint(reference, path, Kind.STATIC, "", file_digest(path), "", "static word vectors")


class StaticVectors:
    """Word vectors; the file is read when words are asked for, and only their lines are kept."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        self.checkpoint = checkpoint

    def vectors(self, words: Iterable[str]) -> dict[str, Vector]:
        """The vectors of the words that the file has, float64 [d]; one pass over the file, line by line.

        A word is looked for as it is written, then in lower case; spaces stand as underscores. The first line of a
        word counts. Raises ModelError, naming the line, for one that is broken.
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
            # Told apart by the word alone: to split each of some million lines would take many times as long.
            if word in wanted and word not in found and len(line.split()) == dimensions + 1:
                found[word] = _vector(path, number, line)
    return found


def _vector(path: Path, number: int, line: str) -> Vector:
    try:
        vector = np.array(line.split()[1:], dtype=np.float64)
    except ValueError:
        raise ModelError(f"line {number} of {path} is no word with its numbers: fetch the file anew") from None
    if not np.isfinite(vector).all() or not vector.any():
        raise ModelError(f"line {number} of {path} has a vector of zeros, or one that is not finite: mend the file")
    return vector


def _dimensions(path: Path, lines: Iterator[str]) -> int:
    """Numbers a word, from the first line or, under a header of two whole numbers, the second."""
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
    """The file's lines, bytes that are no UTF-8 replaced. Raises ModelError for a file that breaks off."""

    def opened() -> IO[str]:
        if path.suffix == ".gz":
            return gzip.open(path, "rt", encoding="utf-8", errors="replace", newline="\n")
        return path.open("rt", encoding="utf-8", errors="replace", newline="\n")

    try:
        with opened() as file:
            yield iter(file)
    except (OSError, EOFError, zlib.error) as error:
        raise ModelError(f"{path} cannot be read ({error}): fetch the file anew") from error
