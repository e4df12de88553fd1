"""Records of name embeddings: a classifier's answers by name and split, and a map of the names."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from plumbline.methods.name_embedding.spec import CONFOUNDS, TEST, TRAIN, LabelledName, NameEmbeddingParams, traits_of
from workers.probes.name_embedding.embedding import Embedded
from workers.probes.protocol import Columns
from workers.statistics.classifiers import Split, classify_splits
from workers.statistics.clusters import project
from workers.statistics.units import Floats

EMBEDDING = "embedding"
AXES = ("x", "y")
TOO_FEW = "fewer than four names could be embedded, or all alike: no map"


def item(trait: str, features: str, split: int, part: str) -> str:
    """Return the name of one split's questions."""
    return f"{trait} from {features}, split {split}, {part}"


def features_of(names: Sequence[LabelledName], found: Sequence[Embedded]) -> dict[str, Floats]:
    """Return the features of classifiers, [names, d]: embeddings, and subword count with log frequency as a control.

    A frequency that is not known for all names is left out; 0 counts as half of the smallest other one.
    """
    columns = [np.array([one.subwords for one in found], dtype=np.float64)]
    frequencies = np.array([np.nan if one.frequency is None else one.frequency for one in names], dtype=np.float64)
    if not np.isnan(frequencies).any() and (frequencies > 0).any():
        columns.append(np.log(np.maximum(frequencies, frequencies[frequencies > 0].min() / 2)))
    return {EMBEDDING: np.stack([one.vector for one in found]), CONFOUNDS: np.column_stack(columns)}


def choices(
    probe: str, names: Sequence[LabelledName], features: dict[str, Floats], params: NameEmbeddingParams, seed: int
) -> Columns:
    """Return one row per name, trait, kind of features and split, with the classifier's answer."""
    columns: Columns = defaultdict(list)
    for trait in traits_of(names):
        kinds = sorted({getattr(one, trait) for one in names})
        gold = np.array([kinds.index(getattr(one, trait)) for one in names])
        for kind, values in features.items():
            splits = classify_splits(
                values, gold, seed=seed, splits=params.splits, test_share=params.test_share, strength=params.strength
            )
            for number, split in enumerate(splits):
                for part, row in _rows(split):
                    _add(columns, probe, names[row], item(trait, kind, number, part), (trait, kind, part))
                    columns["options"].append(json.dumps(kinds, ensure_ascii=False))
                    columns["logits"].append(json.dumps([round(value, 6) for value in split.log_p[row].tolist()]))
                    columns["chosen"].append(int(split.log_p[row].argmax()))
                    columns["gold"].append(int(gold[row]))
    return dict(columns)


def _rows(split: Split) -> Iterator[tuple[str, int]]:
    for part, rows in ((TRAIN, split.train), (TEST, split.test)):
        yield from ((part, row) for row in rows.tolist())


def _add(columns: Columns, probe: str, name: LabelledName, question: str, labels: tuple[str, str, str]) -> None:
    own = {"probe": probe, "bank": "", "item": question, "name": name.name, "group": name.group}
    own |= dict(zip(("category", "condition", "polarity"), labels, strict=True))
    for key, value in (own | {"target": None, "unknown": None, "reason": None}).items():
        columns[key].append(value)


def places(probe: str, names: Sequence[LabelledName], found: Sequence[Embedded | str], seed: int) -> Columns:
    """Return the map: two association records per name, whose scores are its coordinates (template `x` and `y`)."""
    sound = [row for row, one in enumerate(found) if isinstance(one, Embedded)]
    vectors = [one.vector for one in found if isinstance(one, Embedded)]
    projected = project(np.stack(vectors), seed) if vectors else None
    at = {} if projected is None else dict(zip(sound, projected.tolist(), strict=True))
    rows = [(row, axis) for row in range(len(names)) for axis in range(len(AXES))]
    scores = [at[row][axis] if row in at else None for row, axis in rows]
    reasons = [None if row in at else _reason(found[row]) for row, _ in rows]
    return {
        "probe": [probe] * len(rows),
        "template": [AXES[axis] for _, axis in rows],
        "group": [names[row].group for row, _ in rows],
        "attribute": [names[row].name for row, _ in rows],
        "log_p_target": [None] * len(rows),
        "log_p_prior": [None] * len(rows),
        "score": scores,
        "n_tokens": [one.subwords if isinstance(one := found[row], Embedded) else None for row, _ in rows],
        "scorable": [score is not None for score in scores],
        "reason": reasons,
    }


def _reason(found: Embedded | str) -> str:
    return found if isinstance(found, str) else TOO_FEW
