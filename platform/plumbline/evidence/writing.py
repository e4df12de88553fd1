"""Writing of a pack's archive: a ZIP of uncompressed files, the same bytes for the same files.

Without compression and times there is one way to write given files. So a reader can build the archive again and find a
byte that was changed between the files, too. Parquet compresses its own pages.
"""

import hashlib
import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Protocol
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from plumbline.evidence.manifest import PackedFile

BLOCK = 1 << 20


class Sink(Protocol):
    """What takes the bytes of an archive in order: a file, a buffer of a stream, a digest."""

    def write(self, data: bytes, /) -> object: ...


class Collected:
    """A sink that holds the bytes until somebody takes them."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def take(self) -> bytes:
        found, self._parts = b"".join(self._parts), []
        return found


class Digested:
    """A sink that keeps the SHA-256 of all bytes and nothing else."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()

    def write(self, data: bytes) -> int:
        self._digest.update(data)
        return len(data)

    @property
    def sha256(self) -> str:
        return self._digest.hexdigest()


class _Counted(io.RawIOBase):
    """One file of the archive: counts and digests what passes. pyarrow asks for `tell` and `closed`."""

    def __init__(self, to: BinaryIO) -> None:
        self._to, self._digest, self.size = to, hashlib.sha256(), 0

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self.size

    def write(self, data: object) -> int:
        view = memoryview(data).cast("B")  # type: ignore[arg-type]
        self._to.write(view)
        self._digest.update(view)
        self.size += view.nbytes
        return view.nbytes

    @property
    def sha256(self) -> str:
        return self._digest.hexdigest()


class _Unseekable:
    """Hides that a sink could seek: a seekable one would get other bytes than a stream."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink

    def write(self, data: bytes, /) -> int:
        self._sink.write(data)
        return len(data)

    def flush(self) -> None:
        """Do nothing: the sink belongs to the caller."""


class Archive:
    """An archive that is being written, and the sizes and digests of its files so far."""

    def __init__(self, sink: Sink) -> None:
        self._zip = ZipFile(_Unseekable(sink), "w", ZIP_STORED)  # type: ignore[call-overload]
        self.files: dict[str, PackedFile] = {}

    @contextmanager
    def file(self, name: str) -> Iterator[BinaryIO]:
        """Add a file of any length, which the caller writes in parts."""
        with self._zip.open(ZipInfo(name), "w", force_zip64=True) as to:
            counted = _Counted(to)
            yield counted  # type: ignore[misc]
        self.files[name] = PackedFile(bytes=counted.size, sha256=counted.sha256)

    def add(self, name: str, content: bytes) -> None:
        with self.file(name) as file:
            file.write(content)

    def close(self) -> None:
        self._zip.close()


def digest_of_archive(files: Mapping[str, Path]) -> str:
    """Return the SHA-256 of the archive that holds these files in this order and nothing else."""
    sink = Digested()
    archive = Archive(sink)
    for name, path in files.items():
        with path.open("rb") as source, archive.file(name) as to:
            while block := source.read(BLOCK):
                to.write(block)
    archive.close()
    return sink.sha256
