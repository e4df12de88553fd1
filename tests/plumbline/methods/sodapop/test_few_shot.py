"""Worked examples before a question of SODAPOP: of no context and no person that is asked, at all places alike."""

from collections import Counter
from typing import Any

import pytest

from plumbline.methods.sodapop.few_shot import FlaggedQuestion, drawn, unasked, worked
from plumbline.methods.sodapop.spec import SodapopSpec
from plumbline.spec.audit import parse
from plumbline.spec.banks.contexts import Context
from plumbline.spec.errors import SpecError

ENDPOINT = "openai:http://host/v1#m"
INSTRUCTION = "One letter."


def question(number: int | str, **changed: Any) -> FlaggedQuestion:
    entry = {
        "id": str(number),
        "context": f"{{name}} went to place {number}.",
        "question": "How is {name}?",
        "answer": f"right {number}",
        "others": [f"wrong {number}", f"worse {number}"],
        "seed_name": "Robin",
    }
    return FlaggedQuestion.model_validate({**entry, **changed})


BANK = [question(number) for number in range(24)]
PARTY = Context(
    id="party", context="{name} is at a party.", question="How is {name}?", prompt="{name} is", answer="kind"
)


@pytest.mark.parametrize(
    "other",
    [
        {"context": PARTY.context},
        {"context": "{name} is  at a PARTY.", "question": "Why?"},
        {"context": "Robin is at a party."},
        {"seed_name": "Ann"},
        {"others": ["Bo", "nobody"]},
        {"others": ["only one"]},
        {"others": ["Right x", "wrong"]},
        {"flags": ["no seed name"]},
    ],
    ids=["context", "spelling", "name", "person", "other person", "options", "equal options", "flag"],
)
def test_a_question_of_an_asked_context_or_person_or_with_a_fault_is_no_example(other: dict[str, Any]) -> None:
    assert list(unasked([question("x"), BANK[0]], [PARTY], ["Ann", "Bo"]).values()) == [[question("x")], [BANK[0]]]
    assert list(unasked([question("x", **other), BANK[0]], [PARTY], ["Ann", "Bo"]).values()) == [[BANK[0]]]


def test_each_example_is_of_a_context_of_its_own() -> None:
    again = [question(f"{number} again", context=BANK[number].context) for number in range(24)]
    found = drawn([*BANK, *again], [PARTY], ["Ann"], 20, 0)
    assert len({one.question.context for one in found}) == 20


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("count", [1, 2, 3, 7, 20])
def test_the_right_answers_are_at_all_places_about_equally_often(count: int, seed: int) -> None:
    places = Counter(worked(one, "").answer for one in drawn(BANK, [PARTY], ["Ann"], count, seed))
    assert max(places[letter] for letter in "ABC") - min(places[letter] for letter in "ABC") <= 1


def test_the_places_do_not_come_in_turn() -> None:
    found = (drawn(BANK, [PARTY], ["Ann"], 6, seed) for seed in range(20))
    assert len({"".join(worked(one, "").answer for one in some) for some in found}) > 5


def test_an_example_shows_the_question_as_every_other_and_the_letter_of_the_right_answer() -> None:
    for one in drawn(BANK, [PARTY], ["Ann"], 6, 0):
        number = one.question.id
        text, answer = worked(one, INSTRUCTION)
        assert text.startswith(f"Robin went to place {number}.\nQuestion: How is Robin?\nA. ")
        assert text.endswith(f"\n{INSTRUCTION}")
        assert f"\n{answer}. right {number}\n" in text
        assert {f"wrong {number}", f"worse {number}"} < {line[3:] for line in text.splitlines()}


def test_the_seed_decides_the_examples_and_which_wrong_answers_they_show() -> None:
    many = [question(number, others=["one", "two", "three", "four"]) for number in range(24)]
    assert drawn(many, [PARTY], ["Ann"], 5, 1) == drawn(many, [PARTY], ["Ann"], 5, 1)
    found = [one for seed in range(60) for one in drawn(many, [PARTY], ["Ann"], 5, seed)]
    assert {one.question.id for one in found} == {one.id for one in many}
    assert {text for one in found for text in one.options[1:]} == {"one", "two", "three", "four"}


def spec_of(params: dict[str, Any], **other: Any) -> SodapopSpec:
    data = {
        "name": "test",
        "probe": "sodapop",
        "model": ENDPOINT,
        "generator": "bundled:masked-demo",
        "names": {"inline": [{"name": "Ann", "group": "a"}, {"name": "Bo", "group": "b"}]},
        "contexts": {"inline": [PARTY.model_dump()]},
        **other,
    }
    spec = parse({**data, "params": params})
    assert isinstance(spec, SodapopSpec)
    return spec


def bank(*questions: FlaggedQuestion) -> dict[str, Any]:
    return {"few_shot_bank": {"inline": [one.model_dump(exclude={"flags"}) for one in questions]}}


def test_too_few_contexts_that_are_not_asked_are_refused_before_the_launch_with_the_remedy() -> None:
    spec = spec_of({"few_shot": 2}, **bank(BANK[0], question("x", context=PARTY.context)))
    with pytest.raises(SpecError, match=r"few_shot 2 needs 2 contexts, and few_shot_bank has 1 .* name another bank"):
        spec.check({})


@pytest.mark.parametrize(
    ("params", "other", "fault"),
    [
        ({"few_shot": 2}, {}, "worked examples need both"),
        ({}, bank(BANK[0]), "worked examples need both"),
        ({"few_shot": 1}, {**bank(BANK[0]), "model": "bundled:smollm2-135m"}, "few_shot is for answers in text"),
        ({"few_shot": 21}, bank(BANK[0]), "less than or equal to 20"),
        ({"few_shot": -1}, bank(BANK[0]), "greater than or equal to 0"),
        ({"few_shot": 1, "ask": False}, bank(BANK[0]), "asks nothing, so leave few_shot and replies_of out"),
        ({"ask": False}, {"replies_of": 1}, "asks nothing, so leave few_shot and replies_of out"),
        ({}, {"replies_of": 1, "model": "bundled:smollm2-135m"}, "replies_of needs the model whose answers are parsed"),
    ],
)
def test_what_cannot_be_or_would_be_ignored_is_refused(
    params: dict[str, Any], other: dict[str, Any], fault: str
) -> None:
    with pytest.raises(SpecError, match=fault):
        spec_of(params, **other)


def test_each_request_counts_the_examples_in_the_cost_before_the_launch() -> None:
    limits = {"k": 1, "top": 10}
    plain, worked_out = spec_of(limits), spec_of({**limits, "few_shot": 1}, **bank(BANK[0]))
    requests = int(plain.cost({}).removeprefix("at most ").split(" ")[0])
    characters = sum(map(len, worked_out.worked_examples({})[0]))
    assert _tokens(worked_out) == pytest.approx(_tokens(plain) + requests * characters / 4, abs=1)


def _tokens(spec: SodapopSpec) -> int:
    return int(spec.cost({}).split("about ")[1].split(" ")[0].replace(",", ""))


def test_only_a_spec_with_examples_or_another_parser_has_them_in_its_key_and_its_variant() -> None:
    plain, chosen = spec_of({}), spec_of({"few_shot": 1, "parser": "exact"}, **bank(BANK[0]))
    assert plain.asking_params() == {"scoring": "mean_token", "pool": "own"}
    assert chosen.asking_params() == plain.asking_params() | {"few_shot": 1, "parser": "exact"}
    assert chosen.generating_params() == plain.generating_params()
    assert (plain.variant, chosen.variant) == ("", "parser exact, few_shot 1")
