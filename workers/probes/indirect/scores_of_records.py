"""The scores of a run out of its records, as arrays: averages over the templates, and each template's own.

A run of the thesis' size has 6 million records. They are read some words at a time, so that the records in memory are
few; what stays is 8 bytes a name and word, and 4 bytes more for each template.
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
    """The scores of one side; NaN where some template has none."""

    mean: Floats
    """[names, words]: over the templates, as the run averages them."""
    prior: Floats
    """[names, words]: logarithm of the prior, averaged alike."""
    of_templates: Singles
    """[templates, names, words]: the score in each."""
    reasons: dict[str, str] = field(default_factory=dict)
    """By predicted word why it has no score somewhere."""
    name_tokens: dict[str, int] = field(default_factory=dict)


def target_scores(read: Read, materials: IndirectMaterials, average: str) -> Scores:
    """Of the targets with the names."""
    words = [one.text for one in materials.targets]
    return _scores(read, TARGET_BRIDGE, words, materials.target_bridge, materials, average)


def feature_scores(read: Read, own: FeatureSet, materials: IndirectMaterials, average: str) -> Scores:
    """Of one set's features with the names."""
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
    """The templates, or what stands for them all in runs of earlier releases: these kept averages alone."""
    of_one = read("bridge", side=side, word=[word])["template"]
    return [AVERAGE] if len(of_one) and of_one.null_count() == len(of_one) else templates


def averaged(target: Floats, prior: Floats, average: str) -> tuple[Floats, Floats]:
    """Score and log prior over the templates, the first axis of both log probabilities; NaN where one of them is.

    `probability` averages before the logarithm (thesis, Algorithm 3.1, lines 18 to 21), `log` after it.
    """
    if average == "log":
        return (target - prior).mean(axis=0), prior.mean(axis=0)
    # NaN is no number in all templates.
    with np.errstate(invalid="ignore"):
        both = [np.logaddexp.reduce(one, axis=0) - np.log(len(one)) for one in (target, prior)]
    return np.asarray(both[0] - both[1]), np.asarray(both[1])


@dataclass(frozen=True)
class Direct:
    """Log probabilities of one set's features where the targets stand, and in their prior."""

    target: Floats  # [templates, targets, features]
    prior: Floats
    reasons: dict[str, str]
    """By feature why it has no score somewhere."""


def direct_scores(read: Read, own: FeatureSet, materials: IndirectMaterials) -> Iterator[tuple[int, Direct]]:
    """Some targets at a time, each part with the place of its first target."""
    targets, features = [one.text for one in materials.targets], [one.text for one in own.features]
    templates = own.templates(TARGET_FEATURE)
    for start, some in _parts(targets, len(features) * len(templates)):
        # Two sets may share a sentence, which is recorded once: the words choose, not the set that asked.
        frame = read("association", group=some, template=list(templates), attribute=features)
        tables = _tables(frame, {"template": templates, "group": some, "attribute": features})
        yield start, Direct(*tables, _reasons(frame, "attribute"))


def _parts(words: Sequence[str], rows: int) -> Iterator[tuple[int, list[str]]]:
    """As many words at once as have few enough records, `rows` each."""
    step = max(1, ROWS_AT_ONCE // max(1, rows))
    for start in range(0, len(words), step):
        yield start, list(words[start : start + step])


def _tables(frame: pl.DataFrame, axes: dict[str, Sequence[str]]) -> tuple[Floats, Floats]:
    """Both log probabilities at the places of their labels; NaN where there is no score."""
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
