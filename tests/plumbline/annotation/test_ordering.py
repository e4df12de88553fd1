"""Groups in order along traits: counted as the paper does, against people's ratings, with the paper's marks."""

import csv
from pathlib import Path

import pytest

from plumbline.annotation.ordering import Agreement, Rated, agreement, orderings

TRAITS = [("cold", "warm"), ("poor", "wealthy"), ("dishonest", "sincere")]
TABLES = Path(__file__).parents[4] / "shared" / "data" / "sodapop" / "paper_tables.csv"


def test_a_group_is_lower_if_fewer_of_its_words_map_to_the_right_pole() -> None:
    votes = {"brutal": {"cold": 3}, "kind": {"warm": 2}, "rich": {"wealthy": 1}, "stone": {}}
    warm, wealthy, sincere = orderings(TRAITS, votes, ["brutal", "stone"], ["kind", "rich"])
    assert (warm.a_left, warm.a_right, warm.b_left, warm.b_right) == (3, 0, 0, 2)
    assert (warm.score, warm.sign, warm.strong) == (-5, -1, True)
    assert (wealthy.score, wealthy.sign, wealthy.strong) == (-1, -1, False)
    assert sincere.sign is None


def test_equal_scores_are_no_ordering_and_no_word_is_another_thing() -> None:
    votes = {"odd": {"cold": 1, "warm": 1}}
    warm, wealthy, _ = orderings(TRAITS, votes, ["odd"], [])
    assert (warm.sign, wealthy.sign) == (0, None)


def test_a_word_of_both_groups_counts_for_both_and_once_however_often_it_is_named() -> None:
    warm = orderings(TRAITS, {"kind": {"warm": 2}}, ["kind", "kind"], ["kind"])[0]
    assert (warm.a_right, warm.b_right, warm.sign) == (2, 2, 0)


@pytest.mark.parametrize(
    ("difference", "sign", "mark"),
    [(-20.0, -1, "†"), (19.99, 1, "*"), (10.0, 1, "*"), (-9.5, -1, ""), (0.0, 0, ""), (None, None, "")],
)
def test_ratings_order_groups_and_mark_large_differences(difference: float | None, sign: int | None, mark: str) -> None:
    assert (Rated(difference).sign, Rated(difference).mark) == (sign, mark)


def test_agreement_leaves_out_what_either_side_does_not_order() -> None:
    signs = [(1, 1), (-1, -1), (1, -1), (0, 1), (None, 1), (1, None), (1, 0)]
    assert agreement(signs) == Agreement(traits=3, same=2)
    assert agreement([(None, 1)]) == Agreement(0, 0)


def test_the_papers_table_gives_its_own_counts() -> None:
    """African and European American women, with EA annotators: alike on 12 of the 15 traits that both order."""
    if not TABLES.exists():
        pytest.skip("the paper's tables are not at hand")
    with TABLES.open(newline="") as file:
        printed = {(row["row"], row["column"]): row["value"] for row in csv.DictReader(file) if row["table"] == "5"}
    traits = sorted({row for row, _ in printed})
    signs = [
        tuple(
            {"<": -1, ">": 1}.get(printed[trait, f"AA F vs EA F: {column}"][0])
            for column in ("SODAPOP", "EA annotators")
        )
        for trait in traits
    ]
    found = agreement([(one, other) for one, other in signs])
    assert (len(traits), found.traits, found.same) == (16, 15, 12)
