"""Reading of a pack that somebody sent: nothing in it is trusted, and nothing is written outside a temporary folder."""

import hashlib
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from plumbline.evidence.manifest import MANIFEST, NAME, SIGNATURE, Manifest, PackedFile, parse_manifest
from plumbline.evidence.writing import BLOCK, digest_of_archive
from plumbline.spec.errors import InputError, shown

MOST_FILES = 10_000
MOST_MANIFEST = 16 << 20
"""The most bytes of a manifest and of a signature."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A pack whose files lie in a temporary folder. `damage`: what differs from the manifest, one line each."""

    manifest: Manifest
    manifest_text: bytes
    signature: bytes | None
    files: dict[str, Path]
    damage: list[str]


@contextmanager
def opened(path: Path) -> Iterator[Opened]:
    """Check the archive and unpack it for as long as the context lasts.

    Raises InputError, in one line, for what is no pack: no ZIP file, compressed, repeated, missing or further files,
    names that leave the folder. Other bytes than the manifest says are damage.
    """
    with tempfile.TemporaryDirectory(prefix="evidence-") as folder:
        try:
            with path.open("rb") as file, ZipFile(file) as archive:
                yield _unpacked(archive, path, Path(folder))
        except (BadZipFile, zlib.error, EOFError, NotImplementedError, UnicodeDecodeError) as error:
            raise InputError(f"{path} is no evidence pack, or it is damaged: {error}.") from None
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror or error}. Name another file.") from None


def _unpacked(archive: ZipFile, path: Path, folder: Path) -> Opened:
    entries = archive.infolist()
    _check_entries(entries, path)
    damage: list[str] = []
    files = {one.filename: folder / str(place) for place, one in enumerate(entries)}
    found = {one.filename: _unpack(archive, one, files[one.filename], damage) for one in entries}
    text = files[MANIFEST].read_bytes()
    manifest = parse_manifest(text)
    _check_names(set(files), manifest, path)
    damage += [
        f"{name}: its content is not what the manifest says (SHA-256 {found[name].sha256[:12]}..., "
        f"not {expected.sha256[:12]}...)"
        for name, expected in manifest.files.items()
        if (found[name].bytes, found[name].sha256) != (expected.bytes, expected.sha256)
    ]
    if not damage and digest_of_archive(files) != _digest(path):
        damage.append("the archive has other bytes between its files than a pack has (times, order or additions)")
    signature = files[SIGNATURE].read_bytes() if SIGNATURE in files else None
    return Opened(manifest, text, signature, files, damage)


def _check_entries(entries: Sequence[ZipInfo], path: Path) -> None:
    names = [one.filename for one in entries]
    if len(entries) > MOST_FILES:
        raise _refused(path, f"it has {len(entries):,} files, more than {MOST_FILES:,}")
    if doubles := [name for name, count in Counter(names).items() if count > 1]:
        raise _refused(path, f"it has the file {shown(doubles[0])} twice")
    if wrong := [name for name in names if not NAME.fullmatch(name)]:
        raise _refused(path, f"the name {shown(wrong[0])} may lead out of a folder, or is no name of a pack's file")
    for one in entries:
        if one.compress_type != ZIP_STORED or one.compress_size != one.file_size or one.flag_bits & 1:
            raise _refused(path, f"the file {shown(one.filename)} is compressed or encrypted, which no pack does")
    if sum(one.file_size for one in entries) > path.stat().st_size:
        raise _refused(path, "its files claim more bytes than it has")
    if MANIFEST not in names:
        raise _refused(path, f"it has no {MANIFEST}")
    if any(one.file_size > MOST_MANIFEST for one in entries if one.filename in (MANIFEST, SIGNATURE)):
        raise _refused(path, "its manifest or signature is too long")


def _check_names(names: set[str], manifest: Manifest, path: Path) -> None:
    known = {*manifest.files, MANIFEST}
    if missing := sorted(known - names):
        raise _refused(path, f"the file {shown(missing[0])} of its manifest is missing")
    if extra := sorted(names - known - {SIGNATURE}):
        raise _refused(path, f"the file {shown(extra[0])} is not in its manifest")


def _refused(path: Path, why: str) -> InputError:
    return InputError(f"{path} is no evidence pack: {why}. Ask the sender for the original file.")


def _unpack(archive: ZipFile, entry: ZipInfo, to: Path, damage: list[str]) -> PackedFile:
    """Copy a file of the archive. A wrong checksum of the ZIP is damage, and the file is then cut off."""
    digest, size = hashlib.sha256(), 0
    with to.open("wb") as file:
        try:
            with archive.open(entry) as source:
                while block := source.read(BLOCK):
                    digest.update(block)
                    size += file.write(block)
        except (BadZipFile, EOFError):
            damage.append(f"{entry.filename}: its bytes were changed (the checksum of the ZIP file is wrong)")
    return PackedFile(bytes=size, sha256=digest.hexdigest())


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
