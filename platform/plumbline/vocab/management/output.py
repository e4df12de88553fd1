"""What commands export: into a file, or to the standard output."""

from pathlib import Path
from typing import Any

from plumbline.spec.errors import InputError


def write_export(text: str, out: Path | None, stdout: Any) -> None:
    """Write CSV text to the file `out`, or to `stdout` if there is none. Raises InputError for a faulty path."""
    if out is None:
        stdout.write(text, ending="")
        return
    try:
        # With a BOM, without which Excel takes UTF-8 for cp1252; no translation of line ends.
        out.write_bytes(text.encode("utf-8-sig"))
    except OSError as error:
        raise InputError(f"cannot write {out}: {error.strerror}.") from None
