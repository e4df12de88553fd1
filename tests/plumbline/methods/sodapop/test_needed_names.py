"""How many names a group needs, told before a launch."""

from math import comb

from plumbline.methods.sodapop.needed_names import Needs


def needs(words: int = 100, draws: int = 1_000_000, **groups: int) -> Needs:
    return Needs(groups or {"a": 8, "b": 8}, words, 0.05, draws)


def test_the_fewest_names_have_enough_splits_for_one_of_all_comparisons() -> None:
    """All splits of 7 + 7 names are 3,432, two of which are unanimous: 2 / 3,432 x 100 is above 0.05."""
    assert needs().names(100) == 8
    assert 2 / comb(14, 7) > 0.05 / 100 > 2 / comb(16, 8)
    assert needs().names(1) == 4


def test_more_pairs_of_groups_need_more_names() -> None:
    assert "at least 8 names" in needs(a=8, b=8).sentences()[0]
    assert "at least 10 names" in needs(**dict.fromkeys("abcdefgh", 25)).sentences()[0]


def test_pairs_with_too_few_names_are_named_and_counted() -> None:
    assert needs(a=8, b=8).sentences()[1:] == []
    assert needs(a=25, b=9, c=4).sentences()[1:] == [
        "1 of 3 pairs of groups has too few names for a single word: b (9) with c (4)."
    ]
    assert needs(a=3, b=3, c=3, d=3).sentences()[1:] == [
        "6 of 6 pairs of groups have too few names for a single word: a (3) with b (3), a (3) with c (3), a (3) with d"
        " (3) and 3 more."
    ]


def test_a_large_group_helps_a_small_one() -> None:
    assert len(needs(a=5, b=5).sentences()) == 2
    assert len(needs(a=5, b=40).sentences()) == 1


def test_too_few_permutations_are_told_with_the_number_that_suffices() -> None:
    assert needs(draws=999).sentences() == [
        "With 999 permutations no number of names makes a single one of 100 words significant. Set `permutations` to"
        " 1,999 or more."
    ]
    assert needs(draws=1998).names(100) is None
    assert needs(draws=1999).names(100)
