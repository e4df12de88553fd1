"""How a question is put to each kind of model."""

from typing import Any

import pytest

from plumbline.methods.bbq import prompts
from plumbline.methods.bbq.params import BbqParams
from plumbline.spec.answers.chat_question import INSTRUCTION
from plumbline.spec.banks.bbq_question import Question
from tests.plumbline.spec.some_questions import CONTEXT, OPTIONS, question, set_of_four

ITEM = Question.model_validate(question())


def params(**chosen: Any) -> BbqParams:
    return BbqParams.model_validate(chosen)


def test_race_holds_question_and_option_together_and_arc_context_and_question() -> None:
    assert prompts.multiple_choice(ITEM, params(), "X") == (CONTEXT, "Who loses things? X")
    assert prompts.multiple_choice(ITEM, params(layout="arc"), "X") == (f"{CONTEXT} Who loses things?", "X")


@pytest.mark.parametrize(
    ("chosen", "text"),
    [
        (
            {},
            r"who loses things? \n (a) the blue person (b) the green person (c) not known"
            r" \n a blue person and a green person waited for the bus.",
        ),
        (
            {"layout": "arc"},
            r"a blue person and a green person waited for the bus. who loses things?"
            r" \n (a) the blue person (b) the green person (c) not known",
        ),
        ({"question_only": True}, r"who loses things? \n (a) the blue person (b) the green person (c) not known"),
    ],
)
def test_text_to_text_models_read_unified_qa_s_formats(chosen: dict[str, Any], text: str) -> None:
    assert prompts.text_to_text(ITEM, params(**chosen), OPTIONS) == text


def test_a_causal_model_reads_context_question_and_the_options_where_they_are_listed() -> None:
    plain = prompts.causal(ITEM, params(), OPTIONS, lettered=False)
    assert plain == f"{CONTEXT}\nQuestion: Who loses things?\nAnswer:"
    listed = prompts.causal(ITEM, params(listed=True), OPTIONS, lettered=False)
    assert "Options: The Blue person; The Green person; Not known\nAnswer:" in listed
    lettered = prompts.causal(ITEM, params(), OPTIONS, lettered=True)
    assert lettered.endswith("A. The Blue person\nB. The Green person\nC. Not known\nAnswer:")


def test_a_chat_s_turn_leaves_the_answer_to_the_model_s_own_turn() -> None:
    assert prompts.causal(ITEM, params(prompt="chat"), OPTIONS, lettered=False).endswith("Who loses things?")
    assert prompts.remote(ITEM, params(), OPTIONS).endswith(f"C. Not known\n{INSTRUCTION}")


@pytest.mark.parametrize(("chosen", "count"), [("given", 1), ("cyclic", 3), ("all", 6)])
def test_listed_options_come_in_the_orders_that_are_wanted(chosen: str, count: int) -> None:
    found = prompts.orders(params(orders=chosen), lists_options=True)
    assert len(set(found)) == count
    at_each_place = [sum(order[place] == 0 for order in found) for place in range(3)]
    assert chosen == "given" or len(set(at_each_place)) == 1
    assert prompts.orders(params(orders=chosen), lists_options=False) == [(0, 1, 2)]


def test_without_contexts_each_question_is_asked_once() -> None:
    items = [Question.model_validate(one) for one in set_of_four()]
    assert [one.polarity for one in prompts.questions_to_ask(items, params(question_only=True))] == ["neg", "nonneg"]
    assert list(prompts.questions_to_ask(items, params())) == items
