"""Questions to a chat endpoint: the order of their options, and replies by hand."""

from collections import Counter

import pytest

from plumbline.methods.sodapop.spec import SodapopParams
from plumbline.spec.answers.reply import KeptReply, Reply
from plumbline.spec.banks.contexts import Context
from plumbline.spec.content import Name
from workers.probes.sodapop.paired_cells import PairedCell
from workers.probes.sodapop.pairing import RIGHT, UNASKED
from workers.probes.sodapop.text_questions import Question, questions_of, read_reply

PARTY = Context(
    id="party", context="{name} is at a party.", question="How is {name}?", prompt="{name} is", answer="kind"
)


def cell_of(*texts: str, name: str = "Ann", context: str = "party") -> PairedCell:
    return PairedCell(PARTY.model_copy(update={"id": context}), Name(name=name, group="a"), texts)


def test_each_two_distractors_join_the_right_answer_and_an_odd_last_one_is_not_asked() -> None:
    found = questions_of(cell_of("old", "poor", "tall", "mean", "odd"), 0)
    assert [set(one.options) for one in found] == [{"kind", "old", "poor"}, {"kind", "tall", "mean"}]
    assert [set(one.places) for one in found] == [{RIGHT, 0, 1}, {RIGHT, 2, 3}]
    assert [one.item for one in found] == ["party, Ann, 0", "party, Ann, 1"]


def test_the_order_depends_on_seed_context_name_and_question_and_on_nothing_else() -> None:
    many = [str(number) for number in range(100)]

    def orders(cell: PairedCell, seed: int = 0) -> list[tuple[int, ...]]:
        return [tuple(place % 2 if place >= 0 else RIGHT for place in one.places) for one in questions_of(cell, seed)]

    own = orders(cell_of(*many))
    assert own == orders(cell_of(*many[::-1])) == orders(cell_of(*many, *many))[: len(own)]
    others = [orders(cell_of(*many), 1), orders(cell_of(*many, name="Bo")), orders(cell_of(*many, context="sea"))]
    assert all(own != other for other in others)
    assert len(set(own)) == 6


def test_the_right_answer_is_about_as_often_at_each_place() -> None:
    found = questions_of(cell_of(*map(str, range(6000))), 0)
    counts = Counter(one.places.index(RIGHT) for one in found)
    # Of 3000, the standard deviation is 26.
    assert all(abs(count - 1000) < 4 * 26 for count in counts.values())


@pytest.mark.parametrize(
    ("said", "places", "choice"),
    [
        ("B", (0, RIGHT, 1), RIGHT),
        ("(c) poor", (0, RIGHT, 1), 1),
        ("The answer is A.", (0, RIGHT, 1), 0),
        ("poor", (0, RIGHT, 1), 1),
        ("A or B", (0, RIGHT, 1), UNASKED),
        ("I'm sorry, I cannot say.", (0, RIGHT, 1), UNASKED),
        ("It is unknown.", (0, RIGHT, 1), UNASKED),
        ("", (0, RIGHT, 1), UNASKED),
    ],
)
def test_a_reply_chooses_the_option_that_it_names(said: str, places: tuple[int, ...], choice: int) -> None:
    found = read_reply(Question(cell_of("old", "poor"), 0, places), KeptReply(Reply(said), 5), SodapopParams())
    assert (found.choice, found.reply) == (choice, 5)
    assert bool(found.reason) == (choice == UNASKED)


@pytest.mark.parametrize("said", ["B", "b", "The correct answer is B.", "B. kind", "The option is (B)."])
@pytest.mark.parametrize("other", ["a", "the", "is", "answer", "correct"])
def test_a_distractor_that_is_a_letter_or_a_word_of_replies_is_chosen_by_its_letter_only(said: str, other: str) -> None:
    question = Question(cell_of("old", other), 0, (0, RIGHT, 1))
    assert read_reply(question, KeptReply(Reply(said)), SodapopParams()).choice == RIGHT
    assert read_reply(question, KeptReply(Reply("C")), SodapopParams()).choice == 1


@pytest.mark.parametrize(("said", "choice"), [("the", 1), ("kind.", RIGHT), ("B", UNASKED), ("C. the", UNASKED)])
def test_the_exact_match_takes_the_whole_text_of_an_option_and_no_letter(said: str, choice: int) -> None:
    question = Question(cell_of("old", "the"), 0, (0, RIGHT, 1))
    assert read_reply(question, KeptReply(Reply(said)), SodapopParams(parser="exact")).choice == choice
