"""What each person is shown."""

import random
from collections import Counter

from plumbline.annotation.survey.plans import (
    Place,
    Step,
    counted,
    draw,
    name_options,
    pair_order,
    places,
    repeated_group,
    repeated_pairs,
)


def test_groups_alternate_with_checks_and_end_with_a_repetition_and_questions_about_the_person() -> None:
    assert places(3) == [
        Place(Step.INSTRUCTION),
        Place(Step.GROUP, 0),
        Place(Step.NAME_CHECK, 0),
        Place(Step.GROUP, 1),
        Place(Step.WORD_CHECK, 1),
        Place(Step.GROUP, 2),
        Place(Step.REPEAT),
        Place(Step.ABOUT_YOU),
    ]


def test_each_group_is_shown_equally_often_and_in_each_position_equally_often() -> None:
    shown = {label: [0] * 4 for label in "abcdefgh"}
    for seed in range(160):
        shown = counted(shown, draw(shown, 4, random.Random(seed)))  # noqa: S311
    assert {sum(counts) for counts in shown.values()} == {80}
    assert max(max(counts) - min(counts) for counts in shown.values()) <= 3


def test_two_people_seldom_see_the_same_groups_in_the_same_order() -> None:
    shown = {label: [0] * 4 for label in "abcdefgh"}
    orders = Counter(tuple(draw(shown, 4, random.Random(seed))) for seed in range(50))  # noqa: S311
    assert max(orders.values()) < 5


def test_a_person_sees_the_pairs_in_one_random_order_and_repeats_some() -> None:
    assert sorted(pair_order(7, 16)) == list(range(16))
    assert pair_order(7, 16) == pair_order(7, 16) != pair_order(8, 16)
    assert len(set(repeated_pairs(7, 16, 10))) == 10
    assert len(repeated_pairs(7, 4, 10)) == 4


def test_the_repeated_group_is_an_earlier_one() -> None:
    assert {repeated_group(seed, ["a", "b", "c"]) for seed in range(40)} == {"a", "b"}
    assert repeated_group(1, ["a"]) == "a"
    assert repeated_group(1, []) is None


def test_the_check_of_the_name_offers_the_group_among_three_others() -> None:
    options = name_options(3, "a", list("abcdef"))
    assert len(set(options)) == 4
    assert "a" in options
