"""The counts of the thesis on indirect biases in docs/vocabularies.md: every one that differs from ours, and why."""

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from plumbline.spec.grammar import expand
from plumbline.vocab.seeding import Seed, seeds

ROOT = Path(__file__).resolve().parents[3]
COUNTED = ROOT / "../shared/data/indirect/template_counts.csv"
SECTION = (ROOT / "docs/vocabularies.md").read_text().split("### Counts that differ from the print of the thesis")[1]
SENTENCES, WORDS = (table.split("\n\n")[0] for table in re.split(r"^\|(?:---\|)+\n", SECTION, flags=re.MULTILINE)[1:])
SEEDS = {seed.slug: seed for seed in seeds()}


def rows(table: str) -> Iterator[list[str]]:
    """The cells of each row."""
    for line in table.splitlines():
        yield [cell.strip() for cell in line.strip("|").split("|")]


def numbers(table: str) -> dict[str, tuple[int, ...]]:
    """The counts of each list by its slug."""
    return {slug.strip("`"): tuple(map(int, counts)) for slug, *counts, _ in rows(table)}


def sentences(seed: Seed) -> int:
    return sum(len(expand(text)) for _, text in seed.texts)


def slug_of(cell: dict[str, str]) -> str:
    feature = "-".join(filter(None, (cell["feature_category"], cell["feature_form"])))
    return f"indirect-{cell['target_category']}-{feature}".replace("_", "-")


def test_each_list_has_as_many_sentences_as_the_table_says() -> None:
    assert {slug: sentences(SEEDS[slug]) for slug in numbers(SENTENCES)} == {
        slug: ours for slug, (_, _, ours) in numbers(SENTENCES).items()
    }


def test_each_list_has_as_many_words_as_the_table_says() -> None:
    assert {slug: len(SEEDS[slug].rows()) for slug in numbers(WORDS)} == {
        slug: ours for slug, (_, ours) in numbers(WORDS).items()
    }


def test_every_count_that_differs_has_a_reason() -> None:
    for table in (SENTENCES, WORDS):
        differing = [(slug, why) for slug, *counts, why in rows(table) if len(set(counts)) > 1]
        assert differing
        assert all(why for _, why in differing)


def test_all_pairs_whose_counts_differ_from_table_3_1_are_listed_and_no_others() -> None:
    if not COUNTED.exists():
        pytest.skip("the reference data is not beside the project")
    with COUNTED.open(encoding="utf-8", newline="") as file:
        printed = {slug_of(cell): (int(cell["table_3_1"]), int(cell["appendix"])) for cell in csv.DictReader(file)}
    assert len(printed) == 64
    differing = {
        slug: (table, appendix, sentences(SEEDS[slug]))
        for slug, (table, appendix) in printed.items()
        if sentences(SEEDS[slug]) != table
    }
    assert differing == numbers(SENTENCES)
    assert sum(table for table, _ in printed.values()) == 1017
