"""Words on pages: invisible characters are written out, and nothing else is changed."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.spec.clean_text import REFUSED
from plumbline.vocab.templatetags.words import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [("", ""), ("naïve São", "naïve São"), ("a\u00a0b", "a\u00a0b"), ("gen\u200bder\n", "gen⟨U+200B⟩der⟨U+000A⟩")],
)
def test_only_what_nobody_can_see_is_written_out(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text())
def test_each_invisible_character_is_replaced_by_its_number(text: str) -> None:
    hidden = [one for one in text if unicodedata.category(one) in REFUSED]
    shown = visible(text)
    assert not any(unicodedata.category(one) in REFUSED for one in shown)
    for one in hidden:
        assert f"⟨U+{ord(one):04X}⟩" in shown
    assert len(shown) == len(text) + sum(len(f"{ord(one):04X}") + 3 for one in hidden)
