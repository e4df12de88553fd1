"""What commands export: into a file, or to the standard output."""

from pathlib import Path
from typing import Any

from plumbline.accounts.log import record
from plumbline.accounts.models import Activity
from plumbline.spec.errors import InputError
from plumbline.vocab.authors import os_user


def write_export(text: str, out: Path | None, stdout: Any, command: str) -> None:
    """Write CSV text to the file `out`, or to `stdout` if there is none, and record it in the activity log.

    Raises InputError for a faulty path.
    """
    record_export(command, out)
    if out is None:
        stdout.write(text, ending="")
        return
    try:
        # With a BOM, without which Excel takes UTF-8 for cp1252; no translation of line ends.
        out.write_bytes(text.encode("utf-8-sig"))
    except OSError as error:
        raise InputError(f"cannot write {out}: {error.strerror}.") from None


def write_archive(content: bytes, out: Path | None, command: str) -> None:
    """Write an archive to a file and record it in the activity log. Raises InputError without a file or a good path."""
    if out is None:
        raise InputError("an archive is no text for the standard output: give --out FILE.zip.")
    record_export(command, out)
    try:
        out.write_bytes(content)
    except OSError as error:
        raise InputError(f"cannot write {out}: {error.strerror}.") from None


def record_export(command: str, out: Path | None) -> None:
    """Record an export of a command in the activity log."""
    by = " by ".join(filter(None, (command, os_user())))
    record(Activity.EXPORT, f"to {out or 'the standard output'}", command=by[:200])
