from typing import Any

import pytest
from pydantic import ValidationError

from plumbline.spec.grammar import Word, render
from plumbline.spec.prior import Prior

WOMEN, WOMAN, HE = Word("women", "woman", "women"), Word("woman", "woman", "women"), Word("he")


def test_the_neutral_word_has_the_number_of_the_group() -> None:
    people = Prior(singular="person", plural="people")
    assert people.neutral(WOMAN) == people.neutral(HE) == Word("person", "person", "people", "they")
    assert people.neutral(WOMEN) == Word("people", "person", "people", "they")
    assert Prior(plural="people").neutral(WOMAN) == Word("people", "", "people", "they")


def test_the_prior_sentence_agrees_as_the_groups_own_does() -> None:
    prior = Prior(singular="person", plural="people")
    for group, expected in ((WOMEN, "People are poor."), (WOMAN, "Person is poor.")):
        words = {"group": prior.neutral(group), "attribute": Word("poor")}
        assert render("{Group} {is|are} {attribute}.", words).text == expected


@pytest.mark.parametrize("prior", [Prior(mask="one"), Prior(mean=True)])
def test_a_prior_without_words_still_fills_every_form_of_the_slot(prior: Prior) -> None:
    neutral = prior.neutral(WOMEN)
    assert all([neutral.label, neutral.singular, neutral.plural, neutral.pronoun])


@pytest.mark.parametrize(
    "data", [{}, {"mean": False}, {"mask": "one", "mean": True}, {"mask": "one", "plural": "x"}, {"attribute": ""}]
)
def test_exactly_one_kind_of_prior_is_given(data: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match=r"give one of \{mask: one\}"):
        Prior.model_validate(data)
