"""A remote endpoint, played by a local server that fails as real ones do."""

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from plumbline.spec.answers.chat_question import WorkedExample
from plumbline.spec.errors import ModelError
from tests.workers.endpoint import Endpoint, serving
from workers.engine.endpoints import retries
from workers.engine.endpoints.chat_completion import Wording, body_of
from workers.engine.endpoints.remote import Manner, RemoteModel
from workers.engine.endpoints.reply_store import MemoryStore
from workers.engine.loading import load_any, locate


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setattr(retries, "LONGEST_PAUSE", 0.02)
    with serving(lambda text: f"said {text}") as server:
        yield server


def texts(model: RemoteModel, *asked: str, manner: Manner | None = None, **other: Any) -> list[str]:
    return [one.reply.text for one in model.replies(asked, manner or Manner(), **other)]


def model_of(endpoint: Endpoint) -> RemoteModel:
    model = load_any(locate(endpoint.reference))
    assert isinstance(model, RemoteModel)
    return model


def test_each_text_is_answered_in_its_place_and_a_distinct_one_asked_once(endpoint: Endpoint) -> None:
    done: list[int] = []
    assert texts(model_of(endpoint), "b", "a", "b", progress=done.append) == ["said b", "said a", "said b"]
    assert sorted(body["messages"][0]["content"] for body in endpoint.asked) == ["a", "b"]
    assert sum(done) == 3


def test_the_model_is_named_and_asked_without_chance(endpoint: Endpoint) -> None:
    texts(model_of(endpoint), "a", seed=7)
    (body,) = endpoint.asked
    assert (body["model"], body["temperature"], body["seed"], body["max_tokens"]) == ("tiny-model", 0, 7, 32)


def test_an_audit_may_word_the_request(endpoint: Endpoint) -> None:
    extra = {"chat_template_kwargs": {"enable_thinking": False}}
    texts(model_of(endpoint), "a", wording=Wording("Be brief.", 500, extra))
    (body,) = endpoint.asked
    assert [one["role"] for one in body["messages"]] == ["system", "user"]
    assert (body["max_tokens"], body["chat_template_kwargs"]) == (500, {"enable_thinking": False})


def test_variables_of_the_chat_template_are_a_field_of_their_own(endpoint: Endpoint) -> None:
    texts(model_of(endpoint), "a", wording=Wording(template={"enable_thinking": False}))
    assert endpoint.asked[0]["chat_template_kwargs"] == {"enable_thinking": False}


def test_worked_examples_come_between_the_system_s_turn_and_the_question(endpoint: Endpoint) -> None:
    examples = [WorkedExample("one?", "B"), WorkedExample("two?", "A")]
    texts(model_of(endpoint), "a", wording=Wording("Be brief.", examples=examples))
    turns = [(one["role"], one["content"]) for one in endpoint.asked[0]["messages"]]
    worked = [("user", "one?"), ("assistant", "B"), ("user", "two?"), ("assistant", "A")]
    assert turns == [("system", "Be brief."), *worked, ("user", "a")]


def test_a_request_without_choices_is_what_earlier_releases_sent() -> None:
    """Its digest finds kept replies, so a run that was interrupted before an update pays nothing twice."""
    body = {"model": "m", "messages": [{"role": "user", "content": "a"}], "temperature": 0, "max_tokens": 32, "seed": 7}
    assert json.dumps(body_of("m", "a", Wording(), 7)) == json.dumps(body)


def test_samples_of_a_text_are_requests_of_their_own_by_their_seeds(endpoint: Endpoint) -> None:
    model = model_of(endpoint)
    model.replies(["a", "a", "b"], Manner(), Wording(temperature=0.5), 7, samples=[0, 1, 1])
    asked = sorted((body["messages"][0]["content"], body["seed"], body["temperature"]) for body in endpoint.asked)
    assert asked == [("a", 7, 0.5), ("a", 8, 0.5), ("b", 8, 0.5)]


def test_the_key_comes_from_the_environment(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    texts(model_of(endpoint), "a")
    assert endpoint.keys == {"Bearer secret"}


def test_what_the_store_knows_is_not_asked_again_and_each_reply_is_stored(endpoint: Endpoint) -> None:
    model = model_of(endpoint)
    texts(model, "a")
    assert texts(model, "a", "b") == ["said a", "said b"]
    assert len(endpoint.asked) == 2
    model.store = MemoryStore()
    texts(model, "a")
    assert len(endpoint.asked) == 3


def test_no_more_requests_at_a_time_than_wanted(endpoint: Endpoint) -> None:
    texts(model_of(endpoint), *map(str, range(20)), manner=Manner(concurrency=3))
    assert 1 <= endpoint.most_at_once <= 3


def test_an_endpoint_that_refuses_more_than_two_at_once_is_soon_asked_fewer_and_answers_all(endpoint: Endpoint) -> None:
    refused: list[str] = []

    def answer(text: str) -> str:
        time.sleep(0.01)
        return f"said {text}"

    def completion(body: dict[str, Any]) -> tuple[int, Any, dict[str, str]]:
        if endpoint.at_once > 2:
            refused.append("busy")
            return 429, {"error": "busy"}, {}
        return Endpoint.completion(endpoint, body)

    endpoint.answer, endpoint.completion = answer, completion  # type: ignore[method-assign]
    asked = [str(number) for number in range(60)]
    found = texts(model_of(endpoint), *asked, manner=Manner(concurrency=16, attempts=20))
    assert found == [f"said {text}" for text in asked]
    assert 0 < len(refused) <= 40  # at 16 a time, most of 60 are refused several times


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_fault_that_passes_is_tried_again(endpoint: Endpoint, status: int) -> None:
    endpoint.replies = [(status, {"error": "busy"}, {"Retry-After": "0"})] * 2
    assert texts(model_of(endpoint), "a") == ["said a"]
    assert len(endpoint.asked) == 3


def test_a_fault_that_stays_ends_with_what_to_do_and_the_answers_are_kept(endpoint: Endpoint) -> None:
    model = model_of(endpoint)
    texts(model, "kept")
    endpoint.replies = [(503, {}, {})] * 3
    with pytest.raises(ModelError, match=r"answers 503, 3 times in a row: .* resume the run; earlier answers"):
        texts(model, "a", "kept", manner=Manner(concurrency=1, attempts=3))
    asked = len(endpoint.asked)
    assert texts(model, "kept") == ["said kept"]
    assert len(endpoint.asked) == asked


@pytest.mark.parametrize(
    ("status", "remedy"), [(401, "set OPENAI_API_KEY"), (404, "check the address and the model's name"), (400, "check")]
)
def test_a_refusal_is_not_tried_again(endpoint: Endpoint, status: int, remedy: str) -> None:
    endpoint.replies = [(status, {"error": "no"}, {})]
    with pytest.raises(ModelError, match=rf"refuses with {status}: {remedy}"):
        texts(model_of(endpoint), "a")
    assert len(endpoint.asked) == 1


def test_a_parameter_that_the_model_refuses_is_left_out_from_then_on_and_named(endpoint: Endpoint) -> None:
    endpoint.refuses = {
        "temperature": "Unsupported value: 'temperature' does not support 0 with this model.",
        "max_tokens": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
    }
    model = model_of(endpoint)
    (first,) = model.replies(["a"], Manner(), Wording(max_tokens=90))
    assert first.reply.left_out == "max_tokens, temperature"
    assert len(endpoint.asked) == 3
    assert endpoint.asked[-1]["max_completion_tokens"] == 90
    texts(model, "b")
    assert len(endpoint.asked) == 4
    assert "seed" in endpoint.asked[-1]


def test_the_whole_reply_is_kept(endpoint: Endpoint) -> None:
    message = {"content": [{"type": "text", "text": "B\x00"}], "reasoning_content": "Because.", "refusal": None}
    usage = {"prompt_tokens": 9, "completion_tokens": 5, "completion_tokens_details": {"reasoning_tokens": 3}}
    endpoint.answer = lambda _: {
        "model": "tiny-model-2",
        "system_fingerprint": "fp_1",
        "choices": [{"message": message, "finish_reason": "length"}],
        "usage": usage,
    }
    (kept,) = model_of(endpoint).replies(["a"], Manner())
    reply = kept.reply
    assert (reply.text, reply.reasoning, reply.refusal) == ("B\ufffd", "Because.", "")
    assert (reply.finish_reason, reply.served_model, reply.fingerprint) == ("length", "tiny-model-2", "fp_1")
    assert (reply.prompt_tokens, reply.completion_tokens, reply.reasoning_tokens) == (9, 5, 3)
    assert reply.seconds is not None
    assert 0 < reply.seconds < 60


@pytest.mark.parametrize("content", [[], {"choices": []}, {"choices": [{"text": "a"}]}, {"choices": [{"message": 3}]}])
def test_what_is_no_chat_completion_is_reported(endpoint: Endpoint, content: object) -> None:
    endpoint.replies = [(200, content, {})]
    with pytest.raises(ModelError, match="gives no chat completion"):
        texts(model_of(endpoint), "a")


def test_an_endpoint_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retries, "LONGEST_PAUSE", 0.01)
    model = load_any(locate("openai:http://127.0.0.1:9/v1#m"))
    assert isinstance(model, RemoteModel)
    with pytest.raises(ModelError, match=r"openai:http://127\.0\.0\.1:9/v1#m: cannot be reached .*2 times"):
        texts(model, "a", manner=Manner(attempts=2))
