import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.spec.clean_text import fault_in, printable, tidy


@pytest.mark.parametrize("name", ["O'Brien", "Renée", "ليلى", "שרה", "李娜", "Nguyễn", "Mary Ann", "Jean-Luc"])
def test_names_of_all_scripts_are_fine(name: str) -> None:
    assert tidy(name) == name
    assert fault_in(name) == ""


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("An\u200bna", "U+200B (zero width space)"),
        ("An\u00adna", "U+00AD (soft hyphen)"),
        ("\u202eannA", "U+202E (right-to-left override)"),
        ("An\x00na", "U+0000"),
        ("An\nna", "U+000A"),
        ("Mary\u00a0Ann", "U+00A0 (no-break space)"),
    ],
)
def test_a_character_that_nobody_sees_is_refused_by_its_name(text: str, named: str) -> None:
    assert named in fault_in(text)


def test_prose_may_have_lines_but_no_invisible_characters() -> None:
    assert fault_in("One.\n\tTwo.", lines=True) == ""
    assert "U+200B" in fault_in("One.\nTwo\u200b.", lines=True)


def test_text_that_looks_equal_becomes_equal() -> None:
    assert tidy("Rene\u0301e ") == tidy(" Ren\u00e9e") == "Ren\u00e9e"


@given(st.text())
def test_tidying_twice_changes_nothing_more(text: str) -> None:
    assert tidy(tidy(text)) == tidy(text)


@given(st.text())
def test_a_printable_text_has_its_length_one_line_and_nothing_that_does_not_print(text: str) -> None:
    found = printable(text)
    assert found.isprintable()
    assert all(
        now == before or (now, before.isprintable()) == (" ", False) for now, before in zip(found, text, strict=True)
    )
