"""Our numbers against those of the authors' own code on a tiny masked model (tolerance of log probabilities: 1e-3)."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from workers.probes.protocol import Model

TEMPLATES = {"singular": "That {group.singular} is {attribute}.", "plural": "All {group.plural} are {attribute}."}
PRIOR = {"singular": {"singular": "person"}, "plural": {"plural": "people"}}
OURS_OF_THEIRS: dict[str, dict[str, Any]] = {
    "bwoe": {"probe": "ilps"},
    "mwoe": {"probe": "ilps_chain", "params": {"variant": "released_code"}},
}


@pytest.mark.parametrize("theirs", OURS_OF_THEIRS)
@pytest.mark.parametrize("number", TEMPLATES)
def test_association_scores_are_those_of_the_released_code(
    reference: Path, tiny_bert: Model, score: Callable[..., pl.DataFrame], theirs: str, number: str
) -> None:
    values = json.loads((reference / "abc_tiny_bert.json").read_text())
    expected = values["templates"][number]
    records = score(
        tiny_bert,
        groups={"inline": [{"label": group, number: group} for group in expected["groups"]]},
        prior=PRIOR[number],
        attributes={"inline": values["adjectives"]},
        templates={"inline": [TEMPLATES[number]]},
        **OURS_OF_THEIRS[theirs],
    )
    found = _matrix(records, expected["groups"], values["adjectives"])
    np.testing.assert_allclose(found["log_p_target"], expected[theirs]["target"], atol=1e-3)
    np.testing.assert_allclose(found["log_p_prior"][0], expected[theirs]["prior"], atol=1e-3)
    np.testing.assert_allclose(found["score"], expected[theirs]["score"], atol=1e-3)


def test_log_probability_bias_scores_are_the_papers(
    reference: Path, tiny_bert: Model, score: Callable[..., pl.DataFrame]
) -> None:
    items = json.loads((reference / "log_probability_tiny_bert.json").read_text())["items"]
    attributes = [item["attribute"] for item in items]
    records = score(
        tiny_bert,
        probe="log_probability",
        groups={"inline": ["he", "she"]},
        attributes={"inline": attributes},
        templates={"inline": ["{group} is {attribute}."]},
    )
    found = _matrix(records, ["he", "she"], attributes)
    for row, target in enumerate(("he", "she")):
        expected = [item["paper"]["increased_log_probability"][target] for item in items]
        np.testing.assert_allclose(found["score"][row], expected, atol=1e-3)
        log_p = [np.log(item["p_tgt"][target]) for item in items]
        np.testing.assert_allclose(found["log_p_target"][row], log_p, atol=1e-3)
    bias = [item["paper"]["log_probability_bias_score"] for item in items]
    np.testing.assert_allclose(found["score"][0] - found["score"][1], bias, atol=1e-3)


def _matrix(records: pl.DataFrame, groups: list[str], attributes: list[str]) -> dict[str, Any]:
    """Each number as an array [groups, attributes]."""
    cells = {(row["group"], row["attribute"]): row for row in records.iter_rows(named=True)}
    return {
        name: np.array([[cells[group, attribute][name] for attribute in attributes] for group in groups])
        for name in ("log_p_target", "log_p_prior", "score")
    }
