"""What each word brings to an effect size, from the records."""

import pytest

from plumbline.results import mean_scores
from tests.plumbline.results.conftest import Load

RUN = 7
HE, SHE = "he", "she"
ONE, OTHER = "{group} likes {attribute}.", "{group} loves {attribute}."
KNOWN = [
    (ONE, HE, "math", 1.0, None),
    (OTHER, HE, "math", 3.0, None),
    (ONE, SHE, "math", 0.5, None),
    (ONE, HE, "art", 2.0, None),
    (OTHER, HE, "art", None, "several subwords"),
]

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def records(load: Load) -> None:
    load(RUN, KNOWN)
    load(RUN + 1, [(ONE, HE, "math", 100.0, None)])


def test_an_attribute_has_its_mean_over_the_sentences_that_are_named() -> None:
    assert mean_scores.of_attributes(RUN, [(ONE, HE), (OTHER, HE)], ["math"]) == {"math": 2.0}
    assert mean_scores.of_attributes(RUN, [(ONE, HE)], ["math", "art"]) == {"math": 1.0, "art": 2.0}


def test_an_attribute_that_some_sentence_could_not_score_has_none() -> None:
    assert mean_scores.of_attributes(RUN, [(ONE, HE), (OTHER, HE)], ["art"]) == {}


def test_a_sentence_that_nobody_asked_leaves_nothing_to_compare() -> None:
    assert mean_scores.of_attributes(RUN, [(ONE, HE), ("never asked", HE)], ["math"]) == {}
    assert mean_scores.of_attributes(RUN, [], ["math"]) == {}


def test_a_group_has_its_mean_over_the_attributes_that_it_has_a_score_with() -> None:
    assert mean_scores.of_groups(RUN, [HE, SHE], ["math", "art"]) == {HE: 2.0, SHE: 0.5}


def test_what_has_no_score_is_reported_with_its_reason() -> None:
    assert mean_scores.not_scored(RUN, [HE, SHE], ["math", "art"]) == [(HE, "art", OTHER, "several subwords")]
    assert mean_scores.not_scored(RUN, [SHE], ["art"]) == []
