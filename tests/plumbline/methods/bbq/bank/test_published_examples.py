"""BBQ's published files become a bank: every line and set checked, templates joined, known faults flagged."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from plumbline.methods.bbq.bank.published_examples import questions
from plumbline.spec.banks.bbq_question import Question
from plumbline.spec.errors import InputError
from plumbline.vocab.content import frozen
from plumbline.vocab.models import Bank, BankItem
from tests.plumbline.methods.bbq.bank.some_examples import TEMPLATE, four, table, written

REAL = Path(__file__).resolve().parents[5] / "../shared/data/bbq"


def read(folder: Path, **options: Any) -> list[Question]:
    return [Question.model_validate(item) for item in questions(folder, **options).items]


def test_an_example_becomes_an_item(tmp_path: Path) -> None:
    written(tmp_path / "examples/Age.jsonl.gz", four())
    table(tmp_path / "templates/new_templates - Age.csv", [TEMPLATE])
    first, *_, last = read(tmp_path)
    assert (first.id, first.category, first.template, first.version, first.set) == ("Age 0", "Age", "1", "a", 0)
    assert (first.unknown, first.gold, first.target, first.biased) == (2, 2, 0, 0)
    assert (first.labels[0], first.codes[1], first.groups) == ("retired pilot", "nonOld", ("old",))
    assert (first.value, first.label_type, first.source) == ("skill", "label", "https://example.org/ages")
    assert (last.polarity, last.condition, last.gold, last.target, last.biased) == ("nonneg", "disambig", 0, 0, 1)
    assert first.flags == last.flags == ()


def test_without_templates_the_value_is_empty_and_that_is_reported(tmp_path: Path) -> None:
    written(tmp_path / "Age.jsonl", four())
    found = questions(tmp_path)
    assert found.items[0]["value"] == ""
    assert "there are no templates with the examples: the social values stay empty." in found.notices


def test_rows_with_one_number_are_distinguished_by_their_groups(tmp_path: Path) -> None:
    other = TEMPLATE | {"Known_stereotyped_groups": '["nonOld"]', "Relevant_social_values": "rashness"}
    table(tmp_path / "templates/Age.csv", [other, TEMPLATE])
    written(tmp_path / "data/Age.jsonl", four())
    assert {item.value for item in read(tmp_path)} == {"skill"}


def test_rows_that_say_different_things_of_one_example_are_not_joined(tmp_path: Path) -> None:
    table(tmp_path / "templates/Age.csv", [TEMPLATE, TEMPLATE | {"Relevant_social_values": "rashness"}])
    written(tmp_path / "data/Age.jsonl", four())
    assert {item.value for item in read(tmp_path)} == {""}


@pytest.mark.parametrize(
    ("place", "changed", "told"),
    [
        (1, {"label": 3}, "label: Input should be less than or equal to 2"),
        (1, {"label": "1"}, "label: Input should be a valid integer"),
        (2, {"question_polarity": "positive"}, "question_polarity"),
        (2, {"context": ""}, "context: is empty"),
        (1, {"category": "Religion"}, "its category is 'Religion', but the file is named for 'Age'"),
        (1, {"label": 2}, "in a context disambig the right answer is one of the two people; its label is 2"),
        (0, {"label": 0}, "in a context ambig the right answer is the option that says UNKNOWN; its label is 0"),
        (3, {"label": 1}, "both disambiguated questions of its set have the same right answer"),
        (2, {"ans0": "The old pilot"}, "options differs from that of example 0, the first of its set"),
        (2, {"question_index": "2"}, "question_index differs"),
        (3, {"example_id": 4}, "the examples 4 to 7 are a set of four, but the file holds 4 of them"),
        (3, {"context_condition": "ambig", "label": 2}, "example 3 is not nonneg and disambig, as its set needs it"),
        (0, {"answer_info": {"ans0": ["a", "old"], "ans1": ["b", "x"], "ans2": ["c", "y"]}}, "0 of its options are"),
    ],
)
def test_a_faulty_line_is_named(tmp_path: Path, place: int, changed: dict[str, Any], told: str) -> None:
    lines = four()
    lines[place] |= changed
    with pytest.raises(InputError, match=rf"^Age\.jsonl, line {place + 1}: ") as refused:
        questions(written(tmp_path / "Age.jsonl", lines) if place != 3 else written_whole(tmp_path, lines))
    assert told in str(refused.value)


def written_whole(folder: Path, lines: list[dict[str, Any]]) -> Path:
    """With the example that would complete the first set, so that only the moved one is at fault."""
    complete = [four()[3]] if lines[3]["example_id"] == 4 else []
    return written(folder / "Age.jsonl", [*lines, *complete])


def test_what_is_no_json_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^Age\.jsonl, line 2: it is no JSON"):
        questions(written(tmp_path / "Age.jsonl", [json.dumps(four()[0]), "{"]))


def test_a_folder_without_examples_and_a_category_that_is_not_at_hand_are_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no CATEGORY"):
        questions(tmp_path)
    with pytest.raises(InputError, match="does not exist"):
        questions(tmp_path / "nowhere")
    written(tmp_path / "Age.jsonl", four())
    with pytest.raises(InputError, match="no examples of 'Religion'; its categories are Age"):
        questions(tmp_path, ["Religion"])


def test_a_plain_file_goes_before_its_packed_copy(tmp_path: Path) -> None:
    written(tmp_path / "Age.jsonl.gz", [*four(0), *four(1)])
    written(tmp_path / "Age.jsonl", four())
    assert questions(tmp_path).imported_from == "Age.jsonl"


def test_other_tables_may_be_in_the_folder_of_the_examples(tmp_path: Path) -> None:
    table(tmp_path / "results.csv", [{"model": "ours", "accuracy": "0.5"}])
    assert len(read(written(tmp_path / "Age.jsonl", four()).parent)) == 4


def test_faults_of_the_text_are_flagged(tmp_path: Path) -> None:
    lines = [
        *four(0),
        *four(1, ans1="The trainee ", context="At noon."),
        *four(2, ans2="Nobody knows"),
        *four(3, context="A {pilot}  sat here."),
    ]
    items = read(written(tmp_path / "Age.jsonl", lines))
    assert items[4].options[1] == "The trainee"
    assert items[4].flags == ("space at an end",)
    assert items[8].flags == ("other UNKNOWN",)
    assert items[12].flags == ("stray brace", "double space")


def test_an_item_that_asks_what_an_earlier_one_asks_is_flagged_with_it(tmp_path: Path) -> None:
    items = read(written(tmp_path / "Age.jsonl", [*four(0), *four(1)]))
    assert [item.flags for item in items[3:5]] == [(), ("repeats: Age 0",)]


def test_an_item_that_no_rule_decides_is_listed_and_has_no_target(tmp_path: Path) -> None:
    found = questions(written(tmp_path / "Age.jsonl", four(additional_metadata={"stereotyped_groups": []})))
    assert {item["target"] for item in found.items} == {None}
    assert any("4 items is about; bias scores leave out Age 0, Age 1, Age 2, Age 3" in told for told in found.notices)


def test_names_are_distinguished_from_labels_by_category_and_number(tmp_path: Path) -> None:
    info = {"ans0": ["Jo Ray", "F"], "ans1": ["Al Ray", "M"], "ans2": ["Not known", "unknown"]}
    metadata = {"stereotyped_groups": ["F"]}
    changed = {"category": "Gender_identity", "answer_info": info, "additional_metadata": metadata}
    lines = [*four(0, question_index="25", **changed), *four(1, question_index="26", **changed)]
    items = read(written(tmp_path / "Gender_identity.jsonl", lines))
    assert [item.reported for item in items[3:5]] == ["Gender_identity", "Gender_identity (names)"]
    assert {item.target for item in items} == {0}


@pytest.mark.parametrize(
    ("other", "differs"), [("F-White", "race"), ("M-Black", "gender"), ("M-White", "race and gender")]
)
def test_an_intersectional_item_says_in_what_the_other_person_differs(tmp_path: Path, other: str, differs: str) -> None:
    row = TEMPLATE | {"Category": "Gender_x_race", "Known_stereotyped_race": '["Black"]', "Known_stereotyped_var2": "F"}
    table(tmp_path / "templates/x.csv", [row | {"Known_stereotyped_groups": "", "version": ""}])
    info = {"ans0": ["Black woman", "F-Black"], "ans1": ["someone", other], "ans2": ["Not known", "unknown"]}
    lines = four(category="Race_x_gender", answer_info=info, additional_metadata={"version": "None"})
    items = read(written(tmp_path / "data/Race_x_gender.jsonl", lines).parent)
    assert {(item.target, item.differs, item.value) for item in items} == {(0, differs, "skill")}


def test_an_intersectional_item_of_which_one_identity_is_unknown_has_no_target(tmp_path: Path) -> None:
    info = {"ans0": ["Black woman", "F-Black"], "ans1": ["White man", "M-White"], "ans2": ["Not known", "unknown"]}
    metadata = {"stereotyped_groups": ["Black"]}
    lines = four(category="Race_x_gender", answer_info=info, additional_metadata=metadata)
    assert {item.target for item in read(written(tmp_path / "Race_x_gender.jsonl", lines))} == {None}


@pytest.mark.django_db
class TestCommand:
    """`manage.py bank import bbq`."""

    def test_a_folder_is_imported_under_the_name_of_its_kind(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        written(tmp_path / "Age.jsonl", four())
        call_command("bank", "import", "bbq", str(tmp_path))
        told = capsys.readouterr()
        assert told.out.startswith("bank bbq: 4 items, ")
        assert "Age 4." in told.err
        assert [entry["id"] for entry in frozen("banks", "bbq")["entries"]] == ["Age 0", "Age 1", "Age 2", "Age 3"]
        assert Bank.objects.get().licence == "CC-BY-4.0"

    def test_categories_are_chosen(self, tmp_path: Path) -> None:
        written(tmp_path / "Age.jsonl", four())
        written(tmp_path / "Religion.jsonl", four(category="Religion"))
        call_command("bank", "import", "bbq", str(tmp_path), "--into", "mine", "--categories", "Religion")
        assert Bank.objects.get().imported_from == "Religion.jsonl"

    def test_other_kinds_have_no_categories(self, tmp_path: Path) -> None:
        with pytest.raises(CommandError, match="the files of gap have no categories"):
            call_command("bank", "import", "gap", str(tmp_path), "--into", "mine", "--categories", "Age")

    def test_a_faulty_line_imports_nothing(self, tmp_path: Path) -> None:
        written(tmp_path / "Age.jsonl", four())
        written(tmp_path / "Religion.jsonl", [*four(category="Religion"), "{}"])
        with pytest.raises(CommandError, match=r"Religion\.jsonl, line 5: ") as refused:
            call_command("bank", "import", "bbq", str(tmp_path))
        assert refused.value.returncode == 2
        assert not Bank.objects.exists()

    def test_an_import_that_breaks_off_leaves_nothing(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def interrupted(*_: Any, **__: Any) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(BankItem.objects, "bulk_create", interrupted)
        written(tmp_path / "Age.jsonl", four())
        with pytest.raises(KeyboardInterrupt):
            call_command("bank", "import", "bbq", str(tmp_path))
        assert not Bank.objects.exists()


def test_the_published_files_give_their_counts_targets_and_known_faults() -> None:
    if not REAL.exists():
        pytest.skip("BBQ's files are not here")
    found = questions(REAL)
    counts = Counter(item["category"] for item in found.items)
    assert counts == {
        "Age": 3680,
        "Disability_status": 1556,
        "Nationality": 3080,
        "Physical_appearance": 1576,
        "Religion": 1200,
        "Sexual_orientation": 864,
    }
    assert [item["id"] for item in found.items if item["target"] is None] == []
    flags = Counter((item["category"], flag.partition(":")[0]) for item in found.items for flag in item["flags"])
    assert flags == {
        ("Physical_appearance", "wrong gold"): 68,
        ("Nationality", "stray brace"): 100,
        ("Disability_status", "space at an end"): 84,
        ("Nationality", "space at an end"): 40,
        ("Physical_appearance", "double space"): 36,
        ("Disability_status", "repeats"): 10,
        ("Physical_appearance", "label differs"): 4,
    }
    assert {item["template"] for item in found.items if item["base_rate"]} == {"12"}
    told = (
        "Disability_status 4 (6:0), Disability_status 19 (4:0), Physical_appearance 6 (100:0), Physical_appearance 10"
    )
    assert any(told in notice for notice in found.notices)
