"""A name becomes a slot: the whole word, and nothing else."""

import re

from hypothesis import given
from hypothesis import strategies as st

from plumbline.vocab.banks.slots import SLOT, left_names, slotted

NAMES = st.from_regex(r"\A[A-Z][a-z]{1,6}\Z")


def test_the_name_and_its_possessive_become_slots() -> None:
    assert slotted("Kim's dog, and Kim’s. (Kim!)", "Kim") == "{name}'s dog, and {name}'s. ({name}!)"


def test_unknown_words_and_cases_are_left_as_they_are_and_reported() -> None:
    text = slotted("Kim and Kims met kim and Kimberly.", "Kim")
    assert text == "{name} and Kims met kim and Kimberly."
    assert left_names(text, "Kim") == ["Kims", "kim", "Kimberly"]


@given(st.text(), NAMES)
def test_twice_changes_no_more_than_once(text: str, name: str) -> None:
    once = slotted(text, name)
    assert slotted(once, name) == once


@given(st.lists(st.from_regex(r"\A[A-Za-z]{1,8}[.,]?\Z")), NAMES)
def test_no_other_word_is_touched(words: list[str], name: str) -> None:
    put = slotted(" ".join(words), name).split(" ")
    assert [one for one in put if SLOT not in one] == [
        one for one in " ".join(words).split(" ") if re.sub(r"[.,]", "", one) != name
    ]
