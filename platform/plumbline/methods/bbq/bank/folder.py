"""The places of BBQ's files: one folder, or those of its repository (examples or data, templates, metadata)."""

from collections.abc import Sequence
from pathlib import Path

from plumbline.spec.errors import InputError

EXAMPLES = ("examples", "data")
SUFFIXES = (".jsonl", ".jsonl.gz")
METADATA = (
    "additional_metadata.csv",
    "supplemental/additional_metadata.csv",
    "analysis_scripts/additional_metadata.csv",
)
NO_TEMPLATES = ("filler_items", "fillers", "vocabulary", "vocabulary_proper_names", "additional_metadata")
"""Tables in the folder that hold no templates."""


def home_of(path: Path) -> Path:
    """Return the folder with examples and templates; `path` is it, its folder of examples, or one file of these."""
    folder = path.parent if path.is_file() else path
    return folder.parent if folder.name in EXAMPLES else folder


def example_files(path: Path, categories: Sequence[str] = ()) -> dict[str, Path]:
    """Return the files of examples by category, in the order of their names. Raises InputError if one is missing."""
    files = [path] if path.is_file() else _jsonl_files(path)
    found = {category_of(file): file for file in sorted(files, reverse=True)}  # a plain file before its packed copy
    if not found:
        what = "holds no CATEGORY.jsonl or CATEGORY.jsonl.gz" if path.is_dir() else "does not exist"
        raise InputError(f"{path} {what}: name BBQ's folder of examples, or the folder above it.")
    if missing := [name for name in categories if name not in found]:
        raise InputError(f"{path} holds no examples of {missing[0]!r}; its categories are {', '.join(sorted(found))}.")
    return {name: found[name] for name in sorted(found) if not categories or name in categories}


def _jsonl_files(path: Path) -> list[Path]:
    """Return the files of the folder itself, else of its folder of examples."""
    for folder in (path, *(path / name for name in EXAMPLES)):
        files = [file for file in folder.glob("*.jsonl*") if file.name.endswith(SUFFIXES) and file.is_file()]
        if files:
            return files
    return []


def category_of(path: Path) -> str:
    """Return the category in the file's name: Age.jsonl.gz holds Age."""
    return path.name.removesuffix(".gz").removesuffix(".jsonl")


def template_files(home: Path, beside: bool = False) -> list[Path]:
    """Return the tables of templates, in the order of their names; none is no fault.

    They lie in a folder of their own or are all that `home` holds; `beside` examples, other tables may lie there.
    """
    folder = home / "templates" if (home / "templates").is_dir() or beside else home
    files = sorted(file for file in folder.glob("*.csv") if file.is_file())
    return [file for file in files if _plain(file.stem) not in NO_TEMPLATES]


def vocabulary_file(home: Path, name: str) -> Path | None:
    """Return the table of that name in the folder of the templates."""
    for folder in (home / "templates", home):
        if (path := folder / f"{name}.csv").is_file():
            return path
    return None


def metadata_file(home: Path) -> Path | None:
    """Return the authors' table of bias targets; None if it is missing."""
    return next((home / name for name in METADATA if (home / name).is_file()), None)


def _plain(stem: str) -> str:
    """Return the name without a prefix: the authors' repository calls its tables "new_templates - Age.csv"."""
    return stem.rpartition(" - ")[2].strip().lower()
