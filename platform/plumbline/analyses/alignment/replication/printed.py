"""The figures that Cao et al. 2022 print on agreement with people. cao2022/README.md says how they were transcribed."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

FOLDER = Path(__file__).with_name("cao2022")
SOURCE = "Cao et al. 2022, Theory-Grounded Measurement of U.S. Social Stereotypes in English Language Models"
MEASURES = {"ceat": "CEAT", "ilps": "ILPS", "ilps_chain": "ILPS by the chain rule (ILPS*)", "set": "SeT"}
"""The paper's measures by our probes."""
MODELS = {"roberta": "RoBERTa large", "bert": "BERT large"}
TAU, PRECISION = "kendall_tau", "precision_at_3"
TABLES = {"A11": TAU, "A12": f"{PRECISION}_top", "A13": f"{PRECISION}_bottom"}
"""The statistics of the tables by group."""
GROUPS_OF_TABLE_6, RATERS = 25, 20


@dataclass(frozen=True, slots=True)
class Figure:
    value: float
    significant: bool


@lru_cache
def _rows(name: str) -> tuple[dict[str, str], ...]:
    with (FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


def overall(table: str, statistic: str) -> Mapping[tuple[str, str], Figure]:
    """Return the figures of Table 6 or A19 by measure and model."""
    rows = (row for row in _rows("overall") if (row["table"], row["statistic"]) == (table, statistic))
    return {(row["measure"], row["model"]): Figure(float(row["value"]), row["significant"] == "yes") for row in rows}


def groups() -> list[str]:
    """Return the groups in the paper's order, as printed."""
    return list(dict.fromkeys(row["group"] for row in _rows("groups")))


def of_groups(table: str, measure: str) -> Mapping[tuple[str, str], float | None]:
    """Return the figures of Table A11, A12 or A13 by group and model; None if the print has none."""
    rows = (row for row in _rows("groups") if (row["table"], row["measure"]) == (table, measure))
    return {(row["group"], row["model"]): float(row["value"]) if row["value"] else None for row in rows}


def templates(measure: str) -> Mapping[str, list[str]]:
    """Return the templates of Table 5 by model. CEAT has none."""
    found: dict[str, list[str]] = {}
    for row in _rows("templates"):
        if row["measure"] == measure:
            found.setdefault(row["model"], []).append(row["template"])
    return found
