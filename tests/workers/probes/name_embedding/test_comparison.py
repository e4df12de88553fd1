"""How well groups are read from embeddings of names in two runs: the change, by name."""

import polars as pl
import pytest

from plumbline.methods.name_embedding.spec import NameEmbeddingSpec
from plumbline.spec.audit import parse
from tests.workers.probes.name_embedding.test_probe import CONTEXTS, NAMES
from workers.probes.name_embedding.comparison import measure_changes
from workers.probes.name_embedding.summary import summarise
from workers.probes.protocol import Audited

SPLITS = 3
MAP = pl.DataFrame(schema=dict.fromkeys(("template", "group", "attribute", "score", "reason"), pl.String))


def audited(wrong: int) -> Audited[NameEmbeddingSpec]:
    """A run whose classifiers are wrong on the last `wrong` names of each split's test part."""
    spec = parse(
        {
            "name": "t",
            "probe": "name_embedding",
            "model": "path:./m",
            "names": {"inline": NAMES},
            "contexts": {"inline": CONTEXTS},
        }
    )
    assert isinstance(spec, NameEmbeddingSpec)
    rows = [
        (
            f"split {split} {part}",
            one["name"],
            "gender",
            kind,
            part,
            int(at >= 20 - wrong) if kind == "embedding" else 0,
            0,
        )
        for split in range(SPLITS)
        for part in ("train", "test")
        for kind in ("embedding", "subword count and frequency")
        for at, one in enumerate(NAMES)
    ]
    names = ["item", "name", "category", "condition", "polarity", "chosen", "gold"]
    frame = pl.DataFrame(rows, schema=names, orient="row")

    def read(table: str, **_: object) -> pl.DataFrame:
        return {"choice": frame, "association": MAP}[table]

    return Audited(spec, {}, read)


def accuracy(run: Audited[NameEmbeddingSpec]) -> float:
    found = summarise(run.spec, run.read("choice"), run.read("association"))
    (one,) = [
        one.value for one in found if (one.statistic, one.condition, one.variant) == ("classifier_accuracy", "test", "")
    ]
    assert one is not None
    return one


def test_the_accuracy_changes_by_name() -> None:
    first, second = audited(2), audited(11)
    (one,) = measure_changes(first, second)
    assert one.value == pytest.approx(accuracy(second) - accuracy(first))
    assert (one.condition, one.category, one.unit, one.n_units) == ("classifier_accuracy, test", "gender", "name", 20)
    assert (one.verdict, one.smallest_effect) == ("present", 0.05)


def test_answers_that_stay_the_same_are_no_change() -> None:
    (one,) = measure_changes(audited(2), audited(2))
    assert (one.value, one.verdict) == (0.0, "undecided")
