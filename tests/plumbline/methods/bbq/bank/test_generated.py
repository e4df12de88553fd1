"""Questions made from templates: sets of four, both orders, drawn by a seed, and the published counts."""

from collections import Counter
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from plumbline.methods.bbq.bank import generated
from plumbline.spec.banks.bbq_question import Question
from plumbline.spec.errors import InputError
from plumbline.vocab.content import frozen
from plumbline.vocab.models import Bank
from tests.plumbline.methods.bbq.bank.some_examples import TEMPLATE, table

REAL = Path(__file__).resolve().parents[5] / "../shared/data/bbq"
LABELS = [
    {"Category": "Faith", "SubCat": "", "Name": name, "Info": "", "Pilot_include": kept}
    for name, kept in (("Sun", ""), ("Moon", ""), ("Star", ""), ("Comet", "No"))
]
BY_LABEL = TEMPLATE | {"Category": "Faith", "Names": "", "Known_stereotyped_groups": '["Moon"]', "version": ""}
NAMES = [
    {"Name": name, "First_last": part, "gender": gender, "ethnicity": ethnicity}
    for name, part, gender, ethnicity in (
        *((f"{sex}{group}{n}", "first", sex, group) for sex in "FM" for group in ("Moon", "Sun") for n in range(6)),
        *((f"{group}son", "last", "", group) for group in ("Moon", "Sun")),
        *((f"{sex}only{n}", "first_only", sex, "") for sex in "FM" for n in range(7)),
    )
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With two mirrored rows of one template, filler words and a vocabulary."""
    mirrored = {"version": "b", "Names": "NAME1: [trainee]; NAME2: [retired pilot]"}
    worded = {
        "Lexical_diversity": "WORD1: [desk, table]",
        "Ambiguous_Context": "A {{NAME1}} met a {{NAME2}} at a {{WORD1}}.",
    }
    rows = [TEMPLATE | worded, TEMPLATE | worded | mirrored | {"NAME1_info": "nonOld", "NAME2_info": "old"}]
    table(tmp_path / "templates/own.csv", rows)
    table(tmp_path / "templates/vocabulary.csv", LABELS)
    table(tmp_path / "templates/vocabulary_proper_names.csv", NAMES)
    return tmp_path


def made(folder: Path, row: dict[str, str] | None = None, seed: int = 0) -> list[Question]:
    """Of the folder's templates, or of this row alone."""
    if row is not None:
        table(folder / "templates/own.csv", [row])
    return [Question.model_validate(item) for item in generated.questions(folder, seed).items]


def test_a_set_has_both_conditions_of_both_questions_and_one_order_of_options(folder: Path) -> None:
    items = made(folder)
    assert [(item.polarity, item.condition) for item in items[:4]] == [
        ("neg", "ambig"),
        ("neg", "disambig"),
        ("nonneg", "ambig"),
        ("nonneg", "disambig"),
    ]
    for first in range(0, len(items), 4):
        four = items[first : first + 4]
        assert len({(item.options, item.unknown, item.target, item.set) for item in four}) == 1
        assert four[0].gold == four[2].gold == four[0].unknown
        assert {four[1].gold, four[3].gold} == {0, 1, 2} - {four[0].unknown}
        assert four[1].context.startswith(four[0].context + " ")
    assert [item.id for item in items[:5]] == ["Age 1a 0", "Age 1a 1", "Age 1a 2", "Age 1a 3", "Age 1b 0"]


def test_the_right_answers_follow_the_text_and_the_codes_their_slots(folder: Path) -> None:
    first, told = made(folder)[:2]
    assert told.options[told.gold] == "The trainee"
    assert told.codes[told.gold] == "nonOld"
    assert first.target is not None
    assert (first.labels[first.target], first.codes[first.target]) == ("retired pilot", "old")
    assert first.value == "skill"


def test_the_same_seed_gives_the_same_bank_and_another_does_not(folder: Path) -> None:
    by_label = [BY_LABEL | {"Q_id": str(number)} for number in range(5)]
    table(folder / "templates/more.csv", by_label)
    assert made(folder, seed=3) == made(folder, seed=3)
    assert made(folder, seed=3) != made(folder, seed=4)


def test_editing_one_template_leaves_the_questions_of_the_others(folder: Path) -> None:
    table(folder / "templates/a.csv", [BY_LABEL])
    before = {item.id: item for item in made(folder) if item.category == "Age"}
    table(folder / "templates/a.csv", [BY_LABEL | {"Known_stereotyped_groups": '["Sun", "Star"]'}])
    assert {item.id: item for item in made(folder) if item.category == "Age"} == before


def test_labels_of_a_vocabulary_meet_in_both_orders_and_share_their_filler_words(folder: Path) -> None:
    row = BY_LABEL | {
        "Lexical_diversity": "WORD1: [a, b, c, d, e, f]",
        "Ambiguous_Context": "{{WORD1}} {{NAME1}} {{NAME2}}",
    }
    contexts = [item.context for item in made(folder, row)[::4]]
    words = [context.split()[0] for context in contexts]
    assert [context.split()[1:] for context in contexts] == [
        ["Moon", "Sun"],
        ["Sun", "Moon"],
        ["Moon", "Star"],
        ["Star", "Moon"],
    ]
    assert (words[0], words[2]) == (words[1], words[3])


def test_names_bear_surnames_of_their_own_group_and_meet_in_both_orders(folder: Path) -> None:
    row = BY_LABEL | {"Category": "Race_ethnicity", "Proper_nouns_only": "TRUE", "Stated_gender_info": "Women"}
    items = made(folder, row)
    assert len(items) == 200
    for item in items:
        assert item.target is not None
        assert item.non_target is not None
        assert (item.codes[item.target], item.codes[item.non_target]) == ("F-Moon", "F-Sun")
        assert item.labels[item.target].endswith(" Moonson")
        assert item.labels[item.non_target].endswith(" Sunson")
    assert {item.reported for item in items} == {"Race_ethnicity (names)"}
    assert Counter(item.gold == item.biased for item in items if item.condition == "disambig") == {True: 50, False: 50}


def test_given_names_alone_show_gender(folder: Path) -> None:
    told = {"Known_stereotyped_groups": '["F"]', "NAME1_info": "", "NAME2_info": ""}
    row = BY_LABEL | {"Category": "Gender_identity", "Proper_nouns_only": "TRUE"} | told
    items = made(folder, row)
    assert len(items) == 200
    assert all(item.target is not None and item.labels[item.target].startswith("Fonly") for item in items)


@pytest.mark.parametrize("proper", ["", "TRUE"])
@pytest.mark.parametrize(
    ("second", "fills", "info", "slots"),
    [
        ("F", '["man", "woman"]', '["M", "F"]', "{{GEN1}} {{GEN2}}"),
        ("lowSES", '[["poor"], ["rich", "well off"]]', '["lowSES", "highSES"]', "{{OCC1}} {{OCC2}}"),
    ],
)
def test_intersectional_people_differ_in_one_identity_or_in_both(
    folder: Path, proper: str, second: str, fills: str, info: str, slots: str
) -> None:
    gendered_name = bool(proper) and second == "F"
    slots = "" if gendered_name else slots
    one, other = f"{{{{NAME1}}}} {slots[:8]}", f"{{{{NAME2}}}} {slots[9:]}"
    row = TEMPLATE | {
        "Category": "Race_x_SES" if second == "lowSES" else "Gender_x_race",
        "Names": "" if gendered_name else fills,
        "Var2_info": info,
        "Known_stereotyped_groups": "",
        "Known_stereotyped_race": '["Moon"]',
        "Known_stereotyped_var2": second,
        "Proper_nouns_only": proper,
        "Ambiguous_Context": f"{one} and {other} met.",
        "Answer_negative": f"The {one}",
        "Answer_non_negative": f"The {other}",
    }
    table(folder / "templates/vocabulary.csv", [label | {"Category": "Race_ethnicity"} for label in LABELS])
    items = made(folder, row)
    name = "SES" if second == "lowSES" else "gender"
    draws = 25 if proper else 2
    assert Counter(item.differs for item in items) == dict.fromkeys(("race", name, f"race and {name}"), draws * 2 * 4)
    assert all(item.target is not None and second in item.codes[item.target] for item in items)
    assert {item.label_type for item in items} == {"label"}


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"Names": "NAME1: [a, b]"}, "there is no list of NAME2"),
        ({"Ambiguous_Context": "{{NAME1}} at {{PLACE}}"}, "nothing fills the slot PLACE"),
        ({"Lexical_diversity": "desk, table"}, "is no list of words"),
        ({"Answer_negative": "Nobody"}, "must name one of two people, by NAME1 or NAME2"),
        ({"Answer_negative": "The {{NAME1}}"}, "both answers name the same person"),
        ({"Names": "NAME1: [same]; NAME2: [same]"}, "two options have the same text"),
        ({"Names": "", "Category": "Faith"}, "the vocabulary of Faith has none of old"),
        ({"Names": "", "Proper_nouns_only": "TRUE", "Category": "SES", "Known_stereotyped_groups": '["old"]'}, ""),
    ],
)
def test_a_row_that_cannot_be_filled_is_named(folder: Path, changed: dict[str, str], told: str) -> None:
    (folder / "templates/vocabulary_proper_names.csv").unlink()
    table(folder / "templates/own.csv", [TEMPLATE, TEMPLATE | {"Q_id": "2"} | changed])
    with pytest.raises(InputError, match=r"^own\.csv, line 3: ") as refused:
        generated.questions(folder)
    assert (told or "the table of proper names has 0 names, needed are 6") in str(refused.value)


def test_a_template_whose_answers_lean_to_one_side_is_reported(folder: Path) -> None:
    table(folder / "templates/own.csv", [TEMPLATE])
    notices = generated.questions(folder).notices
    assert "right answers with and against the bias are not equally many in Age 1 (0:2)." in notices


@pytest.mark.django_db
class TestCommand:
    """`manage.py bank generate bbq`."""

    def test_the_bank_says_what_it_was_made_of(self, folder: Path) -> None:
        call_command("bank", "generate", "bbq", str(folder), "--into", "mine", "--seed", "7", "--title", "Ours")
        bank = Bank.objects.get()
        assert (bank.kind, bank.title, bank.imported_from) == ("bbq", "Ours", "seed 7: own.csv")
        assert len(frozen("banks", "mine")["entries"]) == 8

    def test_questions_that_cannot_be_generated_are_reported(self, folder: Path, tmp_path: Path) -> None:
        with pytest.raises(CommandError, match="only questions of the kind bbq are made from templates, not of 'gap'"):
            call_command("bank", "generate", "gap", str(folder))
        with pytest.raises(CommandError, match="no templates of 'Religion'; the categories are Age"):
            call_command("bank", "generate", "bbq", str(folder), "--categories", "Religion")
        (tmp_path / "empty").mkdir()
        with pytest.raises(CommandError, match="holds no table of templates"):
            call_command("bank", "generate", "bbq", str(tmp_path / "empty"))
        assert not Bank.objects.exists()
