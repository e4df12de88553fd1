"""Counterfactual text: words exchanged both ways, whole and with their capitals, and the record of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.workers.debiasing.test_words import ENTRIES
from workers.debiasing.counterfactual import Record, counterfactuals, swap
from workers.debiasing.words import GroupWords

ONE_TO_ONE = GroupWords.of(
    "pairs",
    [
        {"text": "woman", "plural": "women", "category": "adult", "group": "female"},
        {"text": "man", "plural": "men", "category": "adult", "group": "male"},
        {"text": "Mrs", "category": "title", "group": "female"},
        {"text": "Mr", "category": "title", "group": "male"},
        {"text": "Emily", "category": "name 1", "group": "female"},
        {"text": "Kevin", "category": "name 1", "group": "male"},
        {"text": "mother-in-law", "category": "in-law", "group": "female"},
        {"text": "father-in-law", "category": "in-law", "group": "male"},
    ],
)
FAITHS = GroupWords.of(
    "faiths",
    [
        {"text": "church", "category": "building", "group": "Christian"},
        {"text": "synagogue", "category": "building", "group": "Jewish"},
        {"text": "mosque", "category": "building", "group": "Muslim"},
    ],
)
GENDER = GroupWords.of("gender", ENTRIES)
FORMS = [form for word in ONE_TO_ONE.written.values() for form in (word, word.capitalize(), word.upper(), word.lower())]
PIECES = st.one_of(
    st.sampled_from(FORMS), st.sampled_from([" ", ", ", ".", "'s ", "-", "s", "\n"]), st.text(max_size=4)
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_swapping_twice_returns_the_text_where_the_list_is_one_to_one(text: str) -> None:
    assert swap(swap(text, ONE_TO_ONE, Record()), ONE_TO_ONE, Record()) == text


@pytest.mark.parametrize(
    ("text", "swapped"),
    [
        ("The woman met Mr Day.", "The man met Mrs Day."),
        ("WOMEN and Men", "MEN and Women"),
        ("Emily's mother-in-law", "Kevin's father-in-law"),
        ("womanly mankind, a human", "womanly mankind, a human"),
        ("mr day", "mr day"),
    ],
)
def test_whole_words_are_swapped_with_their_capitals(text: str, swapped: str) -> None:
    assert swap(text, ONE_TO_ONE, Record()) == swapped


def test_the_record_counts_pairs_ambiguous_words_and_words_without_counterpart() -> None:
    record = Record()
    assert swap("Her man saw her, him and the nun.", GENDER, record) == "His woman saw his, her and the nun."
    assert record.by_word() == {"her": {"his": 2}, "man": {"woman": 1}, "him": {"her": 1}}
    assert (record.ambiguous, record.without_counterpart) == ({"her": 2}, {"nun": 1})


def test_three_groups_take_turns() -> None:
    record = Record()
    found = counterfactuals("A church and a mosque.", FAITHS, record)
    assert found == ["A synagogue and a church.", "A mosque and a synagogue."]
    assert record.swapped["church", "mosque"] == 1


def test_a_text_without_words_has_no_counterfactual() -> None:
    assert counterfactuals("Nobody is here.", GENDER, Record()) == []


def test_a_letter_that_only_looks_alike_is_no_word_of_the_list() -> None:
    sons = GroupWords.of(
        "s", [{"text": "son", "category": "a", "group": "m"}, {"text": "girl", "category": "a", "group": "f"}]
    )
    assert swap("ſon, gırl", sons, Record()) == "ſon, gırl"
    assert sons.named_in("ſon, gırl") == frozenset()
