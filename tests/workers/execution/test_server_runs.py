"""Runs on a model behind a server, on a real database."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import polars as pl
import pytest

from plumbline.audits import life
from plumbline.audits.launching import launch
from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.results import reading
from plumbline.spec.audit import parse
from tests.workers.execution.conftest import execute
from tests.workers.execution.spec import ilps
from tests.workers.log_probability_server import Server, serving
from workers.engine.causal import CausalModel
from workers.engine.loading import load, locate

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def ours() -> CausalModel:
    return cast("CausalModel", load(locate("bundled:smollm2-135m")))


@pytest.fixture
def server(ours: CausalModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("PLUMBLINE_VAR", str(tmp_path))
    with serving(ours) as running:
        yield running


def ran(model: str, **changes: Any) -> Run:
    run = launch(parse({**ilps(Path()), "model": model, **changes}), owner="test")
    execute(run, owner="test")
    run.refresh_from_db()
    return run


def scores(run: Run) -> pl.DataFrame:
    return reading.read(run.pk, "association").select("template", "group", "attribute", "score")


def test_a_run_on_a_server_ends_as_one_on_the_weights_and_no_other_run_takes_its_answers(server: Server) -> None:
    first = ran(server.reference())
    assert first.state == RunState.DONE, first.error
    assert first.provenance["canary"]["tokenizer"] == "the same tokens"
    assert first.provenance["server"]["not_told"] == ["dtype", "quantisation", "digest of the weights"]
    asked = server.questions
    second = ran(server.reference())
    assert server.questions == 2 * asked
    here = ran(f"path:{server.model.checkpoint.folder}")
    for run in (first, second):
        apart = scores(run)["score"] - scores(here)["score"]
        assert scores(run).drop("score").equals(scores(here).drop("score"))
        assert cast("float", apart.abs().max()) < 1e-4


def test_a_server_that_does_not_agree_with_the_weights_at_hand_ends_the_run_in_one_line(server: Server) -> None:
    server.shift = -0.01
    run = ran(server.reference())
    assert run.state == RunState.FAILED
    assert "is not audited, because the server and path:" in run.error
    assert reading.read(run.pk, "association").is_empty()


def test_a_run_that_goes_on_does_not_take_another_model_under_the_same_name(server: Server) -> None:
    run = launch(parse({**ilps(Path()), "model": server.reference()}), owner="test")
    server.fails_after = 6  # the five of the canary, and the control sentence
    execute(run, owner="test")
    run.refresh_from_db()
    assert run.state == RunState.FAILED, run.error
    server.fails_after, server.shift = 0, -0.01
    life.take_up(run.pk, owner="test")
    execute(run, owner="test")
    run.refresh_from_db()
    assert "the server has another model now: launch a new run" in run.error
