"""Lists of words in the cells of templates: whatever is written in them is read back."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.methods.bbq.bank.word_list_cells import lists_of, name_lists, two_lists

WORD = st.text("abcdefghijkl -'’.é0123", min_size=1, max_size=12).map(str.strip).filter(bool)
WORDS = st.lists(WORD, min_size=1, max_size=5).map(tuple)


@given(WORDS, WORDS, st.booleans(), st.booleans(), st.sampled_from(["; ", ";", " ; ", "\n"]))
def test_lists_are_read_in_either_order_and_spelling(
    first: tuple[str, ...], second: tuple[str, ...], braces: bool, turned: bool, between: str
) -> None:
    slots = ("{{NAME1}}", "{{NAME2}}") if braces else ("NAME1", "NAME2")
    parts = [f"{slot}: [{', '.join(words)}]" for slot, words in zip(slots, (first, second), strict=True)]
    cell = between.join(reversed(parts) if turned else parts)
    assert name_lists(cell) == (first, second)
    assert lists_of(cell) == {"NAME1": first, "NAME2": second}


@given(WORDS, WORDS)
def test_the_authors_parser_agrees_where_nothing_is_out_of_place(
    first: tuple[str, ...], second: tuple[str, ...]
) -> None:
    cell = f"NAME1: [{', '.join(first)}]; NAME2: [{', '.join(second)}]"
    assert name_lists(cell, original=True) == name_lists(cell)


@pytest.mark.parametrize(
    ("cell", "whole", "original"),
    [
        ("NAME1: [a; b]; NAME2: [c, d]", (("a", "b"), ("c", "d")), (("a",), ("c", "d"))),
        ("NAME1: [c, d]; NAME2: [a; b]", (("c", "d"), ("a", "b")), (("c", "d"), ())),
        ("NAME2: [a]; NAME1: [c, d]", (("c", "d"), ("a",)), ((), ())),
    ],
)
def test_what_the_authors_parser_lost_can_be_lost_again(
    cell: str, whole: tuple[tuple[str, ...], tuple[str, ...]], original: tuple[tuple[str, ...], tuple[str, ...]]
) -> None:
    assert name_lists(cell) == whole
    assert name_lists(cell, original=True) == original


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ("NAME1: [a, b]", "there is no list of NAME2"),
        ("NAME1: [a]; NAME2: []", "the list of NAME2 is empty"),
        ("NAME1: [a]; NAME2: b, c", "is no list of words"),
        ("a, b", "is no list of words"),
    ],
)
def test_what_is_no_list_is_reported(cell: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        name_lists(cell)


@given(WORDS, WORDS)
def test_the_words_of_a_second_identity_are_two_lists(first: tuple[str, ...], second: tuple[str, ...]) -> None:
    assert two_lists(json.dumps([first, second])) == (first, second)
    assert two_lists(json.dumps([first[0], second[0]])) == ((first[0],), (second[0],))


@pytest.mark.parametrize("cell", ["", "man, woman", '["man"]', '["man", ""]', '["man", 3]', '[["man"], []]'])
def test_what_are_no_two_lists_is_reported(cell: str) -> None:
    with pytest.raises(ValueError, match="is no pair of words or lists"):
        two_lists(cell)
