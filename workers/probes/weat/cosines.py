"""Records of WEAT: the cosine of each target word with each attribute word."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from plumbline.spec.word_sets import WordSets
from workers.probes.protocol import Columns

Floats = npt.NDArray[np.float64]
Side = dict[str, Any]
"""The words of one side: a vector [H], or the reason for its absence."""


@dataclass(frozen=True, slots=True)
class Embedded:
    targets: Side
    attributes: Side


def columns(words: WordSets, template: str, embedded: Embedded) -> Columns:
    """Return association records by target; the score is the cosine, and the log probabilities are empty."""
    pairs = [(target.text, attribute.text) for target in words.targets for attribute in words.attributes]
    units = {
        kind: {word: _unit(found) for word, found in side.items() if not isinstance(found, str)}
        for kind, side in (("target", embedded.targets), ("attribute", embedded.attributes))
    }
    reasons = [_reason(embedded, *pair) for pair in pairs]
    scores = [
        None if reason else float(units["target"][target] @ units["attribute"][attribute])
        for (target, attribute), reason in zip(pairs, reasons, strict=True)
    ]
    return {
        "template": [template] * len(pairs),
        "group": [target for target, _ in pairs],
        "attribute": [attribute for _, attribute in pairs],
        "log_p_target": [None] * len(pairs),
        "log_p_prior": [None] * len(pairs),
        "score": scores,
        "n_tokens": [None] * len(pairs),
        "scorable": [not reason for reason in reasons],
        "reason": [reason or None for reason in reasons],
    }


def _reason(embedded: Embedded, target: str, attribute: str) -> str:
    found = (embedded.targets[target], embedded.attributes[attribute])
    return next((one for one in found if isinstance(one, str)), "")


def _unit(vector: Floats) -> Floats:
    return np.asarray(vector / np.linalg.norm(vector))


def cube(words: WordSets, templates: tuple[str, ...], records: pl.DataFrame) -> Floats:
    """Return cosines [templates, targets, attributes] from the records; NaN if there is none."""
    axes = (list(templates), [word.text for word in words.targets], [word.text for word in words.attributes])
    cosines = np.full([len(axis) for axis in axes], np.nan)
    known = records.filter(pl.col("scorable"))
    index = tuple(
        known[name].replace_strict(axis, list(range(len(axis))), return_dtype=pl.Int32).to_numpy()
        for name, axis in zip(("template", "group", "attribute"), axes, strict=True)
    )
    cosines[index] = known["score"].to_numpy()
    return cosines
