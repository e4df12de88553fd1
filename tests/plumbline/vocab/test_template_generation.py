"""The spanned sentences against those that the thesis prints (appendix A.1.2), pair by pair."""

import csv
import re
from collections import Counter
from itertools import groupby
from pathlib import Path

import pytest

from plumbline.spec.grammar import Word, expand, render, slots
from plumbline.vocab.seeding import seeds
from plumbline.vocab.template_generation import Grammar, Spanned, read_grammar, span

PRINTED = Path(__file__).resolve().parents[3] / "../shared/data/indirect/templates.csv"
SPANNED = {one.slug: one for one in span(read_grammar())}
SLOT = re.compile(r"\{((?:an?|the) )?(\w+)(\.plural)?('s)?\}")

SLIPS = {
    "printed without 'to'": ("likes drink", "likes to drink"),
    "printed without 'from'": ("comes [", "comes from ["),
    "printed 'They who come'": ("They who come", "They come"),
    "printed 'She like'": ("She like ", "She likes "),
    "printed 'he' after 'They'": ("and he likes", "and they like"),
    "printed 'he' after a female subject": (" and he ", " and she "),
    "printed without the final point": ("[FEATURE]", "[FEATURE]."),
}
"""Slips of the print that the grammar repairs: the note of the data, what is printed, what is meant."""
THIRD_PERSON = {"lives": "live", "comes": "come", "works": "work"}
ADDED = {
    "indirect-sport-trait": (9, "'s and 're: Table 3.1 counts them (45), the appendix prints none"),
    "indirect-sport-race": (12, "they: Table 3.1 counts them (36), the appendix prints none"),
    "indirect-sport-sexual-orientation": (12, "they: Table 3.1 counts them (36), the appendix prints none"),
    "indirect-name-country": (1, "comes from: Table 3.1 counts it (2), the appendix prints one"),
    "indirect-country-sexual-orientation": (8, "they: printed for every other pair of the kind"),
    "indirect-occupation-beverage": (2, "they're: printed for every other feature of occupations"),
    "indirect-occupation-name": (1, "My name is ... and I'm: printed for the other introductions"),
    "indirect-occupation-religion-adjective": (1, "the plural: printed for race and orientation"),
    "indirect-sport-occupation": (2, "plays and likes, for which one sentence is printed three times"),
}
"""Sentences of the grammar that the appendix lacks, and why they are in it."""


def printed() -> dict[str, list[str]]:
    """The sentences of the appendix by the slug of our list, slips repaired."""
    if not PRINTED.exists():
        pytest.skip("the reference data is not beside the project")
    with PRINTED.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    found: dict[str, list[str]] = {}
    for row in rows:
        feature = "-".join(filter(None, (row["feature_category"], row["feature_form"]))).replace("_", "-")
        found.setdefault(f"indirect-{row['target_category']}-{feature}", []).append(repaired(row))
    return found


def repaired(row: dict[str, str]) -> str:
    sentence = row["sentence"]
    for note in row["note"].split("; "):
        wrong, right = SLIPS.get(note, ("", ""))
        assert wrong in sentence
        sentence = sentence.replace(wrong, right) if wrong else sentence
        if note == "printed with the singular verb":
            subject, verb, rest = sentence.split(" ", 2)
            sentence = f"{subject} {THIRD_PERSON[verb]} {rest}"
    # One pair says "I am Anna" where the three others, and its own he and she, say "called".
    return sentence.replace("I am [FEATURE]", "I am called [FEATURE]")


def as_printed(template: str, feature: str) -> str:
    """Our template in the notation of the appendix, which has no forms and no articles of countries."""

    def placeholder(slot: re.Match[str]) -> str:
        article, base, plural, possessive = slot.groups()
        is_feature = base.lower() == "feature" or (base.lower() == "name" and feature == "name")
        word = ("[FEATURE]" if is_feature else "[TARGET]") + "s" * bool(plural)
        ending = ("'" if plural else "'s") if possessive else ""
        return (article or "").replace("the ", "") + word + ending

    return SLOT.sub(placeholder, template)


def ours(one: Spanned) -> Counter[str]:
    return Counter(as_printed(template, one.feature) for _, text in one.texts for template in expand(text))


def test_the_grammar_spans_the_64_pairs_of_categories_of_the_thesis() -> None:
    assert set(SPANNED) == set(printed())
    assert len(SPANNED) == 64


@pytest.mark.parametrize("slug", sorted(SPANNED))
def test_every_printed_sentence_is_spanned_and_only_the_listed_ones_join_them(slug: str) -> None:
    theirs, spanned = Counter(set(printed()[slug])), ours(SPANNED[slug])
    assert not theirs - spanned
    added, _ = ADDED.get(slug, (0, ""))
    assert (spanned - theirs).total() == added
    assert set(spanned.values()) == {1}


def test_the_lists_hold_971_sentences_46_more_than_the_appendix_prints() -> None:
    """One sentence is printed three times: 925 rows are 923 sentences."""
    spanned = sum(ours(one).total() for one in SPANNED.values())
    assert spanned == 971
    assert sum(map(len, printed().values())) == 925
    assert spanned - sum(len(set(sentences)) for sentences in printed().values()) == sum(n for n, _ in ADDED.values())


@pytest.mark.parametrize(
    ("slug", "sentence"),
    [
        ("indirect-country-beverage", "People who live in the United States drink a lot of tea."),
        ("indirect-country-occupation", "She comes from the United States and she's an accountant."),
        ("indirect-occupation-trait", "They're accountants and they seem kind."),
        ("indirect-occupation-gender-singular", "The accountant is a woman."),
        ("indirect-occupation-religion-noun", "Accountants' religion is Islam."),
        ("indirect-occupation-name", "Hi! My name is James and I work as an accountant."),
        ("indirect-sport-name", "Hi! Her name is James and she plays tennis."),
        ("indirect-name-religion-noun", "James's religion is Islam."),
        ("indirect-name-country", "James lives in the United States."),
        ("indirect-beverage-year-of-birth", "He likes to drink tea and he was born in 1971."),
    ],
)
def test_the_lists_give_sentences(slug: str, sentence: str) -> None:
    words = {
        "country": Word("United States", article="the"),
        "occupation": Word("accountant", "accountant", "accountants"),
        "beverage": Word("tea"),
        "sport": Word("tennis"),
        "trait": Word("kind"),
        "gender-singular": Word("woman"),
        "religion-noun": Word("Islam"),
        "year-of-birth": Word("1971"),
    }
    one = SPANNED[slug]
    fillers = {"target": words.get(one.target), "feature": words.get(one.feature), "name": Word("James")}
    given = {base: word for base, word in fillers.items() if word}
    assert sentence in [render(template, given).text for _, text in one.texts for template in expand(text)]


def test_every_list_has_the_two_slots_of_its_side() -> None:
    for one in SPANNED.values():
        needed = {"name" if one.target == "name" else "target", "name" if one.feature == "name" else "feature"}
        for _, text in one.texts:
            assert all({slot.base for slot in slots(template)} == needed for template in expand(text))


def test_a_further_category_needs_no_code() -> None:
    """Somebody adds dishes: their sentences with countries and names follow."""
    grammar = read_grammar()
    dish = grammar.categories["beverage"].model_copy(update={"both": ("<like> to eat {X}",)})
    found = {
        one.slug: one for one in span(Grammar(**dict(grammar) | {"categories": {**grammar.categories, "dish": dish}}))
    }
    assert ("he", "He[ lives in {the target}| comes from {the target}] and he likes to eat {feature}.") in found[
        "indirect-country-dish"
    ].texts
    assert found["indirect-name-dish"].texts == (("noun", "{name} likes to eat {feature}."),)


def test_the_spanned_lists_come_with_the_starter_data() -> None:
    by_source = groupby(sorted(seed.slug for seed in seeds()), key=lambda slug: slug.startswith("indirect-"))
    assert {slug for ours, group in by_source if ours for slug in group} == set(SPANNED)
