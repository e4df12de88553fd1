"""A causal model in a chat: what it replies, and what is written only once."""

from dataclasses import replace

import pytest

from plumbline.spec.answers.chat_question import WorkedExample
from tests.workers.engine.conftest import CausalLoader
from workers.engine.endpoints.chat_completion import Wording
from workers.engine.endpoints.reply_store import MemoryStore
from workers.engine.local_chat import LocalChat

TEMPLATE = "{% for m in messages %}{{ m.content }} {% endfor %}{% if hurry %}now{% endif %}"
TEXTS = ["the nurse", "the doctor", "the nurse"]


@pytest.fixture
def chat(causal: CausalLoader, monkeypatch: pytest.MonkeyPatch) -> LocalChat:
    model = causal("llama")
    monkeypatch.setattr(model.tokenizer, "chat_template", TEMPLATE)
    return LocalChat(model)


def test_a_text_is_answered_once_and_its_reply_counts_tokens(chat: LocalChat) -> None:
    done: list[int] = []
    found = chat.replies(TEXTS, Wording(max_tokens=5), progress=done.append)
    assert found[0] is found[2]
    assert sorted(done) == [1, 2]
    store = chat.store
    assert isinstance(store, MemoryStore)
    assert len(store.replies) == 2
    read = len(chat.causal.tokenizer("the nurse ")["input_ids"])
    assert (found[0].reply.prompt_tokens, found[0].reply.completion_tokens) == (read, 5)
    assert found[0].reply.finish_reason == "length"


def test_replies_that_the_store_knows_are_not_written_again(chat: LocalChat, monkeypatch: pytest.MonkeyPatch) -> None:
    first = chat.replies(TEXTS)
    monkeypatch.setattr(chat.causal.model, "generate", None)
    done: list[int] = []
    assert chat.replies(TEXTS, progress=done.append) == first
    assert done == [3]


@pytest.mark.parametrize(
    "wording",
    [
        Wording(system="Be short."),
        Wording(max_tokens=31),
        Wording(examples=[WorkedExample("Who?", "Me.")]),
        Wording(template={"hurry": True}),
        Wording(temperature=0.5),
    ],
)
def test_another_wording_is_another_request(wording: Wording, chat: LocalChat) -> None:
    chat.replies(TEXTS[:1])
    chat.replies(TEXTS[:1], wording)
    assert isinstance(chat.store, MemoryStore)
    assert len(chat.store.replies) == 2


def test_samples_differ_by_chance_and_come_back_the_same(chat: LocalChat) -> None:
    wording = Wording(temperature=2.0)
    first = chat.replies(["the nurse"] * 4, wording, samples=range(4))
    assert len({one.reply.text for one in first}) > 1
    again = LocalChat(chat.causal).replies(["the nurse"] * 4, wording, samples=range(4))
    assert again == first
    shifted = LocalChat(chat.causal).replies(["the nurse"], wording, seed=3)
    assert shifted == first[3:]


def test_the_end_of_the_turn_is_no_part_of_the_answer(chat: LocalChat) -> None:
    free = chat.replies(["the nurse"], Wording(max_tokens=6))[0].reply
    assert free.finish_reason == "length"
    stopping = LocalChat(chat.causal)
    stopping.ends = list(range(chat.causal.vocabulary_size))
    stopped = stopping.replies(["the nurse"], Wording(max_tokens=6))[0].reply
    assert stopped == replace(free, text="", finish_reason="stop", completion_tokens=0)
