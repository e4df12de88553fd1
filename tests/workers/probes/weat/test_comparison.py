"""The change of an effect size between two runs, against the effect sizes of both."""

from typing import Any

import numpy as np
import polars as pl
import pytest

from plumbline.methods.weat.spec import WeatSpec
from plumbline.spec.audit import parse
from workers.probes.protocol import Audited
from workers.probes.weat.comparison import measure_changes
from workers.probes.weat.summary import summarise

RANDOM = np.random.default_rng(4)
X, Y = [f"x{at}" for at in range(8)], [f"y{at}" for at in range(6)]
TEMPLATES = ["{target} are {attribute}.", "most {attribute} should be {target}"]


def audited(missing: str = "", y: list[str] = Y) -> Audited[WeatSpec]:
    spec = parse(
        {
            "name": "t",
            "probe": "weat",
            "model": "path:./m",
            "targets": {"x": {"inline": X}, "y": {"inline": y}},
            "attributes": {"a": {"inline": ["a1", "a2"]}, "b": {"inline": ["b1", "b2"]}},
            "templates": {"inline": TEMPLATES},
        }
    )
    assert isinstance(spec, WeatSpec)
    rows = [
        (template, target, attribute, float(RANDOM.normal(0.3 * (target in X) * attribute.startswith("a"), 0.3)))
        for template in TEMPLATES
        for target in [*X, *y]
        for attribute in ("a1", "a2", "b1", "b2")
    ]
    frame = pl.DataFrame(rows, schema=["template", "group", "attribute", "score"], orient="row")
    frame = frame.with_columns(scorable=pl.col("group") != missing)
    return Audited(spec, {}, lambda *_, **__: frame)


def effects(run: Audited[WeatSpec]) -> dict[str, Any]:
    found = summarise(run.spec, run.spec.words({}), tuple(TEMPLATES), run.read("association"))
    return {one.template: one for one in found if one.statistic == "effect_size" and not one.variant}


def test_the_effect_size_changes_by_what_the_runs_differ_in() -> None:
    first, second = audited(), audited()
    changes = measure_changes(first, second)
    assert [one.template for one in changes] == ["", *TEMPLATES]
    for one in changes:
        before, after = effects(first)[one.template], effects(second)[one.template]
        assert one.value == pytest.approx(after.value - before.value)
        assert (one.condition, one.group_a, one.group_b, one.category) == (
            "effect_size", after.group_a, after.group_b, after.category,
        )  # fmt: skip
        assert (one.unit, one.n_units, one.smallest_effect) == ("stimulus word", 14, 0.2)


@pytest.mark.parametrize("other", [{"missing": "x1"}, {"y": Y[:5]}])
def test_effect_sizes_of_other_words_are_not_compared(other: Any) -> None:
    assert measure_changes(audited(), audited(**other)) == []
