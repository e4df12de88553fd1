"""What a pack leaves out, and that summaries see no difference."""

from typing import Any

from plumbline.evidence.left_out import reduced, replaced
from plumbline.methods.pairs.content import item_of
from plumbline.spec.banks.bbq_question import Question
from plumbline.spec.banks.choice_questions import ChoiceQuestion
from plumbline.spec.banks.contexts import Context
from plumbline.spec.banks.passages import Passage
from tests.plumbline.spec.some_questions import set_of_four
from tests.workers.probes.gap.made_up import passage


def without_text(*entries: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = reduced({"kind": "banks", "entries": entries}, texts=False, people=True)["entries"]
    return found


def test_a_text_keeps_its_length_capitals_marks_and_slots() -> None:
    text = "When {name} met Ada, 12 people said: “Hello!”"
    found = replaced(text)
    assert found != text
    assert "Ada" not in found
    assert "{name}" in found
    assert [one.isupper() for one in found] == [one.isupper() for one in text]
    assert [one.isalpha() for one in found] == [one.isalpha() for one in text]
    assert (replaced(text), replaced("The grandfather") == replaced("The grandmother")) == (found, False)


def test_a_question_of_bbq_loses_context_and_question_alone() -> None:
    (entry,) = set_of_four()[:1]
    found = Question.model_validate(without_text(entry)[0])
    same = Question.model_validate(entry)
    assert found.model_dump(exclude={"context", "question"}) == same.model_dump(exclude={"context", "question"})
    assert "Blue" not in found.context + found.question


def test_a_passage_of_gap_stays_valid_without_its_names() -> None:
    found = Passage.model_validate(without_text(passage(1, url="http://example.org"))[0])
    assert (found.pronoun, found.gender, found.url) == ("he", "masculine", "")
    assert "Ann" not in found.text + found.a


def test_pairs_contexts_and_multiple_choice_stay_valid() -> None:
    pair = item_of(without_text({"id": "1", "more": "Women cry.", "less": "Women shout."})[0])
    assert "cry" not in pair.model_dump_json()
    context = {
        "id": "1",
        "context": "{name} ran.",
        "question": "Why did {name}?",
        "prompt": "{name} is",
        "answer": "late",
    }
    assert "late" not in Context.model_validate(without_text(context)[0]).model_dump_json()
    question = {"id": "1", "context": "It rained.", "question": "Why?", "answer": "clouds", "others": ["sun", "wind"]}
    found = ChoiceQuestion.model_validate(without_text(question)[0])
    assert [len(one) for one in found.options] == [3, 4, 6]


def test_raters_keep_their_order_and_lose_their_names_and_demographics() -> None:
    ratings = [{"annotator": name, "group": "women", "rating": 1.0, "age": "30"} for name in ("zoe", "ada", "zoe")]
    content = {"kind": "ratings", "entries": ratings}
    found = reduced(content, texts=True, people=False)["entries"]
    assert [one["annotator"] for one in found] == ["rater 000002", "rater 000001", "rater 000002"]
    assert not any("age" in one for one in found)


def test_what_is_asked_for_or_is_no_text_of_others_stays() -> None:
    bank, groups = {"kind": "banks", "entries": [{"text": "A"}]}, {"kind": "groups", "entries": [{"label": "women"}]}
    assert reduced(bank, texts=True, people=False) is bank
    assert reduced(groups, texts=False, people=False) is groups
