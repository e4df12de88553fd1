"""The import of scores computed elsewhere: one number per line, in the order of the bank."""

import math
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from plumbline.methods.pairs.scores import OF_KIND
from plumbline.spec.errors import InputError
from plumbline.vocab.banks.text_file import text_of
from workers.probes.predictions import Options, PredictionImporter

SCORES = tuple(name for names in OF_KIND.values() for name in names)


class PairPredictions:
    """Scores of pairs (first sentence minus second) and of GEST (log P(male) - log P(female))."""

    bank_kind = "pairs"
    default_bank = "pairs"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add --template and --score."""
        parser.add_argument("--template", type=int, metavar="N", help="for GEST: the number of the template")
        parser.add_argument("--score", choices=SCORES, help="for pairs: which score it is; otherwise crows")

    def model_name(self, path: Path, options: Options) -> str:
        """Return the file's name up to its first dot."""
        return path.name.split(".")[0]

    def source(self, options: Options) -> str:
        """Return which score or template it is."""
        return self.part(options)

    def part(self, options: Options) -> str:
        """Return the imported score or template, because a model has several."""
        template = options.get("template")
        return f"template {template}" if template is not None else options.get("score") or SCORES[0]

    def read(
        self, files: Sequence[Path], options: Options, questions: Mapping[str, Mapping[str, Any]]
    ) -> Sequence[Mapping[str, Any]]:
        """Return a score for each item of the bank. Raises InputError for a line that is no number and a wrong count.

        The files of a folder are read in the order of their names.
        """
        is_gest = any("stereotype" in one for one in questions.values())
        if is_gest == (options.get("template") is None):
            raise InputError("name the template of GEST by --template." if is_gest else "only GEST has templates.")
        scores = [score for file in files for score in _numbers(file)]
        if len(scores) != len(questions):
            names = ", ".join(file.name for file in files)
            raise InputError(
                f"{names}: {len(scores)} scores for the {len(questions)} items of the bank; write one per line."
            )
        return [{"id": name, "score": score} for name, score in zip(questions, scores, strict=True)]

    def spec_fields(self, options: Options) -> Mapping[str, Any]:
        """Return the probe, and the one score or template that was imported."""
        template = options.get("template")
        chosen = {"templates": [template]} if template is not None else {"scores": [options.get("score") or SCORES[0]]}
        return {"probe": "pairs", "params": chosen}


def _numbers(path: Path) -> list[float]:
    lines = text_of(path).rstrip().split("\n")
    return [_number(f"{path.name}, line {place}", line) for place, line in enumerate(lines, start=1)]


def _number(place: str, line: str) -> float:
    try:
        number = float(line)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"{place}: {line.strip()[:60]!r} is no number; write one score per line.")
    return number


IMPORTERS: Mapping[str, PredictionImporter] = {"pairs": PairPredictions()}
