"""Folders that appear complete or not at all."""

import errno
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from plumbline.spec.errors import ModelError

ABANDONED_SECONDS = 3600


def var_folder() -> Path:
    """Return the folder for files made on this machine: `PLUMBLINE_VAR`, else `var/` in the project."""
    return Path(os.environ.get("PLUMBLINE_VAR") or Path(__file__).resolve().parents[3] / "var")


def model_store() -> Path:
    """The folder of variants, which all workers share: `MODEL_STORE`, otherwise `store/` below the folder above."""
    return Path(os.environ.get("MODEL_STORE") or var_folder() / "store")


@contextmanager
def atomic_folder(target: Path) -> Iterator[Path]:
    """Yield a temporary folder next to `target`, and rename it to `target` at the end.

    After an error nothing is left. If two processes run at once, one folder wins and both may use it. Folders of killed
    processes are removed by a later one after an hour. Raises ModelError if nothing can be written.
    """
    prefix = f".{target.name}-"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _remove_abandoned(target.parent, prefix)
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=target.parent))
    except OSError as error:
        raise ModelError(_cannot_write(target, error)) from error
    try:
        yield folder
        folder.chmod(0o755)
        _rename(folder, target)
    # This includes safetensors' own error, which is not an OSError.
    except Exception as error:
        if isinstance(error, ModelError) or not _is_disk_full(error):
            raise
        raise ModelError(_cannot_write(target, error)) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _rename(folder: Path, target: Path) -> None:
    try:
        folder.rename(target)
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise


def _remove_abandoned(parent: Path, prefix: str) -> None:
    for folder in parent.glob(f"{prefix}*"):
        with suppress(FileNotFoundError):
            if time.time() - folder.stat().st_mtime > ABANDONED_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)


def _is_disk_full(error: Exception) -> bool:
    codes = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES)
    told = isinstance(error, OSError) and error.errno in codes
    return told or any(f"os error {code}" in str(error) for code in codes)


def _cannot_write(target: Path, error: Exception) -> str:
    return f"cannot write {target} ({error}): free some space, or set PLUMBLINE_VAR to a folder on another disk"
