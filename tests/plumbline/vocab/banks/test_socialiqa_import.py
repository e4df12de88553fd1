"""Social IQa becomes a bank of contexts: each line checked, the person a slot, what is doubtful flagged."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from plumbline.methods.sodapop.spec import SodapopSpec
from plumbline.vocab.banks import socialiqa
from plumbline.vocab.content import frozen
from plumbline.vocab.models import Bank

REAL = Path(__file__).resolve().parents[4] / "../shared/data/sodapop/socialiqa_dev_bethany.jsonl"
LINE = {
    "context": "Kim’s sister  lost her bag, so Kim gave her a new one.",
    "question": "How would you describe Kim?",
    "answerA": "has a car",
    "answerB": "kind to her sister",
    "answerC": "rude",
    "correct": "B",
}


def written(path: Path, *lines: dict[str, Any] | str) -> Path:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines) + "\n"
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def test_an_item_is_slotted_neutral_and_flagged(tmp_path: Path) -> None:
    (item,) = socialiqa.questions(written(tmp_path / "dev.jsonl", LINE)).items
    assert item == {
        "id": "0",
        "context": "{name}'s sister lost their bag, so {name} gave them a new one.",
        "question": "How would you describe {name}?",
        "prompt": "{name} is",
        "answer": "kind to their sister",
        "others": ["has a car", "rude"],
        "label": "B",
        "seed_name": "Kim",
        "flags": ["gendered word: sister"],
    }


def test_what_cannot_be_a_context_has_no_prompt_and_says_why(tmp_path: Path) -> None:
    lines = [
        LINE,
        LINE | {"question": "How would you describe Alex?"},
        LINE | {"question": "Where is Kim?"},
        LINE | {"correct": "A"},
        LINE | {"context": "Kim saw her. He waved, Kims too."},
    ]
    found = socialiqa.questions(written(tmp_path / "dev.jsonl", *lines))
    assert [item["prompt"] for item in found.items] == ["{name} is", "", "", "{name} is", "{name} is"]
    assert found.items[1]["flags"][0] == "no seed name"
    assert found.items[2]["flags"][-1] == "no prompt"
    assert found.items[3]["flags"][-1] == "answer does not follow the prompt"
    assert {"name left: Kims", "pronouns of two genders"} <= set(found.items[4]["flags"])
    assert found.notices[0] == "3 of 5 items can be contexts."
    assert "no rule decides whom 1 items are about: 1." in found.notices
    assert "1 items ask what has no prompt: 'Where is {name}?'." in found.notices


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_labels_may_be_in_a_separate_file(tmp_path: Path, ending: str) -> None:
    unlabelled = {key: value for key, value in LINE.items() if key != "correct"}
    path = written(tmp_path / f"dev.jsonl{ending}", unlabelled, unlabelled)
    with pytest.raises(ValueError, match=r"dev\.jsonl.*, line 1: .* no dev-labels\.lst beside the file"):
        socialiqa.questions(path)
    written(tmp_path / f"dev-labels.lst{ending}", "2", "3")
    assert [item["answer"] for item in socialiqa.questions(path).items] == ["kind to their sister", "rude"]
    written(tmp_path / f"dev-labels.lst{ending}", "2")
    with pytest.raises(ValueError, match="has 1 labels for 2 questions"):
        socialiqa.questions(path)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("faulty", "told"),
    [
        ("{", "it is no JSON"),
        ('{"label": NaN}', "NaN is no number in JSON"),
        ('{"a": 1, "a": 2}', "'a' appears twice in one object"),
        ("[1]", "must be a mapping"),
        ({**LINE, "answerC": ""}, "answerC: is empty"),
        ({**LINE, "context": "a {name}"}, "has a brace"),
        ({**LINE, "correct": "D"}, "'D' names no answer"),
        ({**LINE, "context": 3}, "context: must be text"),
        ("", "it is no JSON"),
    ],
)
def test_a_faulty_line_is_named_and_nothing_is_imported(tmp_path: Path, faulty: Any, told: str) -> None:
    path = written(tmp_path / "dev.jsonl", LINE, faulty, LINE)
    with pytest.raises(CommandError, match=r"dev\.jsonl, line 2: ") as refused:
        call_command("bank", "import", "socialiqa", str(path), "--into", "mine")
    assert told in str(refused.value)
    assert not Bank.objects.exists()


@pytest.mark.django_db
def test_a_run_takes_its_contexts_by_question(tmp_path: Path) -> None:
    path = written(tmp_path / "dev.jsonl", LINE, LINE | {"question": "What will happen to Kim?"})
    call_command("bank", "import", "socialiqa", str(path), "--into", "mine")
    spec = SodapopSpec.model_validate(
        {
            "name": "t",
            "probe": "sodapop",
            "model": "path:./m",
            "generator": "path:./m",
            "names": {"inline": [{"name": "Ann", "group": "a"}]},
            "contexts": {"bank": "mine", "question": "How would you describe {name}?"},
        }
    )
    source = spec.contexts[0].model_copy(update={"sha256": "s"})
    contexts = spec.model_copy(update={"contexts": (source,)}).contexts_of({"s": frozen("banks", "mine")})
    assert [(one.id, one.prompt, one.answer) for one in contexts] == [("0", "{name} is", "kind to their sister")]


def test_the_real_file_gives_contexts_and_names_those_that_are_none() -> None:
    if not REAL.exists():
        pytest.skip("the reference data is not beside the project")
    found = socialiqa.questions(REAL)
    described = [item for item in found.items if item["question"] == "How would you describe {name}?"]
    assert (len(found.items), len(described)) == (1302, 209)
    assert all(item["prompt"] == "{name} is" for item in described)
    assert found.notices[0] == "1,174 of 1,302 items can be contexts."
    assert sum(item["seed_name"] == "" for item in found.items) == 42
    assert sum(any("pronoun left" in flag for flag in item["flags"]) for item in found.items) < 60
