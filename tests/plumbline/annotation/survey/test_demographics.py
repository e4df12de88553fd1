"""Answers about the person: a choice, own words, or none."""

import pytest

from plumbline.annotation.survey.demographics import LONGEST, QUESTIONS, answers_of
from plumbline.spec.errors import InputError
from plumbline.spec.judgements import DEMOGRAPHICS


def test_every_field_of_a_rating_list_has_its_question() -> None:
    assert tuple(QUESTIONS) == DEMOGRAPHICS


def test_choices_and_own_words_are_kept_and_silence_is_not() -> None:
    given = {"gender": "Woman", "race": "own", "race_own": " two\n words ", "age": "", "area_own": "not chosen"}
    assert answers_of(given) == {"gender": "Woman", "race": "two words"}


def test_own_words_are_short_and_have_only_signs_that_print() -> None:
    assert answers_of({"area": "own", "area_own": "a\x00b\u202ec"}) == {"area": "a b c"}
    assert answers_of({"area": "own", "area_own": "x" * 500}) == {"area": "x" * LONGEST}
    assert answers_of({"area": "own", "area_own": "\x00"}) == {}


def test_an_answer_that_was_not_offered_is_refused() -> None:
    with pytest.raises(InputError, match="is not one of the answers"):
        answers_of({"age": "17"})
