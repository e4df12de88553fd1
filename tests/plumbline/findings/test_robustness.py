"""What is said of how firm a run's figures are, from measures that its summary stored."""

from dataclasses import asdict, replace
from typing import Any

import pytest
from pytest_django.fixtures import DjangoAssertNumQueries

from plumbline.findings.robustness import (
    bands,
    rank_agreement_sentences,
    reliability_sentence,
    robustness_of,
    run_sentences,
)
from plumbline.results.measure_writing import replace_measures
from plumbline.spec.measure import Measure

UNDER_OTHER_PRIOR = (
    "The order of a group's words hardly depends on the choice of the prior. Without a prior, about 97% of all pairs"
    " of words are in the same order as under the specified prior (Kendall's tau +0.93). Two unrelated orders agree on"
    " 50%."
)
PAIR = {"group_a": "women", "group_b": "men"}


def measure(statistic: str, value: float | None, **changes: Any) -> Measure:
    return Measure(
        **{"statistic": statistic, "unit": "kind of sentence", "n": 30, "n_units": 12, "value": value, **changes}
    )


RELIABILITY = measure("split_half_reliability", 0.86, **PAIR, condition="ilps_difference")
NEEDED = measure("kinds_needed", 8.0, **PAIR, condition="ilps_difference")
MEAN = measure("leave_one_kind_out", 0.15, **PAIR, category="titles", ci_low=0.11, ci_high=0.19)
KINDS = [
    measure("difference_by_kind", value, **PAIR, category="titles", template=name)
    for name, value in (("plain", 0.3), ("doubt", -0.05), ("question", 0.2))
]
WORDS = [
    measure("leave_one_kind_out", value, **PAIR, attribute=f"w{at}", ci_low=low, ci_high=high)
    for at, (value, low, high) in enumerate([(0.5, 0.4, 0.6), (0.02, -0.01, 0.04), (-0.03, -0.1, 0.01)])
]
COMPONENTS = [
    measure("difference_variance_component", value, condition=source, **PAIR, reason="no kind has two frames")
    for source, value in (("word", 0.09), ("kind", 0.01), ("frame", None))
]
PRIORS = [
    measure("prior_rank_agreement", 0.93, variant="prior: none", n=262, n_units=2),
    measure("prior_rank_agreement", 0.5, variant="prior: none", group_a="women"),
]
EVERY = [RELIABILITY, NEEDED, MEAN, *KINDS, *WORDS, *COMPONENTS, *PRIORS]


def stored(*found: Measure) -> Any:
    replace_measures(1, [asdict(one) for one in found])
    return robustness_of(1, "women", "men")


def test_an_order_of_a_few_words_is_not_called_reliable() -> None:
    told = reliability_sentence(replace(RELIABILITY, n=3), NEEDED)
    assert told.startswith("3 words are too few to say whether other sentences would order them alike: split-half")


def test_each_figure_has_a_sentence(db: None) -> None:
    assert stored(*EVERY).sentences == [
        "Other sentences of such kinds would order the words similarly: split-half reliability 0.86 over 12 kinds of"
        " sentence. About 8 kinds would reach 0.8.",
        "With any one kind of sentence left out, the mean difference over titles stays between +0.11 and +0.19"
        " (all kinds: +0.15).",
        "1 of 3 kinds of sentence, taken alone, has a mean over titles of the other sign: \u201cdoubt\u201d.",
        "2 of 3 words change their sign when one kind is left out.",
        UNDER_OTHER_PRIOR,
    ]


def test_a_mean_whose_sign_is_open_has_no_kinds_on_the_other_side(db: None) -> None:
    open_mean = replace(MEAN, value=0.01, ci_low=-0.02, ci_high=0.03)
    told = stored(RELIABILITY, open_mean, *KINDS).sentences
    assert told[1].endswith("(all kinds: +0.010). So its sign depends on single kinds.")
    assert not any("of the other sign" in one for one in told)


@pytest.mark.parametrize(
    ("tau", "does", "share"),
    [
        (1.0, "hardly depends on the choice of the prior.", "100%"),
        (0.6, "depends in part on the choice of the prior.", "80%"),
        (0.3, "depends on the choice of the prior, so read ranks only together with this choice.", "65%"),
        (-0.037, "says little by itself, because another prior gives a hardly related order.", "48%"),
        (-1.0, "turns round with another prior, so read ranks only together with this choice.", "0%"),
    ],
)
def test_the_agreement_of_orders_begins_with_what_it_means(tau: float, does: str, share: str) -> None:
    (told,) = rank_agreement_sentences([replace(PRIORS[0], value=tau, group_a="")])
    assert told.startswith(f"The order of a group's words {does} Without a prior, about {share} of all pairs")


def test_of_a_few_words_chance_gives_a_tau_as_large() -> None:
    (told,) = rank_agreement_sentences([replace(PRIORS[0], value=-0.36, n=16, group_a="")])
    assert told.startswith(
        "The order of a group's words cannot be held against another prior: for 8 words chance gives such a tau, too."
    )


def test_few_kinds_say_nothing_about_other_sentences(db: None) -> None:
    assert stored(replace(RELIABILITY, n_units=2)).sentences == [
        "There are too few kinds of sentence to say whether others would order the words alike: split-half reliability"
        " 0.86 over 2 kinds of sentence."
    ]


def test_a_ranking_below_the_bound_is_drawn_as_bands(db: None) -> None:
    loose = stored(replace(RELIABILITY, value=0.69), replace(NEEDED, value=21.0))
    assert loose.is_banded
    assert loose.sentences == [
        "Other sentences may order the words differently: split-half reliability 0.69 over 12 kinds of sentence, which"
        " is below 0.7. About 21 kinds would reach 0.8. Words are listed in bands."
    ]
    assert not stored(replace(RELIABILITY, value=0.7)).is_banded
    undefined = stored(replace(RELIABILITY, value=None, reason="fewer than three words"))
    assert not undefined.is_banded
    assert undefined.sentences == ["The reliability of the order of the words is not defined: fewer than three words."]


def test_shares_are_of_the_components_that_are_known(db: None) -> None:
    word, kind, frame = stored(*EVERY).sources
    assert (word.share, kind.share, frame.share) == (pytest.approx(0.9), pytest.approx(0.1), None)
    assert word.deviation == pytest.approx(0.3)
    assert frame.reason == "no kind has two frames"


def test_a_run_of_an_earlier_release_has_no_sentence(db: None) -> None:
    assert not stored(measure("ilps_difference", 0.4, **PAIR))
    assert not stored(*PRIORS)
    assert stored(*EVERY)
    assert not robustness_of(1, "men", "women").sources


def test_it_takes_two_queries(db: None, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    replace_measures(1, [asdict(one) for one in EVERY])
    with django_assert_num_queries(2):
        robustness_of(1, "women", "men").sentences  # noqa: B018


def test_the_console_shows_each_contrast_and_other_priors() -> None:
    told = run_sentences([*EVERY, replace(RELIABILITY, group_b="", condition="ilps")])
    assert [sentence.split(":")[0] for sentence in told] == [
        "women minus men",
        UNDER_OTHER_PRIOR,
    ]
    many = run_sentences([replace(RELIABILITY, group_a=f"g{at}") for at in range(12)])
    assert many[-1] == "2 more contrasts"


def test_words_whose_intervals_overlap_with_the_first_of_their_band_share_it() -> None:
    limits = [(2.0, 3.0), (1.9, 2.1), (1.0, 1.95), (0.9, 1.5), (None, None), (0.1, 0.2)]
    ranked = [replace(MEAN, ci_low=low, ci_high=high) for low, high in limits]
    assert bands(ranked) == [1, 1, 2, 2, 2, 3]
    assert bands([]) == []
