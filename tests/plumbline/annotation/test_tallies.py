"""Templates that pass, careful raters and how right people are, by hand."""

import numpy as np
import pytest

from plumbline.annotation import tallies
from plumbline.annotation.agreement import alpha
from plumbline.annotation.tallies import Asked, Person, agreeing
from plumbline.annotation.template_texts import CONDITIONS

ITEMS = [
    Asked(pk, gold=0, key=("Age", "1"), condition=asked[0], polarity=asked[1]) for pk, asked in enumerate(CONDITIONS)
]
FILLERS = [Asked(pk, gold=2) for pk in range(10, 17)]
ALL = [*ITEMS, *FILLERS]


def person(*answers: int, fillers: int = 7) -> Person:
    """Answers to the four questions, and so many right ones to the seven fillers."""
    own = dict(zip(range(4), answers, strict=True))
    return own | {one.pk: 2 if place < fillers else 0 for place, one in enumerate(FILLERS)}


def test_four_of_five_pass_and_three_do_not() -> None:
    right = [person(0, 0, 0, 0)] * 3
    (passed,) = tallies.verdicts(ALL, [*right, person(1, 0, 0, 0), person(0, 2, 0, 0)], 0.8)
    assert [(cell.right, cell.n, cell.passes) for cell in passed.cells] == [
        (4, 5, True),
        (4, 5, True),
        *[(5, 5, True)] * 2,
    ]
    assert passed.passes
    (failed,) = tallies.verdicts(ALL, [*right, person(1, 0, 0, 0), person(2, 0, 0, 0)], 0.8)
    assert [cell.passes for cell in failed.cells] == [False, True, True, True]
    assert (failed.cells[0].votes, failed.passes) == ((3, 1, 1), False)


@pytest.mark.parametrize(
    ("raters", "threshold", "needed"),
    [(5, 0.8, 4), (10, 0.8, 8), (4, 0.8, 4), (6, 0.8, 5), (3, 0.6667, 3), (5, 0.6, 3)],
)
def test_the_threshold_is_a_share_of_the_raters(raters: int, threshold: float, needed: int) -> None:
    assert agreeing(raters, threshold) == needed


def test_who_gets_too_many_fillers_wrong_is_flagged_and_left_out() -> None:
    people = [person(0, 0, 0, 0), person(1, 1, 1, 1, fillers=5), person(0, 0, 0, 0, fillers=6)]
    assert [(one.right, one.flagged) for one in tallies.raters(ALL, people)] == [(7, False), (5, True), (6, False)]
    assert tallies.careful(ALL, people) == [people[0], people[2]]


def test_nobody_passes_a_template_that_nobody_rated() -> None:
    assert not tallies.verdicts(ALL, [], 0.8)[0].passes
    nothing = tallies.accuracy(ALL, [])
    assert (nothing.raw, nothing.majority, nothing.alpha) == (None, None, None)


def test_accuracy_leaves_fillers_out_and_a_tie_is_no_majority() -> None:
    """Votes 0 0 0, 0 0 1, 0 1 1, 0 1 2: seven of twelve answers are right, and two of four majorities."""
    found = tallies.accuracy(ALL, [person(0, 0, 0, 0, fillers=0), person(0, 0, 1, 1), person(0, 1, 1, 2)])
    assert (found.right, found.answers, found.right_majorities, found.items) == (7, 12, 2, 4)
    assert found.raw == pytest.approx(7 / 12)
    assert found.majority == 0.5


def test_alpha_by_hand() -> None:
    """Two raters, four items: 0 0, 1 1, 0 1, 2 2. Alpha = 1 - (n - 1) (sum of o_ck) / (sum of n_c n_k), n = 8.

    They differ in one item, which is two disagreeing pairs; values 0, 1, 2 occur 3, 3 and 2 times, 42 pairs.
    """
    answers = np.array([[0, 1, 0, 2], [0, 1, 1, 2]])
    assert alpha(answers) == pytest.approx(1 - 7 * 2 / 42)


def test_alpha_of_the_published_example() -> None:
    """Krippendorff 2011, section B, binary data, many observers brought to two: meg and owen on ten articles, 0.095."""
    meg, owen = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    assert alpha(np.array([meg, owen])) == pytest.approx(0.095, abs=5e-4)


def test_alpha_needs_two_people_and_two_answers() -> None:
    assert alpha(np.array([[0, 1, 2]])) is None
    assert alpha(np.array([[1, 1], [1, 1]])) is None
