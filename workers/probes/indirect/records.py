"""Records of a shard: rows of `bridge`, or of `association` for direct scores, one per template and word pair."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from workers.probes.indirect.scoring import Floats
from workers.probes.indirect.template_side import GIVEN, Side
from workers.probes.protocol import Columns

ZERO = "the model gives it probability 0"
Reasons = Sequence[Sequence[Sequence[str]]]
"""Why there is no score, [templates][given][predicted]; empty if there is one."""


def bridge_columns(
    probe: str, side: Side, given: Sequence[int], found: tuple[Floats, Floats], reasons: Reasons, tokens: dict[str, int]
) -> Columns:
    """Return the bridge's columns; `tokens` is the number of tokens of each name."""
    own = _texts(side, given)
    word, name = ("predicted", "given") if side.slots[GIVEN] == "name" else ("given", "predicted")
    return {
        "probe": [probe] * len(own["template"]),
        "side": [side.name] * len(own["template"]),
        "template": own["template"],
        "word": own[word],
        "name": own[name],
        "name_tokens": [tokens[one] for one in own[name]],
        **_numbers(found, reasons, np.ones(len(own["template"]), dtype=bool)),
    }


def direct_columns(
    probe: str, side: Side, given: Sequence[int], found: tuple[Floats, Floats], reasons: Reasons
) -> Columns:
    """Return the direct scores' columns, without sentences that an earlier set of features shares."""
    texts, kept = labels_of(side, given), _kept(side, len(given))
    return {
        "probe": [probe] * int(kept.sum()),
        "template": texts["template"],
        "group": texts["given"],
        "attribute": texts["predicted"],
        **_numbers(found, reasons, kept),
    }


def labels_of(side: Side, given: Sequence[int]) -> dict[str, list[str]]:
    """Return template, given and predicted word of each record, without those of an earlier set of features."""
    own = _texts(side, given)
    if not side.already:
        return own
    kept = _kept(side, len(given))
    return {label: np.array(values, dtype=object)[kept].tolist() for label, values in own.items()}


def _texts(side: Side, given: Sequence[int]) -> dict[str, list[str]]:
    words = [side.given[place].label for place in given], [word.label for word in side.predicted]
    cells = [(template, one, other) for template in side.templates for one in words[0] for other in words[1]]
    columns: list[tuple[str, ...]] = list(zip(*cells, strict=True))
    return {label: list(column) for label, column in zip(("template", "given", "predicted"), columns, strict=True)}


def _kept(side: Side, given: int) -> npt.NDArray[np.bool_]:
    own = np.array([[(text, word.label) not in side.already for word in side.predicted] for text in side.templates])
    return np.repeat(own[:, None, :], given, axis=1).ravel()


def _numbers(found: tuple[Floats, Floats], reasons: Reasons, kept: npt.NDArray[np.bool_]) -> dict[str, Any]:
    target, prior = (values.ravel()[kept] for values in found)
    score = target - prior
    told = np.array([reason for some in reasons for row in some for reason in row], dtype=object)[kept]
    told = np.where((told == "") & ~np.isfinite(score), ZERO, told)
    missing = told != ""
    return {
        **{
            label: np.where(missing | ~np.isfinite(values), np.nan, values)
            for label, values in (("log_p_target", target), ("log_p_prior", prior), ("score", score))
        },
        "scorable": ~missing,
        "reason": [reason or None for reason in told],
    }
