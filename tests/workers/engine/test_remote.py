"""A remote endpoint, played by a local server that fails as real ones do."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from plumbline.spec.errors import ModelError
from tests.workers.endpoint import Endpoint, serving
from workers.engine import remote as under_test
from workers.engine.loading import load_any, locate
from workers.engine.remote import Manner, RemoteModel


@pytest.fixture
def endpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.setenv("PLUMBLINE_VAR", str(tmp_path))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setattr(under_test, "LONGEST_PAUSE", 0.02)
    with serving(lambda text: f"said {text}") as server:
        yield server


def model_of(endpoint: Endpoint) -> RemoteModel:
    model = load_any(locate(endpoint.reference))
    assert isinstance(model, RemoteModel)
    return model


def test_each_text_is_answered_in_its_place_and_a_distinct_one_asked_once(endpoint: Endpoint) -> None:
    done: list[int] = []
    found = model_of(endpoint).outputs(["b", "a", "b"], Manner(), "run", progress=done.append)
    assert found == ["said b", "said a", "said b"]
    assert sorted(body["messages"][0]["content"] for body in endpoint.asked) == ["a", "b"]
    assert sum(done) == 3


def test_the_model_is_named_and_asked_without_chance(endpoint: Endpoint) -> None:
    model_of(endpoint).outputs(["a"], Manner(), "run", seed=7)
    (body,) = endpoint.asked
    assert (body["model"], body["temperature"], body["seed"]) == ("tiny-model", 0, 7)


def test_the_key_comes_from_the_environment(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    model_of(endpoint).outputs(["a"], Manner(), "run")
    assert endpoint.keys == {"Bearer secret"}


def test_what_one_run_was_answered_is_not_asked_again_in_it_but_in_another(endpoint: Endpoint) -> None:
    model = model_of(endpoint)
    for once in ("run 1", "run 1", "run 2"):
        model.outputs(["a"], Manner(), once)
    assert len(endpoint.asked) == 2


def test_no_more_requests_at_a_time_than_wanted(endpoint: Endpoint) -> None:
    model_of(endpoint).outputs([str(number) for number in range(20)], Manner(concurrency=3), "run")
    assert 1 <= endpoint.most_at_once <= 3


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_fault_that_passes_is_tried_again(endpoint: Endpoint, status: int) -> None:
    endpoint.replies = [(status, {"error": "busy"}, {"Retry-After": "0"})] * 2
    assert model_of(endpoint).outputs(["a"], Manner(), "run") == ["said a"]
    assert len(endpoint.asked) == 3


def test_a_fault_that_stays_ends_with_what_to_do_and_the_answers_are_kept(endpoint: Endpoint) -> None:
    model = model_of(endpoint)
    model.outputs(["kept"], Manner(), "run")
    endpoint.replies = [(503, {}, {})] * 3
    with pytest.raises(ModelError, match=r"answers 503, 3 times in a row: .* resume the run; earlier answers"):
        model.outputs(["a", "kept"], Manner(concurrency=1, attempts=3), "run")
    asked = len(endpoint.asked)
    assert model.outputs(["kept"], Manner(), "run") == ["said kept"]
    assert len(endpoint.asked) == asked


@pytest.mark.parametrize(
    ("status", "remedy"), [(401, "set OPENAI_API_KEY"), (404, "check the address and the model's name"), (400, "check")]
)
def test_a_refusal_is_not_tried_again(endpoint: Endpoint, status: int, remedy: str) -> None:
    endpoint.replies = [(status, {"error": "no"}, {})]
    with pytest.raises(ModelError, match=rf"refuses with {status}: {remedy}"):
        model_of(endpoint).outputs(["a"], Manner(), "run")
    assert len(endpoint.asked) == 1


@pytest.mark.parametrize("content", [[], {"choices": []}, {"choices": [{"text": "a"}]}])
def test_what_is_no_chat_completion_is_reported(endpoint: Endpoint, content: object) -> None:
    endpoint.replies = [(200, content, {})]
    with pytest.raises(ModelError, match="gives no chat completion"):
        model_of(endpoint).outputs(["a"], Manner(), "run")


def test_an_endpoint_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUMBLINE_VAR", str(tmp_path))
    monkeypatch.setattr(under_test, "LONGEST_PAUSE", 0.01)
    model = load_any(locate("openai:http://127.0.0.1:9/v1#m"))
    assert isinstance(model, RemoteModel)
    with pytest.raises(ModelError, match=r"openai:http://127\.0\.0\.1:9/v1#m: cannot be reached .*2 times"):
        model.outputs(["a"], Manner(attempts=2), "run")
