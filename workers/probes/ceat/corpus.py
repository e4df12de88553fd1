"""Corpora of the user: a folder of .txt and .gz files, or one such file, with one document a line."""

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from plumbline.spec.digests import digest
from plumbline.spec.errors import InputError
from plumbline.spec.reference import ModelReference
from workers.engine.checkpoints.checkpoint import file_digest


def corpus_files(reference: str) -> list[Path]:
    """Return the files in the order of their names. Raises InputError if there are none."""
    path = Path(ModelReference.parse(reference).target).expanduser()
    if path.is_file():
        return [path]
    files = sorted(file for file in path.glob("*") if file.suffix in (".txt", ".gz") and file.is_file())
    if not files:
        what = "holds no .txt or .gz file" if path.is_dir() else "does not exist"
        raise InputError(f"the corpus {path} {what}: name a folder of them, or one file, with one document a line.")
    return files


def corpus_digest(files: list[Path]) -> str:
    """Return the SHA-256 over the files' digests in order. Names and folder do not count. Raises InputError."""
    try:
        return digest([file_digest(file) for file in files])
    except OSError as error:
        raise InputError(f"the corpus cannot be read ({error}): make its files readable.") from error


def _opened(path: Path) -> IO[str]:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")


def documents(files: list[Path]) -> Iterator[str]:
    """Yield all lines with text, stripped. Raises InputError, naming the file, for invalid or truncated text."""
    for path in files:
        try:
            with _opened(path) as file:
                yield from (line.strip() for line in file if line.strip())
        except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
            raise InputError(f"{path} is not UTF-8 text ({error}): correct it or remove it.") from error
