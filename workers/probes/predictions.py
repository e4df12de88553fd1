"""Import of answers that a model gave elsewhere. The module `predictions` of a method's folder has IMPORTERS."""

from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from plumbline.spec.errors import InputError
from plumbline.spec.registry import all_contributed_by_workers

SUFFIXES = (".jsonl", ".jsonl.gz", ".csv", ".csv.gz")
Options = Mapping[str, Any]
"""The values of the command line by option."""


class PredictionImporter(Protocol):
    """How predictions of one kind become stored answers and a run over them."""

    bank_kind: str
    """The kind of bank whose questions the predictions answer."""
    default_bank: str
    """The bank that is used if the command line names none."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options of this kind. FILE_OR_DIR, --bank and --name exist already."""

    def model_name(self, path: Path, options: Options) -> str:
        """Return the name of the model if the command line gives none."""

    def source(self, options: Options) -> str:
        """Return the part of the files that holds the answers, for the bank's source."""

    def part(self, options: Options) -> str:
        """Return what distinguishes these answers from others of the same model, such as a template; empty for all."""

    def read(
        self, files: Sequence[Path], options: Options, questions: Mapping[str, Mapping[str, Any]]
    ) -> Sequence[Mapping[str, Any]]:
        """Return the stored answers, each with the `id` of its question, in the order of the files.

        `questions` are the bank's by id. Raises InputError that names file and line of the first faulty row.
        """

    def spec_fields(self, options: Options) -> Mapping[str, Any]:
        """Return the fields of the audit's spec besides name, model, bank and answers."""


def importers() -> Mapping[str, PredictionImporter]:
    """Return the importers of all methods by kind."""
    return all_contributed_by_workers("predictions", "IMPORTERS")


def prediction_files(path: Path) -> list[Path]:
    """Return the file itself, or a folder's prediction files by name. Raises InputError if there are none."""
    found = [path] if path.is_file() else sorted(one for one in path.glob("*") if one.name.endswith(SUFFIXES))
    if not found:
        what = f"holds no {', '.join(SUFFIXES)}" if path.is_dir() else "does not exist"
        raise InputError(f"{path} {what}: name a file of predictions, or a folder of them.")
    return found
