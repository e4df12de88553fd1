"""Questions as RACE writes them are read from either layout, and passages cut to what a model can read."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plumbline.spec.errors import InputError
from tests.workers.training.some_passages import passage, released, single
from workers.training.questions import check, check_answers, digest_of, encoded
from workers.training.race_dataset import read_race
from workers.training.truncation import cut


def lines(path: Path, *entries: Any) -> Path:
    path.write_text("".join(f"{json.dumps(one)}\n" for one in entries), encoding="utf-8")
    return path


def test_a_question_is_the_passage_with_question_and_each_option(tmp_path: Path) -> None:
    (first, second), left_out = read_race(released(tmp_path, 1))
    assert first.pairs[:2] == [(passage(0)["article"], "Who? warm"), (passage(0)["article"], "Who? women")]
    assert (first.gold, second.gold, left_out) == (0, 1, 0)
    assert second.place.endswith("0.txt, question 2")


def test_both_layouts_give_the_same_questions(tmp_path: Path) -> None:
    folder = read_race(released(tmp_path / "race", 4))[0]
    whole = read_race(lines(tmp_path / "whole.jsonl", *map(passage, (1, 3, 0, 2))))[0]
    alone = read_race(lines(tmp_path / "alone.jsonl", *map(single, (1, 3, 0, 2))))[0]
    assert digest_of(whole) == digest_of(folder)
    assert digest_of(alone) == digest_of(folder[::2])
    assert digest_of(alone) != digest_of([replace(one, layout="arc") for one in alone])


@pytest.mark.parametrize(
    "changed",
    [
        {"answers": ["E", "A"]},
        {"answers": ["A"]},
        {"answers": ["", "A"]},
        {"answers": ["AB", "A"]},
        {"options": [["one"], ["one"]]},
        {"options": ["warm", "poor"]},
        {"questions": None},
    ],
)
def test_what_is_no_passage_is_named_by_file_and_line(tmp_path: Path, changed: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"race\.jsonl, line 2 is not a passage of RACE: it needs article, questions"):
        read_race(lines(tmp_path / "race.jsonl", passage(0), passage(1) | changed))


def test_no_json_and_no_file_are_reported(tmp_path: Path) -> None:
    (released(tmp_path, 2) / "middle" / "0.txt").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match=r"0\.txt is not valid JSON"):
        read_race(tmp_path)
    with pytest.raises(InputError, match=r"cannot read .*nowhere"):
        read_race(tmp_path / "nowhere.jsonl")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="holds no question"):
        read_race(tmp_path / "empty")


def test_questions_with_an_empty_text_are_left_out_and_counted(tmp_path: Path) -> None:
    empty = passage(1) | {"options": [["a", " ", "b", "c"], ["a", "b", "c", "d"]]}
    found, left_out = read_race(lines(tmp_path / "race.jsonl", passage(0), empty))
    assert (len(found), left_out) == (3, 1)


def test_the_end_of_a_passage_is_cut_and_what_is_left_fits(tokenizer: Any, tmp_path: Path) -> None:
    short, long = (read_race(lines(tmp_path / "race.jsonl", passage(0) | {"article": text}))[0] for text in ARTICLES)
    with pytest.raises(InputError, match=r"race\.jsonl, line 1, question 1 is longer than the model's 128 tokens"):
        check(tokenizer, long)
    found, count = cut(tokenizer, [*short, *long])
    assert (found[:2], count) == (short, 2)
    longest = [max(len(choice.ids) for choice in row) for row in encoded(tokenizer, found[2:])]
    assert all(120 < length <= 128 for length in longest)
    assert all(ARTICLES[1].startswith(f"{one.context} ") for one in found[2:])


ARTICLES = ("All men are warm.", " ".join(f"women{number} should be warm," for number in range(90)))


def test_a_question_too_long_by_itself_stays_and_is_refused(tokenizer: Any, tmp_path: Path) -> None:
    long = passage(0) | {"questions": [ARTICLES[1], "Who?"]}
    found, _ = cut(tokenizer, read_race(lines(tmp_path / "race.jsonl", long))[0])
    with pytest.raises(InputError, match="question 1 is longer than"):
        check(tokenizer, found)


def test_all_questions_must_have_equally_many_answers(tmp_path: Path) -> None:
    other = single(1) | {"options": ["warm", "men", "poor"], "answer": "A"}
    questions = read_race(lines(tmp_path / "race.jsonl", passage(0), other))[0]
    with pytest.raises(InputError, match=r"line 2, question 1 has 3 answers, the first question 4: train on"):
        check_answers(questions)
