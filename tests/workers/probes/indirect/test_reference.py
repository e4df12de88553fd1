"""Algorithm 3.1 of the thesis: our scores against its formula worked out on a tiny model."""

import json
from pathlib import Path
from typing import Any

import pytest

from plumbline.methods.indirect.card import SCORE
from plumbline.methods.indirect.spec import IndirectSpec
from plumbline.spec.audit import parse
from tests.workers.probes.indirect.answered import Tables, asked, probe, read_of
from workers.engine.masked import MaskedModel
from workers.probes.indirect.bridge import Bridge, bridge_of


@pytest.fixture(scope="module")
def expected(reference: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((reference / "indirect_tiny_bert.json").read_text())
    return found


@pytest.fixture(scope="module")
def spec(expected: dict[str, Any]) -> IndirectSpec:
    first, second = expected["templates_target_bridge"], expected["templates_bridge_feature"]
    found = parse(
        {
            "name": "reference",
            "probe": "indirect",
            "model": "path:./tiny_bert",
            "targets": {"inline": expected["targets"]},
            "features": {"inline": expected["features"]},
            "bridge": {"inline": [{"name": name} for name in expected["bridge"]]},
            "templates": {
                "target_bridge": [t.replace("[FEATURE]", "{name}").replace("[TARGET]", "{target}") for t in first],
                "bridge_feature": [t.replace("[TARGET]", "{name}").replace("[FEATURE]", "{feature}") for t in second],
            },
        }
    )
    assert isinstance(found, IndirectSpec)
    return found


@pytest.fixture(scope="module")
def tables(spec: IndirectSpec, tiny_bert: MaskedModel) -> Tables:
    return asked(spec, tiny_bert)


@pytest.fixture(scope="module")
def bridge(spec: IndirectSpec, tables: Tables) -> Bridge:
    return bridge_of(spec.materials({}), read_of(tables), spec.params.average)


@pytest.mark.parametrize("values", ["BS1", "BS2"])
def test_the_scores_of_both_sides_are_those_of_the_formula(
    bridge: Bridge, expected: dict[str, Any], values: str
) -> None:
    found, words = (bridge.targets, "targets") if values == "BS1" else (bridge.features, "features")
    for word, scores in expected[values].items():
        assert found[:, expected[words].index(word)] == pytest.approx(scores, abs=1e-3)


def test_the_indirect_scores_are_those_of_the_formula(
    tables: Tables, expected: dict[str, Any], spec: IndirectSpec
) -> None:
    measures = probe().summarise(spec, {}, read_of(tables))
    primary = {(one.group_a, one.attribute): one for one in measures if one.statistic == SCORE}
    assert len(primary) == len(expected["targets"]) * len(expected["features"])
    for target, scores in expected["indirect_score"].items():
        for feature, score in scores.items():
            one = primary[target, feature]
            assert one.value == pytest.approx(score, abs=1e-3)
            assert one.n == len(expected["bridge"])
            assert one.ci_low is not None
            assert one.ci_high is not None
            assert one.ci_low <= score <= one.ci_high
