"""Error rates as tables, and as a JSON card in the model's folder."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from plumbline.spec.digests import digest
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import amount, number, probability
from workers.engine.classifier import ClassifierModel
from workers.engine.loading import Device, load_classifier, locate
from workers.training.error_rates.rates import ByKind, ErrorRates, changes, error_rates, rates_by_kind
from workers.training.error_rates.sentences import Sentences
from workers.training.mcq import RECORD

CARD = "error_rates.json"
ALIKE = ("texts_digest", "recipe")
"""What two trainings must share, so that only the base explains a change."""
Row = tuple[str, ...]


@dataclass(frozen=True)
class Classified:
    """A classifier's predictions for the sentences."""

    model: ClassifierModel
    positive: npt.NDArray[np.bool_]
    by_kind: ByKind
    rates: ErrorRates


def classified(reference: str, sentences: Sentences, device: Device = "auto") -> Classified:
    """Ask the classifier. Raises ModelError for another kind of model."""
    model = load_classifier(locate(reference), device)
    positive = model.positive(sentences.texts())
    by_kind = rates_by_kind(sentences, positive)
    return Classified(model, positive, by_kind, error_rates(by_kind))


def training_differences(before: Classified, after: Classified) -> list[str]:
    """Return what the trainings of both classifiers do not share, or that it is not known."""
    records = [_record(one.model.checkpoint.folder) for one in (before, after)]
    if None in records:
        return ["the record of a training"]
    first, second = (record or {} for record in records)
    return [name.replace("_digest", "") for name in ALIKE if first.get(name) != second.get(name)]


def _record(folder: Path) -> dict[str, Any] | None:
    file = folder / RECORD
    return dict(json.loads(file.read_text(encoding="utf-8"))) if file.is_file() else None


def rate_rows(found: Classified) -> list[Row]:
    """Return the rows of the table of one classifier: rates of groups, then differences."""
    heads = ("RATE", "GROUPS", "VALUE", "95% INTERVAL", "KINDS", "Q", "VERDICT")
    return [heads, *map(_row, (*found.rates.rates, *found.rates.differences))]


def change_rows(before: Classified, after: Classified) -> list[Row]:
    """Return the rows of the table of two classifiers: each difference before, after, and its change."""
    heads = ("DIFFERENCE", "GROUPS", "BEFORE", "AFTER", "CHANGE", "95% INTERVAL", "KINDS", "Q", "VERDICT")
    both = zip(before.rates.differences, after.rates.differences, changes(before.by_kind, after.by_kind), strict=True)
    return [heads, *(_change_row(*three) for three in both)]


def _change_row(old: Measure, new: Measure, one: Measure) -> Row:
    sides = (f"{number(side.value)} {limits(side)} {side.verdict}" for side in (old, new))
    _, groups, value, *rest = _row(one)
    return (_name(old), groups, *sides, value, *rest)


def _row(one: Measure) -> Row:
    groups = f"{one.group_a} - {one.group_b}" if one.group_b else one.group_a
    q = probability(one.q_value) if one.group_b else ""
    return _name(one), groups, _figure(one, one.value), limits(one), str(one.n_units), q, one.verdict


def _figure(one: Measure, value: float | None) -> str:
    """Format a difference with its sign, a rate without."""
    return number(value) if one.group_b or value is None else amount(value)


def _name(one: Measure) -> str:
    return one.statistic.replace("_", " ").removesuffix(" change").removesuffix(" difference")


def limits(one: Measure) -> str:
    return "-" if one.ci_low is None else f"[{_figure(one, one.ci_low)}, {_figure(one, one.ci_high)}]"


def write_card(found: Classified, sentences: Sentences, before: Classified | None = None) -> Path:
    """Write rates, differences and, with a classifier before, the changes into the model's folder."""
    card = {
        "model": _identity(found),
        "sentences": {"n": len(found.positive), "digest": digest(sentences.texts())},
        "rates": _kept(found.rates.rates),
        "differences": _kept(found.rates.differences),
    }
    if before:
        compared = {"model": _identity(before), "differences": _kept(before.rates.differences)}
        card["before"] = {**compared, "not_alike": training_differences(before, found)}
        card["changes"] = _kept(changes(before.by_kind, found.by_kind))
    path = found.model.checkpoint.folder / CARD
    path.write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
    return path


def _identity(found: Classified) -> dict[str, str]:
    return {"reference": found.model.checkpoint.reference, "digest": found.model.checkpoint.digest}


def _kept(measures: Sequence[Measure]) -> list[dict[str, Any]]:
    return [{name: value for name, value in asdict(one).items() if value not in ("", None)} for one in measures]
