"""The reference models and values that stand beside the project, and a probe run without a database."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from plumbline.spec.audit import parse
from tests.workers.tiny import save_tiny_bert
from workers.engine.loading import load, locate
from workers.probes.association.probe import PROBES
from workers.probes.protocol import Model

REFERENCE = Path(__file__).resolve().parents[2] / "../shared/data/reference"


@pytest.fixture(scope="session")
def reference() -> Path:
    if not REFERENCE.is_dir():
        pytest.skip("the authors' reference values are not beside the project (../shared/data/reference)")
    return REFERENCE.resolve()


@pytest.fixture(scope="session")
def tiny_folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two masked models of one layout with different weights, made here."""
    first, second = (save_tiny_bert(tmp_path_factory.mktemp("tiny"), seed) for seed in (0, 1))
    return first, second


@pytest.fixture(scope="session")
def tiny_bert(reference: Path) -> Model:
    return load(locate(f"path:{reference / 'tiny_bert'}"))


@pytest.fixture(scope="session")
def tiny_roberta(reference: Path) -> Model:
    return load(locate(f"path:{reference / 'tiny_roberta'}"))


@pytest.fixture(scope="session")
def score() -> Callable[..., pl.DataFrame]:
    """Plan and execute a spec on a loaded model, shard by shard: its records as a frame."""

    def run(model: Model, **spec: Any) -> pl.DataFrame:
        parsed = parse({"name": "test", "model": "path:./model", **spec})
        probe = PROBES[parsed.probe]
        planned = probe.plan(parsed, {}, model.checkpoint)
        memo: dict[Any, float] = {}
        records = [
            probe.execute(parsed, {}, shard.items, model, memo, lambda _: None)["association"]
            for shard in planned.shards
        ]
        return pl.concat([pl.DataFrame(one, schema_overrides=SCHEMA) for one in records])

    return run


SCHEMA = {"log_p_target": pl.Float64, "log_p_prior": pl.Float64, "score": pl.Float64, "reason": pl.String}
