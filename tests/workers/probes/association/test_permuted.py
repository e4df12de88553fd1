"""The methods of masked models on one with permutation masks: they are asked as on any other."""

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

from tests.workers.tiny import save_tiny_xlnet
from workers.engine.loading import load, locate
from workers.probes.protocol import Model

Score = Callable[..., pl.DataFrame]
WORDS = {
    "groups": {"inline": [{"label": "women"}, {"label": "men"}]},
    "attributes": {"inline": ["warm", "poor", "powerful"]},
    "templates": {"inline": ["most {group} are {attribute} people."]},
}


@pytest.fixture(scope="module")
def xlnet(tmp_path_factory: pytest.TempPathFactory) -> Model:
    return load(locate(f"path:{save_tiny_xlnet(tmp_path_factory.mktemp('xlnet'), 0)}"), device="cpu")


@pytest.mark.parametrize(
    "spec",
    [
        {"probe": "log_probability"},
        {"probe": "ilps", "prior": {"mask": "one"}},
        {"probe": "ilps_chain", "prior": {"mask": "one"}},
        {"probe": "ilps_chain", "prior": {"mask": "one"}, "params": {"variant": "released_code"}},
        {"probe": "set", "prior": {"mask": "one"}},
    ],
)
def test_every_association_has_a_score(xlnet: Model, score: Score, spec: dict[str, Any]) -> None:
    found = score(xlnet, **WORDS, **spec)
    assert found["scorable"].all()
    assert np.ptp(found["score"].to_numpy()) > 0
