"""Ratings as arrays, found by the names that groups and pairs have in them."""

from typing import Any

import numpy as np
import pytest

from plumbline.spec.banks.pairs import Pair, pairs_of
from plumbline.spec.content import Attribute, Group, Rating
from plumbline.spec.errors import SpecError
from plumbline.spec.judgements import judgements_of, means


def rating(annotator: str, group: str, score: float, pair: str = "cold - warm", **told: str) -> Rating:
    left, right = pair.split(" - ")
    return Rating(annotator=annotator, group=group, left=left, right=right, rating=score, **told)


def test_a_rating_lies_where_annotator_group_and_pair_meet() -> None:
    found = judgements_of([rating("a", "women", 10), rating("b", "men", 90), rating("b", "women", 30, "poor - rich")])
    assert (found.annotators, found.groups) == (("a", "b"), ("women", "men"))
    assert found.values[0, 0, 0] == 10
    assert found.values[1, 1, 0] == 90
    assert found.values[1, 0, 1] == 30
    assert np.isnan(found.values).sum() == 5


def test_groups_and_pairs_are_found_by_key_else_by_label_also_turned_round() -> None:
    judged = judgements_of(
        [rating("a", "transgender people", 10), rating("a", "men", 20), rating("a", "men", 30, "rich - poor")]
    )
    groups = [Group(label="trans people", human_data_key="transgender people"), Group(label="men"), Group(label="cats")]
    pairs = [
        Pair("icy - warm", "", human_data_key="cold - warm", left=0, right=1),
        Pair("poor - rich", "", human_data_key="", left=2, right=3),
        Pair("dull - bright", "", human_data_key="", left=4, right=5),
    ]
    (found,) = judged.held_against(groups, pairs)
    expected = [[10, np.nan, np.nan], [20, 70, np.nan], [np.nan] * 3]
    assert np.array_equal(found, np.array(expected), equal_nan=True)
    assert judged.other_rated_groups(groups[:1]) == ["men"]


def test_a_group_or_pair_of_two_names_has_the_ratings_of_both() -> None:
    """Six call the group by its label and the pair as it stands, six by its key and turned round."""
    rows = [rating(f"a{number}", "trans people", 10) for number in range(6)]
    rows += [rating(f"b{number}", "transgender people", 10, "warm - cold") for number in range(6)]
    groups = [Group(label="trans people", human_data_key="transgender people")]
    pairs = [Pair("cold - warm", "", human_data_key="", left=0, right=1)]
    judged = judgements_of(rows)
    found = judged.held_against(groups, pairs)
    assert (~np.isnan(found)).sum() == 12
    assert means(found)[0, 0] == pytest.approx((10 + 90) / 2)
    assert judged.other_rated_groups(groups) == []


@pytest.mark.parametrize(
    ("second", "names"),
    [
        (("transgender people", "cold - warm"), "'trans people' and 'transgender people'"),
        (("trans people", "warm - cold"), "'trans people'"),
    ],
)
def test_a_group_rated_twice_under_two_names_is_refused(second: tuple[str, str], names: str) -> None:
    judged = judgements_of([rating("a", "trans people", 10), rating("a", second[0], 10, second[1])])
    groups = [Group(label="trans people", human_data_key="transgender people")]
    pairs = [Pair("cold - warm", "", human_data_key="", left=0, right=1)]
    with pytest.raises(SpecError, match=f"'a' rates {names} on cold - warm under two names; keep one rating"):
        judged.check(groups, pairs)


def test_a_mean_of_few_raters_is_hidden() -> None:
    rows = [rating(str(number), "men", 10.0 * number) for number in range(5)]
    rows += [rating(str(number), "women", 50) for number in range(4)]
    assert means(judgements_of(rows).values)[0, 0] == 20
    assert np.isnan(means(judgements_of(rows).values)[1, 0])
    assert means(judgements_of(rows).values, least=4)[1, 0] == 50


def test_annotators_are_divided_by_their_demographics() -> None:
    rows = [
        rating("a", "men", 1, gender="woman", age="24", race="Black"),
        rating("a", "women", 2),
        rating("b", "men", 3, gender="man", age="70", race="Black"),
        rating("c", "men", 4),
    ]
    parts = {name: members.tolist() for name, members in judgements_of(rows).parts()}
    assert parts == {
        "gender: man": [False, True, False],
        "gender: woman": [True, False, False],
        "race: Black": [True, True, False],
        "age: 18-24": [True, False, False],
        "age: 65 and over": [False, True, False],
        "race: Black; gender: man": [False, True, False],
        "race: Black; gender: woman": [True, False, False],
    }


@pytest.mark.parametrize(
    ("second", "fault"),
    [
        (rating("a", "men", 2), "'a' rates 'men' on cold - warm twice"),
        (rating("a", "women", 2, gender="man"), "'a' has two values of gender"),
    ],
)
def test_ratings_at_odds_are_refused(second: Rating, fault: str) -> None:
    with pytest.raises(SpecError, match=fault):
        judgements_of([rating("a", "men", 1, gender="woman"), second])


def words(*poles: tuple[str, str, str]) -> list[Attribute]:
    keys = ("text", "pole", "pair")
    return [Attribute.model_validate(dict(zip(keys, one, strict=True))) for one in poles]


def test_a_pair_needs_both_of_its_poles() -> None:
    attributes = words(("warm", "right", "cold - warm"), ("tall", "", ""), ("cold", "left", "cold - warm"))
    attributes += words(("poor", "left", "poor - rich"))
    assert [(pair.name, pair.left, pair.right) for pair in pairs_of(attributes)] == [("cold - warm", 2, 0)]


@pytest.mark.parametrize(
    ("poles", "fault"),
    [
        ((("warm", "right", ""),), "'warm': give both 'pair' and 'pole'"),
        ((("warm", "", "cold - warm"),), "'warm': give both 'pair' and 'pole'"),
        (
            (("warm", "right", "cold - warm"), ("hot", "right", "cold - warm")),
            "'warm' and 'hot' are both the right of 'cold - warm'",
        ),
    ],
)
def test_poles_that_do_not_make_a_pair_are_refused(poles: Any, fault: str) -> None:
    with pytest.raises(SpecError, match=fault):
        pairs_of(words(*poles))
