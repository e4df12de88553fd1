"""The figures that the thesis prints on known biases. thesis/README.md says how they were transcribed."""

import csv
from functools import lru_cache
from pathlib import Path

FOLDER = Path(__file__).with_name("thesis")
MODELS = ("bert-base", "bert-large", "xl-base", "xl-large")
SOURCE = "Indirect Logarithmic Probability Bias Score (thesis)"
GENDERS = ("female", "male")
METHODS = ("direct", "indirect")
LISTS = (
    *("beverages", "countries", "occupations", "sports", "traits", "ages", "years-of-birth"),
    *("gender-words", "races", "religions", "sexual-orientations"),
)
"""The starter lists that correspond to the thesis' attribute sets, in its order. The first four are targets, too."""
Pair = tuple[int, int]
"""The ranks for the female and for the male gender."""


@lru_cache
def _rows(name: str) -> tuple[dict[str, str], ...]:
    with (FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


def _number(text: str) -> float | None:
    return float(text) if text else None


def top_ten(model: str, gender: str, method: str) -> list[str]:
    """Return Tables 3.3 and 3.4: the occupations linked most with a gender, the strongest first."""
    asked = {"model": model, "gender": gender, "method": method}
    return [row["occupation"] for row in _rows("top_ten") if asked.items() <= row.items()]


def gender_agreement(model: str) -> dict[str, float]:
    """Return Table 3.5: r over all `words`, and for the means of each gender."""
    (row,) = (row for row in _rows("gender_agreement") if row["model"] == model)
    return {key: float(row[key]) for key in ("words", *GENDERS)}


def agreement(model: str) -> dict[tuple[str, str], float | None]:
    """Return Tables A.1 to A.4: r by list of targets and list of features, None if the print is illegible."""
    rows = (row for row in _rows("agreement") if row["model"] == model)
    return {(row["targets"], row["features"]): _number(row["r"]) for row in rows}


def ranked_occupations() -> dict[str, str]:
    """Return the occupations of Tables A.5 to A.8 with the gender of their word vectors (Bolukbasi et al. 2016)."""
    return {row["occupation"]: row["gender"] for row in _rows("ranks")}


def ranks(model: str) -> dict[str, dict[str, Pair]]:
    """Return Tables A.5 to A.8: ranks by occupation and method, among the 92 that name no gender."""
    rows = (row for row in _rows("ranks") if row["model"] == model)
    return {row["occupation"]: {method: _pair(row, method) for method in METHODS} for row in rows}


def _pair(row: dict[str, str], method: str) -> Pair:
    return int(row[f"{method}_female"]), int(row[f"{method}_male"])


def beer() -> dict[str, dict[str, float]]:
    """Return Table 4.1: bert-base's scores of beer by gender word and method."""
    return {row["word"]: {method: float(row[method]) for method in METHODS} for row in _rows("beer")}


def padding(model: str) -> dict[tuple[str, str, str], float | None]:
    """Return Table 3.2 for xl-base and xl-large: percent of the targets by list of features, level of p and pair of
    texts.
    """
    rows = (row for row in _rows("padding") if row["model"] == model)
    return {(row["features"], row["level"], row["pair"]): _number(row["percent"]) for row in rows}
