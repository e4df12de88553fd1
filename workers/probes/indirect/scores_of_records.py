"""Scores of a run as arrays, from its records: averages over templates, and the score in each template.

A run of the thesis' size has 6 million records. They are read by words, so that few are in memory. The result takes 8
bytes per name and word, and 4 bytes for each template in addition.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import polars as pl

from plumbline.methods.indirect.materials import (
    BRIDGE_FEATURE,
    TARGET_BRIDGE,
    TARGET_FEATURE,
    FeatureSet,
    IndirectMaterials,
)
from workers.probes.protocol import Read
from workers.statistics.units import Floats

ROWS_AT_ONCE = 1 << 18
AVERAGE = ""
Singles = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Scores:
    """The scores of one side; NaN if some template has none."""

    mean: Floats
    """The mean over templates as the run averages them, [names, words]."""
    prior: Floats
    """The logarithm of the prior, averaged in the same way, [names, words]."""
    of_templates: Singles
    """The score in each template, [templates, names, words]."""
    reasons: dict[str, str] = field(default_factory=dict)
    """Why a predicted word has no score somewhere, by word."""
    name_tokens: dict[str, int] = field(default_factory=dict)


def target_scores(read: Read, materials: IndirectMaterials, average: str) -> Scores:
    """Return the scores of the targets with the names."""
    words = [one.text for one in materials.targets]
    return _scores(read, TARGET_BRIDGE, words, materials.target_bridge, materials, average)


def feature_scores(read: Read, own: FeatureSet, materials: IndirectMaterials, average: str) -> Scores:
    """Return the scores of one set's features with the names."""
    words = [one.text for one in own.features]
    return _scores(read, own.side(BRIDGE_FEATURE), words, own.bridge_feature, materials, average)


def _scores(
    read: Read, side: str, words: Sequence[str], templates: Sequence[str], materials: IndirectMaterials, average: str
) -> Scores:
    names = [one.name for one in materials.names]
    shape, texts = (len(names), len(words)), _recorded(read, side, words[0], templates)
    found = Scores(np.empty(shape), np.empty(shape), np.empty((len(texts), *shape), dtype=np.float32))
    predicted = "name" if side == TARGET_BRIDGE else "word"
    for start, some in _parts(words, len(names) * len(texts)):
        frame = read("bridge", side=side, word=some).with_columns(pl.col("template").fill_null(AVERAGE))
        target, prior = _tables(frame, {"template": texts, "name": names, "word": some})
        place = np.s_[..., start : start + len(some)]
        found.mean[place], found.prior[place] = averaged(target, prior, average)
        found.of_templates[place] = target - prior
        found.reasons.update(_reasons(frame, predicted))
        found.name_tokens.update(frame.select("name", "name_tokens").unique().iter_rows())
    return found


def _recorded(read: Read, side: str, word: str, templates: Sequence[str]) -> Sequence[str]:
    """Return the templates, or the placeholder for all of them in runs of earlier releases with averages only."""
    of_one = read("bridge", side=side, word=[word])["template"]
    return [AVERAGE] if len(of_one) and of_one.null_count() == len(of_one) else templates


def averaged(target: Floats, prior: Floats, average: str) -> tuple[Floats, Floats]:
    """Return score and log prior averaged over templates, the first axis of both log probabilities; NaN if one is NaN.

    `probability` averages before the logarithm (thesis, Algorithm 3.1, lines 18 to 21), `log` after it.
    """
    if average == "log":
        return (target - prior).mean(axis=0), prior.mean(axis=0)
    # NaN in one template gives NaN.
    with np.errstate(invalid="ignore"):
        both = [np.logaddexp.reduce(one, axis=0) - np.log(len(one)) for one in (target, prior)]
    return np.asarray(both[0] - both[1]), np.asarray(both[1])


@dataclass(frozen=True)
class Direct:
    """Log probabilities of one set's features with the targets, and in their prior."""

    target: Floats  # [templates, targets, features]
    prior: Floats
    reasons: dict[str, str]
    """Why a feature has no score somewhere, by feature."""


def direct_scores(read: Read, own: FeatureSet, materials: IndirectMaterials) -> Iterator[tuple[int, Direct]]:
    """Yield direct scores of some targets at a time, with the place of the first one."""
    targets, features = [one.text for one in materials.targets], [one.text for one in own.features]
    templates = own.templates(TARGET_FEATURE)
    for start, some in _parts(targets, len(features) * len(templates)):
        # Two sets may share a sentence, which is recorded once. The words select it, whichever set it was asked for.
        frame = read("association", group=some, template=list(templates), attribute=features)
        tables = _tables(frame, {"template": templates, "group": some, "attribute": features})
        yield start, Direct(*tables, _reasons(frame, "attribute"))


def _parts(words: Sequence[str], rows: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the start and the words of parts whose records, `rows` per word, are few enough."""
    step = max(1, ROWS_AT_ONCE // max(1, rows))
    for start in range(0, len(words), step):
        yield start, list(words[start : start + step])


def _tables(frame: pl.DataFrame, axes: dict[str, Sequence[str]]) -> tuple[Floats, Floats]:
    """Return both log probabilities at the places of their labels; NaN if there is no score."""
    found = np.full((2, *(len(labels) for labels in axes.values())), np.nan)
    known = frame.filter("scorable")
    at = tuple(
        known[column].replace_strict(list(labels), range(len(labels)), return_dtype=pl.Int64).to_numpy()
        for column, labels in axes.items()
    )
    for table, column in zip(found, ("log_p_target", "log_p_prior"), strict=True):
        table[at] = known[column].to_numpy()
    return found[0], found[1]


def _reasons(frame: pl.DataFrame, predicted: str) -> dict[str, str]:
    told = frame.filter(~pl.col("scorable")).select(predicted, "reason").unique(subset=predicted, keep="first")
    return dict(told.iter_rows())
