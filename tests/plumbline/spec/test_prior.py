from typing import Any

import pytest
from pydantic import ValidationError

from plumbline.spec.grammar import Word
from plumbline.spec.prior import Prior


def test_the_neutral_words_fill_the_groups_slot() -> None:
    assert Prior(singular="person", plural="people").group == Word("person", "person", "people", "they")
    assert Prior(plural="people").group == Word("people", "", "people", "they")


@pytest.mark.parametrize("prior", [Prior(mask="one"), Prior(mean=True)])
def test_a_prior_without_words_still_fills_every_form_of_the_slot(prior: Prior) -> None:
    assert all([prior.group.label, prior.group.singular, prior.group.plural, prior.group.pronoun])


@pytest.mark.parametrize(
    "data", [{}, {"mean": False}, {"mask": "one", "mean": True}, {"mask": "one", "plural": "x"}, {"attribute": ""}]
)
def test_exactly_one_kind_of_prior_is_given(data: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match=r"give one of \{mask: one\}"):
        Prior.model_validate(data)
