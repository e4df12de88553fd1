"""The records of SODAPOP: questions put together from scored options, tallies summed in the database."""

from collections.abc import Sequence
from typing import Any

import pytest
from django.db import IntegrityError, connection

from plumbline.results import reading
from plumbline.results.copying import copy_in
from plumbline.results.ids import record_ids
from plumbline.results.summing import sums
from plumbline.results.tables import answer, tally
from plumbline.results.terms import ids_of
from plumbline.spec.errors import InputError

pytestmark = pytest.mark.django_db


def load_answers(run: int, options: Sequence[tuple[int, str, float | None]], shard: int = 0) -> None:
    known = ids_of(["sodapop", "a party", "Ada", "women", "too long"])
    rows = len(options)
    copy_in(
        answer,
        _whose(run, shard, rows, known)
        | {
            "text": [text for _, text, _ in options],
            "place": [place for place, _, _ in options],
            "name_tokens": [1] * rows,
            "logit": [logit for _, _, logit in options],
            "reason": [known["too long"] if logit is None else None for _, _, logit in options],
        },
    )


def load_chosen(run: int, options: Sequence[tuple[int, int | None]]) -> None:
    known = ids_of(["sodapop", "a party", "Ada", "women", "a refusal"])
    places, chosen = ([one[index] for one in options] for index in (0, 1))
    own = {"text": [f"option {place}" for place in places], "place": places, "chosen": chosen}
    reasons = {"reason": [known["a refusal"] if one is None else None for one in chosen]}
    copy_in(answer, _whose(run, 0, len(options), known) | own | reasons)


def load_tallies(
    run: int, rows: Sequence[tuple[str, int, int, float]], shard: int = 0, context: str = "a party"
) -> None:
    known = ids_of(["sodapop", context, "Ada", "women", *(word for word, *_ in rows)])
    counts = {
        "word": [known[word] for word, *_ in rows],
        "shown": [shown for _, shown, _, _ in rows],
        "chosen": [chosen for _, _, chosen, _ in rows],
        "expected": [expected for *_, expected in rows],
    }
    copy_in(tally, _whose(run, shard, len(rows), known, context) | counts)


def _whose(run: int, shard: int, rows: int, known: dict[str, int], context: str = "a party") -> dict[str, Any]:
    labels = {"probe": "sodapop", "context": context, "name": "Ada", "group": "women"}
    ids = {"id": record_ids(run, shard, rows), "run": [run] * rows}
    return ids | {column: [known[label]] * rows for column, label in labels.items()}


def test_two_neighbouring_distractors_are_in_one_question_with_the_right_answer() -> None:
    load_answers(
        7, [(-1, "kind", 1.0), (0, "dead", 2.0), (1, "rude", 0.5), (2, "odd", 0.1), (3, "shy", 0.2), (4, "x", 9.0)]
    )
    found = reading.read(7, "question").sort("question").rows(named=True)
    assert [(one["distractor_a"], one["distractor_b"], one["chosen"]) for one in found] == [
        ("dead", "rude", "distractor_a"),
        ("odd", "shy", "answer"),
    ]


def test_of_equal_scores_the_right_answer_is_chosen_then_the_first_distractor() -> None:
    load_answers(7, [(-1, "kind", 1.0), (0, "dead", 1.0), (1, "rude", 0.5), (2, "odd", 2.0), (3, "shy", 2.0)])
    found = reading.read(7, "question").sort("question")
    assert found["chosen"].to_list() == ["answer", "distractor_a"]


def test_nothing_is_chosen_where_an_option_has_no_score() -> None:
    load_answers(7, [(-1, "kind", 1.0), (0, "dead", None), (1, "rude", 0.5)])
    assert reading.read(7, "question")["chosen"].to_list() == [None]


def test_of_answers_in_text_the_named_option_is_chosen() -> None:
    options = [(-1, 1), (0, 0), (1, 1), (2, 1), (3, 0), (4, 0), (5, 0), (6, None), (7, None)]
    load_chosen(7, options)
    found = reading.read(7, "question").sort("question")
    assert found["chosen"].to_list() == ["distractor_b", "distractor_a", "answer", None]
    assert found["logit_a"].null_count() == found.height
    assert reading.read(7, "answer").sort("place")["chosen"].to_list() == [chosen for _, chosen in options]


def test_an_option_has_a_score_or_a_reason() -> None:
    with pytest.raises(IntegrityError):
        load_answers(7, [(-1, "kind", float("nan"))])


def test_a_shard_is_read_by_the_index_of_its_ids() -> None:
    load_answers(7, [(-1, "kind", 1.0)], shard=2)
    load_answers(7, [(0, "dead", 1.0)], shard=3)
    assert reading.read(7, "answer", shard=[3])["text"].to_list() == ["dead"]
    assert reading.read(7, "answer", shard=[])["text"].to_list() == []
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan TO off")
        cursor.execute("EXPLAIN SELECT * FROM results.v_answer WHERE run = 7 AND id BETWEEN 1 AND 2")
        assert "id >= 1" in (told := str(cursor.fetchall())), told


def test_tallies_are_summed_over_what_is_not_named() -> None:
    load_tallies(7, [("dead", 10, 3, 2.5), ("kind", 4, 0, 0.25)])
    load_tallies(7, [("dead", 5, 5, 1.5)], shard=1, context="a wedding")
    load_tallies(8, [("dead", 99, 99, 99.0)])
    found = sums(7, "tally", ["name", "word"])
    assert found.rows() == [("Ada", "dead", 15, 8, 4.0, 2), ("Ada", "kind", 4, 0, 0.25, 1)]
    assert found.columns == ["name", "word", "shown", "chosen", "expected", "n"]
    assert sums(7, "tally", ["word"], context="a wedding")["shown"].to_list() == [5]


def test_a_run_without_records_has_no_sums() -> None:
    assert sums(7, "tally", ["word"]).is_empty()


def test_only_labels_can_be_summed_by() -> None:
    with pytest.raises(InputError, match="no label 'shown'"):
        sums(7, "tally", ["shown"])
