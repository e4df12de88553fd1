"""Filling slots, and the repairs: only what a fill made ungrammatical is touched."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.methods.bbq.bank.slot_filling import filled, slots_of

TEXT = st.text("bcdfg aeiou.,A", max_size=40)


@pytest.mark.parametrize(
    ("text", "fill", "expected"),
    [
        ("We saw a {{NAME1}} man.", "old", "We saw an old man."),
        ("We saw a {{NAME1}} man.", "tall", "We saw a tall man."),
        ("He left. A {{NAME1}} man came.", "atheist", "He left. An atheist man came."),
        ("A {{NAME1}} man came.", "atheist", "A atheist man came."),
        ("a dog and a {{NAME1}} cat", "European", "a dog and a European cat"),
        ("for a {{NAME1}} man", "lesbian", "for a lesbian woman"),
        ("the {{NAME1}} woman", "Latino", "the Latina woman"),
        ("with {[NAME1}} there", "braces", "with braces there"),
        ("the {{ NAME1 }} there", "cat", "the cat there"),
    ],
)
def test_a_fill_is_mended(text: str, fill: str, expected: str) -> None:
    assert filled(text, {"NAME1": fill}) == expected


def test_no_article_is_touched_where_no_fill_begins_with_a_vowel() -> None:
    assert filled("got a A in a {{NAME1}} exam", {"NAME1": "hard"}) == "got a A in a hard exam"


@given(TEXT, TEXT)
def test_a_fill_without_a_vowel_at_its_beginning_changes_nothing_else(before: str, after: str) -> None:
    assert filled(f"{before}{{{{NAME1}}}}{after}", {"NAME1": "x"}) == f"{before}x{after}"


@given(TEXT, TEXT)
def test_mending_only_adds_the_n_of_an_article(before: str, after: str) -> None:
    mended = filled(f"{before}{{{{NAME1}}}}{after}", {"NAME1": "old"})
    assert mended.replace("n", "") == f"{before}old{after}"


def test_a_slot_that_nothing_fills_is_reported() -> None:
    with pytest.raises(KeyError, match="WORD1"):
        filled("{{NAME1}} {{WORD1}}", {"NAME1": "x"})
    assert slots_of("{{NAME1}} and {{WORD1}}") == {"NAME1", "WORD1"}
