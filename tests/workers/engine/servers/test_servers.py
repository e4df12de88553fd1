"""Log probabilities of a server, played by one with the real bundled model in it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from plumbline.spec.errors import ModelError
from tests.workers.log_probability_server import Server, serving
from workers.engine.causal import CausalModel, CausalQuery
from workers.engine.loading import load, load_any, locate
from workers.engine.servers import link, packing
from workers.engine.servers.canary import canary
from workers.engine.servers.link import Manner
from workers.engine.servers.model import ServerModel

WORDS = (" poor", " powerless", " kind", " self-reliant", " unintelligent", " cold-hearted")
TEXTS = ("All women are", "All men are", "Most people are", "The doctor is")


@pytest.fixture(scope="module")
def ours() -> CausalModel:
    return cast("CausalModel", load(locate("bundled:smollm2-135m")))


@pytest.fixture
def server(ours: CausalModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("PLUMBLINE_VAR", str(tmp_path))
    monkeypatch.setattr(link, "FIRST_PAUSE", 0.01)
    with serving(ours) as running:
        yield running


@pytest.fixture
def queries(ours: CausalModel) -> list[CausalQuery]:
    def ids(text: str) -> tuple[int, ...]:
        return tuple(ours.tokenizer(text)["input_ids"])

    return [CausalQuery(ids(text), ids(word)) for text in TEXTS for word in WORDS]


def model_of(
    server: Server, protocol: str = "vllm", once: str = "", control: tuple[float, ...] = (), seconds: float = 60.0
) -> ServerModel:
    checkpoint = locate(server.reference(protocol))
    assert checkpoint.server is not None
    agreed = replace(checkpoint, server=replace(checkpoint.server, once=once, control=control))
    return ServerModel(agreed, Manner(most=4, attempts=8, seconds=seconds))


@pytest.mark.parametrize("protocol", ["vllm", "sglang"])
def test_a_server_answers_as_the_model_does(
    ours: CausalModel, server: Server, queries: list[CausalQuery], protocol: str
) -> None:
    done: list[int] = []
    found = model_of(server, protocol).log_probabilities(queries, done.append)
    np.testing.assert_allclose(found, ours.log_probabilities(queries), atol=1e-4)
    assert sum(done) == len(queries)


def test_many_words_after_many_texts_take_few_requests(server: Server, queries: list[CausalQuery]) -> None:
    model_of(server).log_probabilities(queries)
    assert server.questions * 10 <= len(queries)


def test_with_a_fifth_of_requests_failing_the_answers_are_the_same(
    server: Server, queries: list[CausalQuery], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packing, "MOST_TEXTS", 1)
    expected = model_of(server).log_probabilities(queries)
    without, server.questions, server.fault_every = server.questions, 0, 5
    np.testing.assert_array_equal(model_of(server, seconds=3.0).log_probabilities(queries), expected)
    assert without < server.questions <= 1.4 * without


def test_a_run_that_goes_on_asks_nothing_twice_and_another_run_asks_all(
    server: Server, queries: list[CausalQuery]
) -> None:
    for once in ("a", "a"):
        model_of(server, once=once).log_probabilities(queries)
    asked = server.questions
    model_of(server, once="b").log_probabilities(queries)
    assert server.questions == 2 * asked


def test_another_model_under_the_same_name_is_noticed(server: Server, queries: list[CausalQuery]) -> None:
    control = model_of(server).control()
    model_of(server, once="a", control=control).log_probabilities(queries)
    server.shift = -0.01
    with pytest.raises(ModelError, match="the server has another model now: launch a new run"):
        model_of(server, once="a", control=control).log_probabilities(queries)


def test_the_canary_of_a_right_server_finds_it_like_our_own_engine(ours: CausalModel, server: Server) -> None:
    found = canary(model_of(server), locate, lambda _: ours)
    assert found["tokenizer"] == "the same tokens"
    assert max(found["again"], found["batch"], found["next_token"], found["own_engine"]) < 1e-4


def test_the_canary_refuses_other_weights_than_those_at_hand(ours: CausalModel, server: Server) -> None:
    server.shift = -0.01
    with pytest.raises(
        ModelError, match=r"is not audited, because the server and path:\S+ in our own engine differ by"
    ):
        canary(model_of(server), locate, lambda _: ours)


def test_the_canary_refuses_a_server_without_log_probabilities(ours: CausalModel, server: Server) -> None:
    server.without = frozenset({"prompt_logprobs"})
    with pytest.raises(ModelError, match="gives no log probability for each token"):
        canary(model_of(server), locate, lambda _: ours)


def test_a_name_that_the_server_does_not_list_is_refused(server: Server) -> None:
    with pytest.raises(ModelError, match="the server does not list the model 'other'"):
        locate(server.reference().replace("#smol", "#other"))


def test_distances_and_ends_of_words_are_refused_with_the_reason(server: Server, queries: list[CausalQuery]) -> None:
    model = load_any(locate(server.reference()))
    assert isinstance(model, ServerModel)
    with pytest.raises(ModelError, match="distances need its weights"):
        model.distances(queries)
    with pytest.raises(ModelError, match=r"leave params\.ends out"):
        model.log_probabilities([replace(queries[0], ends=True)])
