"""The folders of models that web pages may name: those below the setting MODEL_ROOTS."""

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from django.conf import settings

MOST_DEEP = 2
"""A model may lie in a root, or in a folder of its organisation there, as on the hub."""
MOST_SHOWN, MOST_VISITED = 50, 2_000


def is_below_roots(folder: Path) -> bool:
    """Return whether the resolved folder is below one of the roots. Relative paths and paths with ".." are not."""
    if not folder.is_absolute() or ".." in folder.parts:
        return False
    try:
        return any(folder.resolve().is_relative_to(Path(root).resolve()) for root in settings.MODEL_ROOTS)
    except RuntimeError:  # a link that leads to itself
        return False


def found() -> list[Path]:
    """Return the folders with a model below the roots, ordered by root and path. Links are not followed."""
    visited = islice((one for root in settings.MODEL_ROOTS for one in _folders(Path(root), MOST_DEEP)), MOST_VISITED)
    return list(islice((folder for folder in visited if (folder / "config.json").is_file()), MOST_SHOWN))


def short_name(folder: Path) -> str:
    """Return the path of a found folder below its root, or its own name if it is a root."""
    roots = [Path(root) for root in settings.MODEL_ROOTS]
    below = next((folder.relative_to(root) for root in roots if folder.is_relative_to(root)), folder)
    return str(below) if below.parts else folder.name


def _folders(folder: Path, deep: int) -> Iterator[Path]:
    """Yield a folder and those below it, to this depth. One that cannot be read has none."""
    yield folder
    if not deep:
        return
    try:
        with os.scandir(folder) as inside:
            names = sorted(one.name for one in inside if one.is_dir(follow_symlinks=False))
    except OSError:
        return
    for name in names:
        yield from _folders(folder / name, deep - 1)
