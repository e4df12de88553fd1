"""Two wordings compared."""

import numpy as np

from plumbline.annotation.survey.pilots import compared
from plumbline.spec.judgements import Judgements

GROUPS, PAIRS = ("tall", "short"), (("cold", "warm"), ("weak", "strong"), ("old", "new"))
LEVELS = np.array([[20.0, 50.0, 80.0], [70.0, 40.0, 10.0]])


def judged(seed: int, shift: float = 0, raters: int = 12) -> Judgements:
    noise = np.random.default_rng(seed).normal(0, 8, (raters, 2, 3))
    return Judgements(tuple(map(str, range(raters))), GROUPS, PAIRS, LEVELS + shift + noise, ({},) * raters)


def test_equal_answers_differ_as_by_chance() -> None:
    found = compared(judged(1), judged(2))
    assert found is not None
    assert found.cells == 6
    assert found.p > 0.05
    assert found.correlation is not None
    assert found.correlation > 0.9


def test_a_wording_that_moves_all_answers_is_found() -> None:
    found = compared(judged(1), judged(2, shift=15))
    assert found is not None
    assert found.p == 0.001
    assert 12 < found.difference < 18
    assert found.by_chance < 8


def test_too_few_raters_are_not_compared() -> None:
    assert compared(judged(1, raters=4), judged(2)) is None
