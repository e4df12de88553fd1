"""Questions as Social IQa writes them, and which are held out."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plumbline.spec.errors import InputError
from workers.training.questions import Question, capitalised, digest_of, encoded, read_questions, split

ENTRY = {
    "context": "Ann swam. ",
    "question": "How is Ann?",
    "answerA": "wet",
    "answerB": "dry",
    "answerC": "old",
    "correct": "A",
}
Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def file(*entries: Any) -> Path:
        path = tmp_path / "questions.jsonl"
        path.write_text("".join(f"{json.dumps(one)}\n" for one in entries), encoding="utf-8")
        return path

    return file


def question(context: str, answer: str = "wet") -> Question:
    return Question(1, context, "Why?", (answer, "dry", "old"), 0)


def test_a_question_is_context_and_question_with_each_choice(write: Write) -> None:
    (first, second) = read_questions(write(ENTRY, {**ENTRY, "correct": "C"}))
    assert first.pairs == [("Ann swam. How is Ann?", answer) for answer in ("wet", "dry", "old")]
    assert (first.line, first.gold, second.line, second.gold) == (1, 0, 2, 2)


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ({**ENTRY, "correct": "D"}, "line 2 is not a question: each needs context, question, answerA"),
        ({key: ENTRY[key] for key in ("context", "question")}, "line 2 is not a question"),
        ([1], "line 2 is not a question"),
        ({**ENTRY, "answerB": " "}, "line 2 has an empty text"),
    ],
)
def test_what_is_no_question_is_named_by_its_line(write: Write, entry: Any, told: str) -> None:
    with pytest.raises(InputError, match=told):
        read_questions(write(ENTRY, entry))


def test_an_empty_or_missing_file_is_refused(write: Write, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no question"):
        read_questions(write())
    with pytest.raises(InputError, match=r"cannot read .*nowhere"):
        read_questions(tmp_path / "nowhere")


def test_questions_about_one_context_fall_on_the_same_side_whatever_else_there_is() -> None:
    many = [question(f"Context {number}.", answer) for number in range(60) for answer in ("wet", "cold")]
    training, held_out = split(many, 5)
    assert {one.context for one in training}.isdisjoint(one.context for one in held_out)
    assert 2 * 4 < len(held_out) < 2 * 24
    assert split(many[::-1], 5)[1] == held_out[::-1]


def test_the_digest_follows_texts_and_right_answers() -> None:
    one = question("Ann swam.")
    other = Question(9, one.context, one.question, one.answers, 1)
    assert digest_of([one]) == digest_of([Question(7, one.context, one.question, one.answers, 0)])
    assert digest_of([one]) != digest_of([other])


def test_a_question_too_long_for_the_model_is_refused_and_not_cut(tokenizer: Any) -> None:
    rows = encoded(tokenizer, [question("All men are warm.")])
    assert [len(row) for row in rows] == [3]
    with pytest.raises(InputError, match="the question in line 1 is longer than the model's 128 tokens"):
        encoded(tokenizer, [question("all women are warm. " * 40)])


def test_names_and_other_capitalised_words_are_found_anywhere() -> None:
    asked = [question("Zoë's aunt met O'Neil and Anne-Marie."), question("b. Then Łukasz left.", "Eve, who knew iOS 7")]
    assert capitalised(asked) == ["Anne-Marie", "Eve", "O'Neil", "Then", "Why", "Zoë", "Łukasz"]
