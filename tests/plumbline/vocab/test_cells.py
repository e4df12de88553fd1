import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.spec.errors import InputError
from plumbline.vocab.cells import escape, from_text, to_text, unescape
from plumbline.vocab.models import Group, TraitPair

PILOT = Group._meta.get_field("pilot")
EXTRA = TraitPair._meta.get_field("left_extra")


@given(st.text().map(str.strip) | st.text(alphabet="'=+-@a").map(str.strip))
def test_what_is_escaped_comes_back_and_is_never_a_formula(text: str) -> None:
    assert escape(text)[:1] not in set("=+-@＝＋－＠")
    assert unescape(escape(text)) == text


@pytest.mark.parametrize(
    ("text", "cell"), [("=1+1", "'=1+1"), ("'=1", "''=1"), ("-ish", "'-ish"), ("'Abd", "'Abd"), ("O'Brien", "O'Brien")]
)
def test_an_apostrophe_goes_before_formulas_only(text: str, cell: str) -> None:
    assert escape(text) == cell
    assert unescape(cell) == text


@pytest.mark.parametrize("cell", ["=HYPERLINK(0)", "+1", "-1", "@SUM(A1)", "  =1", "＝1"])
def test_a_bare_formula_is_refused_with_the_remedy(cell: str) -> None:
    with pytest.raises(InputError, match="write an apostrophe before it"):
        unescape(cell)


def test_truth_is_yes_or_nothing() -> None:
    assert [to_text(True), to_text(False)] == ["yes", ""]
    assert [from_text(PILOT, text) for text in ("yes", "TRUE", "1", "no", "")] == [True, True, True, False, False]
    with pytest.raises(InputError, match="write yes or no"):
        from_text(PILOT, "maybe")


def test_an_unknown_number_is_nothing_and_zero_is_zero() -> None:
    assert [to_text(number) for number in (None, 0.0, 0.028, 12.0)] == ["", "0", "0.028", "12"]


def test_words_of_a_list_are_between_semicolons() -> None:
    assert to_text(["weak", "helpless, that is"]) == "weak; helpless, that is"
    assert from_text(EXTRA, "weak; helpless, that is;") == ["weak", "helpless, that is"]


@pytest.mark.parametrize("before", ["\t", "\r", "\n", " ", "\u00a0", "\u200b", "\ufeff", "\x00", "'\t", "\t'", "\t \t"])
@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "＝"])
def test_white_space_before_a_formula_does_not_hide_it(before: str, sign: str) -> None:
    text = f"{before}{sign}cmd|' /C calc'!A0"
    assert escape(text) == f"'{text}"
    assert unescape(escape(text)) == text
