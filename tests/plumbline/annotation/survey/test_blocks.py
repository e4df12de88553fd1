"""What a release may publish: blocks of at least five raters who cannot be told apart."""

import random
from collections import Counter

import pytest

from plumbline.annotation.survey.blocks import profiles, releasable

ANSWERS = {"gender": ("Woman", "Man", "Non-binary", ""), "race": ("A", "B", "C", ""), "age": ("1", "2", "")}


def test_only_groups_with_five_new_raters_are_released() -> None:
    waiting = [*((rater, "tall") for rater in range(5)), *((rater, "short") for rater in range(4))]
    assert releasable(waiting) == {"tall": {0, 1, 2, 3, 4}}


def test_what_five_raters_share_is_published() -> None:
    raters = {"tall": set(range(10))}
    told = profiles(raters, {rater: {"gender": "Woman" if rater < 5 else "Man"} for rater in range(10)})
    assert Counter(told.values()) == {(("gender", "Woman"),): 5, (("gender", "Man"),): 5}


def test_the_last_fields_are_dropped_first() -> None:
    answers = {rater: {"gender": "Woman", "race": str(rater)} for rater in range(5)}
    assert set(profiles({"tall": set(range(5))}, answers).values()) == {(("gender", "Woman"),)}


def test_raters_who_would_be_left_over_take_others_with_them() -> None:
    """Ten women and one silent rater: all minus women would be that one."""
    answers = {rater: {"gender": "Woman"} if rater else {} for rater in range(11)}
    assert set(profiles({"tall": set(range(11))}, answers).values()) == {()}


@pytest.mark.parametrize("seed", range(20))
def test_every_block_of_every_group_has_five_raters(seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311
    people = range(60)
    answers = {one: {field: dice.choice(values) for field, values in ANSWERS.items()} for one in people}
    raters = releasable((one, group) for one in people for group in dice.sample("abcdef", 4))
    told = profiles(raters, answers)
    assert all(count >= 5 for own in raters.values() for count in Counter(told[one] for one in own).values())
