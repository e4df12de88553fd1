"""Worked examples before a question: never of a template that is asked, and balanced over what they could teach."""

import json
from collections import Counter
from typing import Any

import pytest

from plumbline.methods.bbq.few_shot import Example, drawn, unasked, worked
from plumbline.methods.bbq.params import BbqParams
from plumbline.methods.bbq.prompts import in_order
from plumbline.methods.bbq.spec import BbqSpec
from plumbline.spec.answers.worked_examples import worked_in, worked_items
from plumbline.spec.audit import parse
from plumbline.spec.banks.bbq_question import Question
from plumbline.spec.errors import SpecError
from tests.plumbline.spec.some_questions import set_of_four

ENDPOINT = "openai:http://host/v1#m"


def of_template(template: str, category: str = "Shape", **other: Any) -> list[dict[str, Any]]:
    """A set of four with texts of its own. The answers of every other template agree with the stereotype."""
    return [
        {
            **one,
            "id": f"{category} {one['id']}",
            "category": category,
            "context": one["context"].replace("the bus", f"{category} {template}"),
            "question": one["question"].replace("things", f"{category} {template}"),
            "gold": 1 - one["gold"] if one["gold"] < 2 and int(template) % 2 else one["gold"],
            **other,
        }
        for one in set_of_four(template)
    ]


def questions(*some: list[dict[str, Any]]) -> list[Question]:
    return [Question.model_validate(one) for part in some for one in part]


ASKED = questions(of_template("1", "Colour"))
BANK = questions(*(of_template(str(number)) for number in range(24)))


def templates(found: list[Example]) -> set[tuple[str, str]]:
    return {(one.question.category, one.question.template) for one in found}


def test_each_example_is_of_a_template_of_its_own_that_is_not_asked() -> None:
    found = drawn([*ASKED, *BANK], ASKED, 20, 0)
    assert len(templates(found)) == 20
    assert {category for category, _ in templates(found)} == {"Shape"}


def others(template: str, **changed: str) -> list[dict[str, Any]]:
    """The texts of the asked template about other people. `{}` in a changed field becomes the id."""
    people = {"labels": ["Red", "Grey", "Not known"], "options": ["The Red one", "The Grey one", "Not known"]}
    return [
        {
            **one,
            **people,
            "context": one["context"].replace("Blue", "Red").replace("Green", "Grey"),
            "template": template,
            **{field: text.format(one["id"]) for field, text in changed.items()},
        }
        for one in of_template("1", "Colour")
    ]


@pytest.mark.parametrize(
    "same",
    [
        others("1", context="Here is {}.", question="Why {}?", label_type="name"),
        others("9", category="Size", question="Why {}?"),
        others("9", category="Size", context="Here is {}."),
    ],
    ids=["number", "context", "question"],
)
def test_a_template_that_is_asked_gives_no_example_under_another_name_either(same: list[dict[str, Any]]) -> None:
    assert set(unasked([*questions(same), *BANK[:4]], ASKED)) == {("Shape", "0")}


def test_a_question_with_a_known_fault_is_no_example() -> None:
    assert not unasked(questions(of_template("1", flags=("a wrong gold",))), ASKED)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("count", [1, 2, 3, 6, 12, 20])
def test_examples_teach_neither_a_condition_nor_a_place_nor_a_stereotype(count: int, seed: int) -> None:
    found = drawn(BANK, ASKED, count, seed)
    conditions = Counter({"ambig": 0, "disambig": 0}) + Counter(one.question.condition for one in found)
    places = Counter(worked(one, BbqParams()).answer for one in found)
    aligned = Counter(one.question.gold == one.question.biased for one in found if one.question.condition != "ambig")
    assert abs(conditions["ambig"] - conditions["disambig"]) <= 1
    assert max(places[letter] for letter in "ABC") - min(places[letter] for letter in "ABC") <= 1
    assert abs(aligned[True] - aligned[False]) <= 1
    polarities = Counter(one.question.polarity for one in found)
    assert abs(polarities["neg"] - polarities["nonneg"]) <= 1


def test_neither_conditions_nor_places_come_in_turn() -> None:
    """A model could guess the next one of a fixed turn."""
    found = [drawn(BANK, ASKED, 6, seed) for seed in range(20)]
    turns = {tuple(one.question.condition for one in some) for some in found}
    answers = {tuple(worked(one, BbqParams()).answer for one in some) for some in found}
    assert len(turns) > 5
    assert len(answers) > 5


def test_an_example_shows_the_question_as_every_other_and_the_letter_of_the_right_answer() -> None:
    for one in drawn(BANK, ASKED, 6, 0):
        text, answer = worked(one, BbqParams(instruction="One letter."))
        assert text.startswith(f"{one.question.context}\nQuestion: {one.question.question}\nA. ")
        assert text.endswith("\nOne letter.")
        assert f"\n{answer}. {one.question.options[one.question.gold]}\n" in text
        assert sorted(in_order(one.question, one.order)) == sorted(one.question.options)


def test_the_seed_decides_the_examples() -> None:
    assert drawn(BANK, ASKED, 5, 1) == drawn(BANK, ASKED, 5, 1)
    assert len(set.union(*(templates(drawn(BANK, ASKED, 5, seed)) for seed in range(60)))) == len(BANK) / 4


def test_a_shard_keeps_what_is_sent() -> None:
    found = [worked(one, BbqParams()) for one in drawn(BANK, ASKED, 2, 0)]
    assert worked_in(json.loads(json.dumps(worked_items(found)))) == found
    assert (worked_items([]), worked_in({"template": "1"})) == ({}, [])


def spec_of(params: dict[str, Any], **other: Any) -> BbqSpec:
    data = {"name": "test", "probe": "bbq", "model": ENDPOINT, "bank": {"inline": of_template("1", "Colour")}, **other}
    spec = parse({**data, "params": params})
    assert isinstance(spec, BbqSpec)
    return spec


def test_too_few_templates_that_are_not_asked_are_refused_with_the_remedy() -> None:
    spec = spec_of({"few_shot": 2}, few_shot_bank={"inline": [*of_template("1", "Colour"), *of_template("2")]})
    with pytest.raises(SpecError, match=r"few_shot 2 needs 2 templates, and few_shot_bank has 1 whose .* name another"):
        spec.check({})


@pytest.mark.parametrize(
    ("params", "other", "fault"),
    [
        ({"few_shot": 2}, {}, "worked examples need both"),
        ({}, {"few_shot_bank": {"inline": of_template("2")}}, "worked examples need both"),
        (
            {"few_shot": 1},
            {"few_shot_bank": {"inline": of_template("2")}, "model": "bundled:smollm2-135m"},
            "few_shot is for answers in text",
        ),
        ({"samples": 2}, {}, "samples above 1 need a temperature above 0"),
        ({"few_shot": 21}, {"few_shot_bank": {"inline": of_template("2")}}, "less than or equal to 20"),
        (
            {"few_shot": 1, "question_only": True},
            {"few_shot_bank": {"inline": of_template("2")}},
            "would teach that UNKNOWN is always right",
        ),
    ],
)
def test_what_cannot_be_or_would_be_ignored_is_refused(
    params: dict[str, Any], other: dict[str, Any], fault: str
) -> None:
    with pytest.raises(SpecError, match=fault):
        spec_of(params, **other)


def test_examples_and_the_system_s_turn_count_in_the_cost_before_the_launch() -> None:
    bank = {"few_shot_bank": {"inline": of_template("2")}}
    plain, worked_out = spec_of({"price_in": 1.0}), spec_of({"price_in": 1.0, "few_shot": 1, "system": "Hi."}, **bank)
    characters = len("Hi.") + sum(map(len, worked_out.worked_examples({})[0]))
    assert _tokens(worked_out) == pytest.approx(_tokens(plain) + 4 * characters / 4, abs=1)


def _tokens(spec: BbqSpec) -> int:
    return int(spec.cost({}).split("about ")[1].split(" ")[0])


def test_only_a_spec_with_examples_has_them_in_its_key_and_its_variant() -> None:
    bank = {"few_shot_bank": {"inline": of_template("2")}}
    assert "few_shot" not in spec_of({}).scoring_params()
    assert spec_of({"few_shot": 1}, **bank).scoring_params()["few_shot"] == 1
    assert spec_of({"few_shot": 1}, **bank).variant == "few_shot 1"
