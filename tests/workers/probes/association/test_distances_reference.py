"""SeT as the authors' own code gives it on a tiny masked model (tolerance of norms: 1e-4)."""

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
TOLERANCE = 1e-4


@pytest.mark.parametrize("number", TEMPLATES)
def test_the_released_variant_is_the_released_code(
    reference: Path, tiny_bert: Model, score: Callable[..., pl.DataFrame], number: str
) -> None:
    values = json.loads((reference / "abc_tiny_bert.json").read_text())
    expected = values["templates"][number]
    groups, adjectives = expected["groups"], values["adjectives"]
    records = score(
        tiny_bert,
        probe="set",
        groups={"inline": [{"label": group, number: group} for group in groups]},
        prior=PRIOR[number],
        attributes={"inline": adjectives},
        templates={"inline": [TEMPLATES[number]]},
        params={"variant": "released_code"},
    )
    cells = {(row["group"], row["attribute"]): row for row in records.iter_rows(named=True)}
    found: dict[str, Any] = {
        name: np.array([[cells[group, adjective][name] for adjective in adjectives] for group in groups])
        for name in ("distance_target", "distance_prior", "score")
    }
    theirs = expected["sensitivity"]
    hardest = np.array([[max(norms) for norms in of_group] for of_group in theirs["norm_target"]])
    np.testing.assert_allclose(found["distance_target"], hardest, atol=TOLERANCE)
    np.testing.assert_allclose(found["distance_prior"][0], [max(n) for n in theirs["norm_prior"]], atol=TOLERANCE)
    np.testing.assert_allclose(np.log(1 - found["distance_target"]), theirs["target"], atol=TOLERANCE)
    np.testing.assert_allclose(np.log(1 - found["distance_prior"][0]), theirs["prior"], atol=TOLERANCE)
    np.testing.assert_allclose(found["score"], theirs["score"], atol=TOLERANCE)
