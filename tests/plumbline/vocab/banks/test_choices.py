"""Multiple-choice questions of any source become contexts, and what cannot be one is counted with its reason."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from plumbline.vocab.banks import choices
from plumbline.vocab.banks.people_named import known_names, people_in
from plumbline.vocab.models import Bank

ROW: dict[str, Any] = {
    "context": "Kim carried the neighbour's shopping up the stairs and then she went home.",
    "question": "How would you describe Kim?",
    "options": ["late for work", "helpful and strong", "made of glass"],
    "correct": "B",
}


def lines(path: Path, *rows: dict[str, Any]) -> Path:
    text = "".join(json.dumps(row) + "\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def left_out(tmp_path: Path, **changes: Any) -> str:
    """What is told of a row with these changes beside one that can be a context."""
    told = choices.questions(lines(tmp_path / "quiz.jsonl", ROW, ROW | changes)).notices
    assert told[0] == "1 of 2 rows can be contexts."
    return told[1]


def test_a_row_about_one_person_is_slotted_neutral_and_prompted(tmp_path: Path) -> None:
    (item,) = choices.questions(lines(tmp_path / "quiz.jsonl.gz", ROW)).items
    assert item == {
        "id": "1",
        "context": "{name} carried the neighbour's shopping up the stairs and then they went home.",
        "question": "How would you describe {name}?",
        "prompt": "{name} is",
        "answer": "helpful and strong",
        "others": ["late for work", "made of glass"],
        "seed_name": "Kim",
        "flags": [],
    }


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (
            {"context": "A guest sang.", "question": "How would you describe the guest?"},
            "left out, no known name, and none marked: 1 row, on line 2.",
        ),
        ({"context": "Kim and Amanda sang."}, "left out, several names: 1 row, on line 2 (Kim, Amanda)."),
        ({"options": ["Amanda's friend", "kind"]}, "left out, several names: 1 row, on line 2 (Kim, Amanda)."),
        ({"name": "Ada"}, "left out, the name is not in the context or question: 1 row, on line 2 (Ada)."),
        ({"context": "Kim sang. Kims sang."}, "left out, the name stays in another form: 1 row, on line 2 (Kims)."),
        (
            {"question": "Where is Kim?"},
            "left out, no prompt is known for the question: 1 row, on line 2 (Where is {name}?).",
        ),
        (
            {"correct": 1, "options": ["they were late", "kind"]},
            "left out, the right answer does not follow the prompt: 1 row, on line 2 (they were late).",
        ),
        ({"context": "Kim gave her money."}, "left out, a pronoun gives the gender away: 1 row, on line 2 (her)."),
    ],
)
def test_a_row_without_what_the_method_needs_is_left_out_with_its_reason(
    tmp_path: Path, changes: dict[str, Any], told: str
) -> None:
    assert left_out(tmp_path, **changes) == told


def test_a_marked_person_may_meet_others_and_have_an_unknown_name(tmp_path: Path) -> None:
    marked = ROW | {"context": "{name} and Amanda sang.", "question": "How would you describe {name}?"}
    named = ROW | {"context": "Zzyx and Amanda sang.", "question": "How would you describe Zzyx?", "name": "Zzyx"}
    found = choices.questions(lines(tmp_path / "quiz.jsonl", marked, named)).items
    assert [item["context"] for item in found] == ["{name} and Amanda sang."] * 2
    assert [item["seed_name"] for item in found] == ["", "Zzyx"]


def test_an_own_prompt_serves_any_question(tmp_path: Path) -> None:
    row = ROW | {"question": "Where is Kim?", "prompt": "Now Kim is", "correct": "late for work"}
    (item,) = choices.questions(lines(tmp_path / "quiz.jsonl", row)).items
    assert (item["prompt"], item["answer"]) == ("Now {name} is", "late for work")


def test_gendered_words_stay_and_are_flagged(tmp_path: Path) -> None:
    row = ROW | {"context": "Kim called a sister."}
    found = choices.questions(lines(tmp_path / "quiz.jsonl", row))
    assert found.items[0]["flags"] == ["gendered word: sister"]
    assert found.notices[1].startswith("1 of the contexts are flagged.")


def test_names_are_known_from_the_lists_and_from_the_questions_of_the_file() -> None:
    known = known_names(["Why did Zzyx laugh?", "Is Paris far?"], ["Zzyx laughed.", "It is far."])
    assert people_in(["Zzyx's dog met Kim in Paris."], known) == ["Zzyx", "Kim"]


HEADER = "id,context,question,option1,option2,correct\n"
GOOD = "a,Kim sang for the guests.,How would you describe Kim?,musical,absent,1\n"


@pytest.mark.django_db
def test_a_csv_file_becomes_a_bank_of_contexts(
    write_file: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_file(HEADER + GOOD + GOOD.replace("Kim", "the cook").replace("a,", "b,", 1))
    call_command("bank", "import", "contexts", str(path), "--format", "choices", "--into", "quiz")
    assert "1 of 2 rows can be contexts." in capsys.readouterr().err
    bank = Bank.objects.get()
    assert (bank.slug, bank.kind, bank.entries.get().content["answer"]) == ("quiz", "contexts", "musical")


@pytest.mark.django_db
def test_a_preview_counts_and_imports_nothing(
    write_file: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_file(HEADER + GOOD)
    call_command("bank", "import", "contexts", str(path), "--format", "choices", "--preview")
    captured = capsys.readouterr()
    assert "1 of 1 row can be contexts." in captured.err
    assert captured.out == "1 item would be imported\n"
    assert not Bank.objects.exists()


@pytest.mark.django_db
def test_every_faulty_line_is_named_and_nothing_is_imported(
    write_file: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    bad = ["b,,Q?,x,y,1", "c,A,Q?,x,,1", "d,A,Q?,x,y,3", "e,A {group},Q?,x,y,1", "a,A,Q?,x,y,1", "f,A,Q?,x,x,x"]
    with pytest.raises(CommandError, match="6 faulty lines; nothing was imported"):
        call_command(
            "bank", "import", "contexts", str(write_file(HEADER + GOOD + "\n".join(bad))), "--format", "choices"
        )
    told = capsys.readouterr().err
    assert "line 3: context is empty" in told
    assert "line 4: it has 1 of at least two options" in told
    assert "line 5: correct: '3' names no single option" in told
    assert "line 6: context holds a brace that is not {name}" in told
    assert "line 7: the id 'a' appears on line 2 already" in told
    assert "line 8: correct: 'x' names no single option" in told


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (ROW | {"answer": "x"}, "unknown key 'answer'"),
        (ROW | {"options": "x"}, "'options' is no list"),
        (ROW | {"question": None}, "question is no text"),
    ],
)
def test_a_faulty_line_of_json_is_named(tmp_path: Path, row: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=rf"quiz\.jsonl.*line 2: .*{told}"):
        choices.questions(lines(tmp_path / "quiz.jsonl", ROW, row))


def test_a_file_without_any_context_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"0 of 1 row can be contexts\. left out, several names"):
        choices.questions(lines(tmp_path / "quiz.jsonl", ROW | {"context": "Kim met Amanda."}))
