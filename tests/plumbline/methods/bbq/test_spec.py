"""The spec of a BBQ audit, and its questions."""

from typing import Any

import pytest

from plumbline.methods.bbq.spec import BbqParams, BbqSpec, QuestionSource
from plumbline.spec.audit import parse
from plumbline.spec.banks.bbq_question import Question
from plumbline.spec.errors import SpecError
from tests.plumbline.spec.some_questions import question, set_of_four


def spec_of(**other: Any) -> BbqSpec:
    own = {"name": "test", "probe": "bbq", "model": "path:./model", "bank": {"inline": set_of_four()}, **other}
    spec = parse(own)
    assert isinstance(spec, BbqSpec)
    return spec


def test_the_biased_answer_is_the_target_of_a_negative_question_and_the_other_person_of_its_opposite() -> None:
    biased = {(one["polarity"], one["condition"]): Question.model_validate(one).biased for one in set_of_four()}
    assert biased == {("neg", "ambig"): 0, ("neg", "disambig"): 0, ("nonneg", "ambig"): 1, ("nonneg", "disambig"): 1}


def test_a_question_without_a_target_has_no_biased_answer() -> None:
    assert Question.model_validate(question(target=None)).biased is None


def test_proper_names_are_reported_apart() -> None:
    assert Question.model_validate(question(label_type="name")).cluster == "Colour (names) 1"


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        ({"gold": 0}, "gold is not UNKNOWN"),
        ({"target": 2}, "the target must not be the UNKNOWN option"),
        ({"options": ["A", "a ", "Not known"]}, "two options have the same text"),
        ({"options": ["A", " ", "Not known"]}, "an option is empty"),
    ],
)
def test_a_question_that_contradicts_itself_is_refused(wrong: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        Question.model_validate(question(**wrong))


def test_categories_choose_from_a_bank_before_it_is_frozen() -> None:
    words = {"entries": [question(), question(category="Shape", id="Shape 0")]}
    source = QuestionSource.model_validate({"bank": "mine", "categories": ["Shape"]})
    assert [entry["id"] for entry in source.chosen(words)["entries"]] == ["Shape 0"]


def test_an_unknown_category_is_named_with_those_that_there_are() -> None:
    source = QuestionSource.model_validate({"bank": "mine", "categories": ["Size"]})
    with pytest.raises(SpecError, match="'mine' has no category 'Size'; its categories are Colour"):
        source.chosen({"entries": [question()]})


def test_a_bank_is_stored_as_a_list() -> None:
    assert spec_of(bank={"bank": "mine", "categories": ["Age"]}).dump()["bank"] == [
        {"list": "mine", "categories": ["Age"]}
    ]


def test_stored_answers_go_with_a_model_of_their_kind_only() -> None:
    answers = {"inline": [{"id": "Colour 1-0", "chosen": 1}]}
    with pytest.raises(SpecError, match="stored answers need both"):
        spec_of(answers=answers)
    with pytest.raises(SpecError, match="stored answers need both"):
        spec_of(model="answers:somebody")
    assert set(spec_of(model="answers:somebody", answers=answers).stored({})) == {"Colour 1-0"}


def test_an_answer_to_no_question_of_the_bank_is_refused() -> None:
    spec = spec_of(model="answers:somebody", answers={"inline": [{"id": "Colour 9", "chosen": 1}]})
    with pytest.raises(SpecError, match="'Colour 9', which is answered, is no question of the bank"):
        spec.check({})


def test_a_question_occurs_once() -> None:
    spec = spec_of(bank=[{"inline": set_of_four()}, {"inline": [question()]}])
    with pytest.raises(SpecError, match="'Colour 1-0' appears twice"):
        spec.check({})


def test_only_what_is_paid_for_has_a_cost() -> None:
    assert spec_of().cost({}) == ""
    remote = spec_of(model="openai:http://host/v1#m")
    assert remote.cost({}).startswith("4 requests to openai:http://host/v1#m, about ")
    priced = spec_of(model="openai:http://host/v1#m", params={"price_in": 1e6, "price_out": 0.0, "orders": "all"})
    requests, tokens = 24, priced.cost({}).split("about ")[1].split(" ")[0]
    assert priced.cost({}).startswith(f"{requests} requests")
    assert f"about {tokens}.00 in" in priced.cost({})


def test_the_params_keep_their_order_in_stored_specs_and_those_of_text_stay_out_of_keys() -> None:
    """Variants name the params in this order, and content keys of earlier releases lack those of answers in text."""
    assert list(BbqParams().model_dump()) == [
        *("variant", "question_only", "layout", "scoring", "prompt", "listed", "orders"),
        *("resamples", "permutations", "level", "fewest_templates"),
        *(
            "parser",
            "few_shot",
            "samples",
            "generate",
            "max_tokens",
            "system",
            "instruction",
            "extra_body",
            "chat_template_kwargs",
            "temperature",
        ),
        *("concurrency", "attempts", "timeout", "price_in", "price_out", "budget", "batch"),
    ]
    assert list(spec_of().scoring_params()) == [
        *("variant", "question_only", "layout", "scoring", "prompt", "listed", "orders")
    ]
    assert spec_of(params={"parser": "exact"}).scoring_params()["parser"] == "exact"
    in_batches = spec_of(model="openai:http://host/v1#m", params={"batch": True})
    assert in_batches.scoring_params() == spec_of(model="openai:http://host/v1#m").scoring_params()
