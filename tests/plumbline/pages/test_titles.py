"""Statistics and probes in words."""

from dataclasses import replace

import pytest

from plumbline.pages import titles
from plumbline.spec.card import PAIRED_DIFFERENCE, Statistic
from plumbline.spec.registry import PROBES


@pytest.mark.parametrize("probe", PROBES)
def test_no_two_statistics_of_a_card_share_a_title(probe: str) -> None:
    card = PROBES[probe].card
    keys = [*(one.name for one in card.statistics), PAIRED_DIFFERENCE.name]
    words = [titles.title(key) for key in keys]
    assert len(set(words)) == len(keys)
    assert not set(words) & set(keys)
    assert not [one for one in words if "_" in one]
    assert set(titles.titles(card)) == {one.name for one in card.statistics}


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("set", "Score of each group"),
        ("log_probability_bias", "Difference between groups"),
        ("set_difference", "Difference between groups"),
        ("ceat", "Effect size of each group"),
        ("ceat_difference", "Effect size beyond that of the other groups"),
        ("kendall_tau", "Kendall's tau"),
        ("kendall_tau_mean", "Kendall's tau within a group, on average"),
        ("precision_at_3_top", "Precision at 3, highest pairs"),
        ("precision_at_3_bottom", "Precision at 3, lowest pairs"),
        ("preference_over_neutral", "Preference over neutral words"),
        ("emergent_trait", "Emergent trait"),
        ("word_association", "Word association"),
    ],
)
def test_a_statistic_whose_key_makes_a_poor_title_has_its_own_title(key: str, words: str) -> None:
    assert titles.title(key) == words


def test_a_key_without_a_title_is_written_as_its_words() -> None:
    assert titles.title("effect_size") == "Effect size"
    assert titles.title("ilps_tomorrow") == "ILPS tomorrow"
    assert titles.probe_title("tomorrow") == "tomorrow"


def test_a_method_states_the_titles_of_its_statistics_on_its_card() -> None:
    own = Statistic("tone", "fraction", "How kind.", "mean", "an example", "It is an example.", title="Tone of voice")
    card = replace(PROBES["gap"].card, statistics=(own, replace(own, name="tone_of_men", title=None)))
    assert titles.titles(card) == {"tone": "Tone of voice", "tone_of_men": "Tone of men"}
