"""The versions that decide the figures of a summary."""

import hashlib
import importlib.util
import platform
from functools import cache
from importlib.metadata import version
from pathlib import Path

LIBRARIES = ("plumbline", "numpy", "scipy", "polars", "scikit-learn", "statsmodels", "pyarrow")
SOURCES = ("plumbline", "workers")


@cache
def versions() -> dict[str, str]:
    """Return the versions of Python and the libraries, and a digest of Plumbline's own code as `code`."""
    libraries = {name: version(name) for name in LIBRARIES}
    return {"python": platform.python_version(), "machine": platform.machine(), **libraries, "code": _code()}


def _code() -> str:
    """Return the first 16 digits of the SHA-256 of all Python files, which changes with any of them."""
    digest = hashlib.sha256()
    for folder in map(_folder, SOURCES):
        for path in sorted(folder.rglob("*.py")):
            digest.update(f"{path.relative_to(folder.parent).as_posix()}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _folder(package: str) -> Path:
    found = importlib.util.find_spec(package)
    assert found is not None and found.origin is not None  # noqa: S101, PT018 -- both are installed with this file
    return Path(found.origin).parent
