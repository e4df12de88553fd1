"""Success rates and relative differences: worked by hand, and the authors' own values."""

import json
from pathlib import Path

import numpy as np
import pytest

from workers.statistics.rates.success_rates import mean_rates, relative_difference, success_rates


def test_a_rate_is_chosen_over_shown_and_undefined_for_a_word_that_was_not_shown() -> None:
    assert success_rates([[1, 0, 0]], [[4, 2, 0]]) == pytest.approx(np.array([[0.25, 0, np.nan]]), nan_ok=True)


def test_the_mean_is_over_the_names_that_have_the_word() -> None:
    rates = np.array([[0.5, np.nan, np.nan], [0.1, 0.3, np.nan]])
    assert mean_rates(rates) == pytest.approx([0.3, 0.3, np.nan], nan_ok=True)


def test_a_relative_difference_worked_by_hand() -> None:
    # d = 0.3 - 0.1, m = 0.2; nothing chosen at all leaves nothing to divide by.
    found = relative_difference(np.array([0.3, 0.0]), np.array([0.1, 0.0]))
    assert found == pytest.approx([1.0, np.nan], nan_ok=True)


def test_both_are_the_authors_own_values(reference: Path) -> None:
    known = json.loads((reference / "sodapop_success_rates.json").read_text())
    rates = known["success_rate_counting_words_with_multiplicity"]
    a, b = (
        np.array([[rates[name][word] for word in known["vocabulary"]] for name in known["groups"][group]])
        for group in ("AA_female", "EA_female")
    )
    found = relative_difference(mean_rates(a), mean_rates(b))
    paper, code = (known[f"relative_difference_{who}"]["AA_female | EA_female"] for who in ("paper", "released_code"))
    assert found == pytest.approx([paper[word] for word in known["vocabulary"]], abs=1e-9)
    assert len(a) * found == pytest.approx([code[word] for word in known["vocabulary"]], abs=1e-9)
