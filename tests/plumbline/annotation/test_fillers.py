"""Fillers: read from a file, checked that they break the pattern, drawn by a seed."""

import pytest

from plumbline.annotation import fillers
from plumbline.spec.errors import InputError

HEADER = "context,question,ans0,ans1,ans2,label,unknown\n"
SHORT = "Ada sang and Bo did not.,Who sang?,Ada,Bo,Not known,0,2\n"
LONG = "Ada and Bo came home when it was dark and one of them had been singing.,Who sang?,Ada,Not known,Bo,1,1\n"


def test_our_own_break_the_pattern_in_both_directions() -> None:
    own = fillers.own()
    assert len(own) == 24
    assert sum(one.long for one in own) == 12
    assert {one.gold for one in own if not one.long} == {0, 1, 2} == {one.gold for one in own if one.long}
    assert max(len(one.context) for one in own if not one.long) < min(len(one.context) for one in own if one.long)
    assert len({one.context for one in own}) == 24


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEADER, "there is no row"),
        (HEADER + SHORT, "give fillers of both kinds"),
        (HEADER + SHORT + LONG.replace("1,1", "3,1"), "line 3: label and unknown must be 0, 1 or 2"),
        (HEADER + SHORT.replace("Ada,Bo", "Bo,Bo") + LONG, "line 2: two options are alike"),
        (HEADER + SHORT + LONG.replace("Who sang?", ""), "line 3: question is empty"),
        (
            HEADER + SHORT + LONG + SHORT.replace("did not", "did not" + " for a very long time" * 5),
            "make all contexts with UNKNOWN longer",
        ),
        (HEADER + SHORT + LONG.replace("Not known", "=1+1"), "would be a formula"),
        ("text,question\na,b\n", "no column 'context'"),
    ],
)
def test_a_file_that_is_none_says_where(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as error:
        fillers.read("mine.csv", text.encode())
    assert str(error.value).startswith("mine.csv: ")


def test_a_spreadsheet_of_semicolons_is_read() -> None:
    text = (HEADER + SHORT + LONG).replace(",", ";")
    assert [one.long for one in fillers.read("mine.csv", b"\xef\xbb\xbf" + text.encode())] == [False, True]


@pytest.mark.parametrize(("questions", "wanted"), [(4, 1), (68, 11), (87, 13), (160, 24)])
def test_at_least_the_papers_share_of_items_are_fillers(questions: int, wanted: int) -> None:
    assert fillers.needed(questions, 0.13) == wanted
    assert wanted / (wanted + questions) >= 0.13 > (wanted - 1) / (wanted - 1 + questions)


def test_half_of_those_drawn_are_of_either_sort_and_a_seed_draws_the_same() -> None:
    drawn = fillers.draw(fillers.own(), 11, 5)
    assert sum(one.long for one in drawn) == 5
    assert drawn == fillers.draw(fillers.own(), 11, 5) != fillers.draw(fillers.own(), 11, 6)
    assert len(set(fillers.draw(fillers.own(), 24, 0))) == 24
    with pytest.raises(InputError, match="25 fillers are needed, but there are 24"):
        fillers.draw(fillers.own(), 25, 5)
