"""Gendered pronouns become they where the words beside them tell how, and are flagged where they do not."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.vocab.banks.agreement import plural
from plumbline.vocab.banks.neutral import GENDERED, neutral


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She was late.", "They were late."),
        ("He always tries, and she isn't there.", "They always try, and they aren't there."),
        ("Kim said she never goes out, and he has no car.", "Kim said they never go out, and they have no car."),
        ("what does she need?", "what do they need?"),
        ("She lost her keys on her way to her car.", "They lost their keys on their way to their car."),
        ("Kim told her that it was hers.", "Kim told them that it was theirs."),
        ("Kim gave the book to her.", "Kim gave the book to them."),
        ("That is his; Kim saw him wash his hair himself.", "That is theirs; Kim saw them wash their hair themselves."),
        ("taller than she", "taller than they"),
        ("she'd go, and he'll stay", "they'd go, and they'll stay"),
        ("She's leaving; he's been there", "They're leaving; they've been there"),
        ("she and Kim were out", "they and Kim were out"),
        ("made her friends laugh", "made their friends laugh"),
    ],
)
def test_pronouns_change_if_the_neighbouring_words_decide_the_form(text: str, expected: str) -> None:
    assert neutral(text) == (expected, [])


@pytest.mark.parametrize(
    ("text", "flag"),
    [
        ("gave her twenty dollars", "pronoun left: her"),
        ("made her laugh", "pronoun left: her"),
        ("saw her painting", "pronoun left: her"),
        ("hurt her back", "pronoun left: her"),
        ("how tired was she", "pronoun left: she"),
        ("she, who ran", "pronoun left: she"),
        ("he's tired", "pronoun left: he's"),
    ],
)
def test_what_they_do_not_show_is_left_and_flagged(text: str, flag: str) -> None:
    assert neutral(text) == (text, [flag])


def test_a_further_verb_of_the_same_subject_is_flagged_and_not_guessed() -> None:
    assert neutral("She woke up and was late.") == ("They woke up and was late.", ["agreement: was"])
    assert neutral("She eats, and then drinks tea.") == ("They eat, and then drinks tea.", ["agreement: drinks"])
    assert neutral("She eats. Kim waits and is bored.") == ("They eat. Kim waits and is bored.", [])


@pytest.mark.parametrize(
    ("verb", "expected"),
    [
        *(("cries", "cry"), ("lies", "lie"), ("goes", "go"), ("watches", "watch"), ("misses", "miss")),
        *(("fixes", "fix"), ("loses", "lose"), ("was", "were"), ("ran", "ran"), ("would", "would"), ("the", "")),
    ],
)
def test_verbs_take_their_plural(verb: str, expected: str) -> None:
    assert plural(verb) == expected


WORDS = st.sampled_from(
    [
        "she",
        "he",
        "her",
        "his",
        "him",
        "hers",
        "herself",
        "she's",
        "he'd",
        "Kim",
        "the",
        "was",
        "is",
        "eats",
        "and",
        "to",
        "with",
        "gave",
        "friends",
        "book",
        "quickly",
        "it",
        "They",
        "ran.",
    ]
)
SENTENCES = st.lists(WORDS, max_size=12).map(" ".join)


@given(SENTENCES)
def test_twice_changes_no_more_than_once(text: str) -> None:
    once, _ = neutral(text)
    assert neutral(once)[0] == once


@given(SENTENCES)
def test_each_pronoun_is_changed_or_flagged(text: str) -> None:
    put, flags = neutral(text)
    left = [word for word in re.findall(r"[\w']+", put.lower()) if word in GENDERED]
    assert left == [flag.removeprefix("pronoun left: ") for flag in flags if flag.startswith("pronoun")]


@given(st.text())
def test_a_text_without_gendered_pronouns_stays_as_it_is(text: str) -> None:
    if not {word.lower().replace("’", "'") for word in re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)*", text)} & GENDERED:
        assert neutral(text) == (text, [])
