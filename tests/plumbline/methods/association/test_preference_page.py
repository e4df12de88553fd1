"""The page of attribute preference: shares beside neutral words, and what a share cannot tell."""

import pytest
from django.urls import reverse

from plumbline.audits.models import Run
from plumbline.methods.association.preference_page import sets_of
from plumbline.spec.measure import Measure
from tests.plumbline.methods.conftest import PREFERENCE, MakeRun, See, measured

TARGETS = {"group_a": "he", "group_b": "she", "n_units": 10}
MEASURES = [
    measured("attribute_preference", 0.2, category="states", **TARGETS),
    measured("median_log_probability_bias", -0.5, category="states", **TARGETS),
    measured("attribute_preference", 0.8, category="titles", q_value=0.01, **TARGETS),
    measured("attribute_preference", 0.7, category="titles", variant="by words", **TARGETS),
    measured("attribute_preference", 0.9, category="titles", variant="by rows", reason="30 rows", **TARGETS),
    measured("median_log_probability_bias", 0.7, category="titles", **TARGETS),
    measured("preference_over_neutral", 0.95, category="titles - states", q_value=0.001, **TARGETS),
]


@pytest.fixture
def run(make_run: MakeRun) -> Run:
    return make_run(PREFERENCE, MEASURES)


def test_neutral_words_are_last_and_are_marked() -> None:
    titles, states = sets_of([Measure(**one) for one in MEASURES])
    assert (titles.category, titles.neutral, states.category, states.neutral) == ("titles", False, "states", True)
    assert titles.by_rows is not None
    assert titles.by_rows.value == 0.9
    assert titles.by_words is not None
    assert titles.by_words.value == 0.7
    assert titles.over_neutral is not None
    assert states.over_neutral is None


def test_the_page_has_the_share_its_interval_and_the_caveat(run: Run, see: See) -> None:
    text = see("run_preference", run)
    assert "<b>0.80</b>" in text
    assert "[0.30, 1.3]" in text
    assert "0.90 [0.40, 1.4]" in text
    assert "+0.70 [+0.20, +1.20]" in text
    assert "0.95 [0.45, 1.4]" in text
    assert "One shift of all words gives every set a high share" in text


def test_the_run_page_counts_the_words(run: Run, see: See) -> None:
    text = see("run", run)
    told = "links most of titles more strongly to he than to she, on average over word families and kinds of sentence."
    assert told in text
    assert reverse("run_preference", args=[run.pk]) in text


def test_shares_under_other_priors_are_shown_and_are_no_findings_of_their_own(make_run: MakeRun, see: See) -> None:
    none = [
        {**one, "value": 0.3, "verdict": "undecided", "variant": "prior: none"} for one in (MEASURES[0], MEASURES[2])
    ]
    run = make_run(PREFERENCE, [*MEASURES, *none])
    text = see("run_preference", run)
    assert text.count('<td data-label="Prior">without a prior</td>') == 2
    told = see("run", run)
    assert "The verdict depends on the prior. Without a prior it is undecided: 30% [" in told
    assert told.count("of titles more strongly to he than to she") == 1


def test_a_run_without_other_priors_offers_to_summarise_again(run: Run, see: See) -> None:
    assert "This run has no figures under other priors." in see("run_preference", run)


def test_a_set_that_could_not_be_scored_is_hatched(make_run: MakeRun, see: See) -> None:
    none = [
        measured(name, None, category="titles", reason="no attribute of the set could be scored", **TARGETS)
        for name in ("attribute_preference", "median_log_probability_bias")
    ]
    run = make_run(PREFERENCE, none)
    text = see("run_preference", run)
    assert 'class="hatched" colspan="2">Not defined' in text
    assert "no attribute of the set could be scored" in text
    assert "cannot be separated from the sets' own" in text
    see("run", run)


def test_the_table_is_a_file(run: Run, see: See) -> None:
    assert "preference_over_neutral" in see("run_preference_csv", run)


def test_a_run_without_it_says_so_and_offers_no_such_page(make_run: MakeRun, see: See) -> None:
    plain = make_run(PREFERENCE, [])
    assert "no attribute preference" in see("run_preference", plain)
    assert reverse("run_preference", args=[plain.pk]) not in see("run", plain)
