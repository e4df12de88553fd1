"""Words that echo a group's name, by hand."""

import pytest

from plumbline.spec.word_echo import echo


@pytest.mark.parametrize(
    ("word", "names", "shared"),
    [
        ("wealthy", ["wealthy people"], "wealthy"),
        ("Wealthy", ["people", "wealthy"], "wealthy"),
        ("egotistic", ["autistic people"], "tistic"),
        ("religious", ["religion", "religious people"], "religious"),
        ("Mexican-born", ["Mexican people", "Mexicans"], "mexican"),
        ("Mexico", ["Mexican people"], "mexic"),
        ("disabled", ["people with disabilities"], "disab"),
        ("migrant", ["immigrants"], "migrant"),
        ("womanly", ["women", "woman"], "woman"),
        ("transparent", ["transgender people"], ""),
        ("interesting", ["international students"], ""),
        ("conservative", ["consumers"], ""),
        ("Christmas", ["Christians"], "christ"),
        ("traditional", ["international students"], ""),
        ("people", ["young people"], ""),
        ("warm", ["women"], ""),
        ("warm", [], ""),
        ("", [""], ""),
    ],
)
def test_shared_letters_are_a_word_or_a_long_beginning_or_end(word: str, names: list[str], shared: str) -> None:
    assert echo(word, names) == shared


def test_no_word_echoes_a_name_by_an_article_or_a_short_word() -> None:
    assert echo("top of the world", ["men of the town"]) == ""
    assert echo("at peace with himself", ["people with a disability"]) == ""
    assert echo("old", ["old people"]) == "old"
