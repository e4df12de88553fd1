"""The error rates of a classifier, and their JSON card in the model's folder."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from plumbline.spec.digests import digest
from plumbline.spec.measure import Measure
from workers.engine.classifier import ClassifierModel
from workers.engine.loading import Device, load_classifier, locate
from workers.training.error_rates.rates import ByKind, ErrorRates, changes, error_rates, rates_by_kind
from workers.training.error_rates.sentences import Sentences
from workers.training.mcq import RECORD

CARD = "error_rates.json"
ALIKE = ("texts_digest", "recipe")
"""What two trainings must share, so that only the base explains a change."""


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


def card_of(found: Classified, sentences: Sentences, before: Classified | None = None) -> dict[str, Any]:
    """Return rates, differences and, with a classifier before, the changes, as plain data."""
    card: dict[str, Any] = {
        "model": _identity(found),
        "sentences": {"n": len(found.positive), "digest": digest(sentences.texts())},
        "rates": _kept(found.rates.rates),
        "differences": _kept(found.rates.differences),
    }
    if before:
        compared = {"model": _identity(before), "differences": _kept(before.rates.differences)}
        card["before"] = {**compared, "not_alike": training_differences(before, found)}
        card["changes"] = _kept(changes(before.by_kind, found.by_kind))
    return card


def write_card(found: Classified, card: Mapping[str, Any]) -> Path:
    """Write the card into the model's folder."""
    path = found.model.checkpoint.folder / CARD
    path.write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
    return path


def _identity(found: Classified) -> dict[str, str]:
    """Return which classifier it is, and what it was fine-tuned from as far as its folder tells."""
    checkpoint = found.model.checkpoint
    base = str((_record(checkpoint.folder) or {}).get("base", ""))
    return {"reference": checkpoint.reference, "digest": checkpoint.digest, "base": base}


def _kept(measures: Sequence[Measure]) -> list[dict[str, Any]]:
    return [{name: value for name, value in asdict(one).items() if value not in ("", None)} for one in measures]
