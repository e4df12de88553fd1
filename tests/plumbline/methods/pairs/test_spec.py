"""The spec of pairs: what is refused before any model is asked."""

from typing import Any

import pytest

from plumbline.methods.pairs.spec import PairsSpec
from plumbline.spec.audit import parse
from plumbline.spec.errors import SpecError

PAIR = {"id": "a", "more": "He cooks.", "less": "She cooks."}
GEST = {"id": "g", "sentence": "I cry.", "stereotype": 1}
STORED = {"model": "answers:somebody", "answers": {"inline": [{"id": "a", "score": 0.5}]}}


def spec(entries: list[dict[str, Any]], **changes: Any) -> tuple[PairsSpec, dict[str, Any]]:
    """The spec of a frozen bank of these entries."""
    bank = {"list": "mine", "sha256": "0"}
    parsed = parse({"name": "test", "probe": "pairs", "model": "bundled:none", "bank": bank, **changes})
    assert isinstance(parsed, PairsSpec)
    return parsed, {"0": {"entries": entries}}


def test_an_inline_pair_that_is_one_sentence_twice_is_refused() -> None:
    bank = {"inline": [{**PAIR, "less": "He cooks."}]}
    with pytest.raises(SpecError, match="the pair 'a' is the same sentence twice"):
        parse({"name": "test", "probe": "pairs", "model": "bundled:none", "bank": bank})


@pytest.mark.parametrize(
    ("entries", "changes", "fault"),
    [
        ([PAIR, PAIR], {}, "'a' appears twice"),
        ([PAIR, GEST], {}, "scored in different ways"),
        ([GEST], {"params": {"scores": ["aul"]}}, "params.scores is for banks of pairs"),
        ([PAIR], {"params": {"templates": [0]}}, "params.templates is for GEST"),
        ([PAIR], STORED, "say which score was imported"),
        ([PAIR], {**STORED, "params": {"scores": ["crows", "aul"]}}, "say which score was imported"),
        ([{**PAIR, "id": "b"}], {**STORED, "params": {"scores": ["aul"]}}, "the score of 'a' belongs to no item"),
    ],
)
def test_what_cannot_be_asked_is_refused(entries: list[dict[str, Any]], changes: dict[str, Any], fault: str) -> None:
    parsed, snapshots = spec(entries, **changes)
    with pytest.raises(SpecError, match=fault):
        parsed.check(snapshots)


def test_categories_choose_a_part_of_the_bank_and_an_unknown_one_is_named() -> None:
    words = {"entries": [{**PAIR, "category": "work"}, {**PAIR, "id": "b", "category": "age"}]}
    source = spec([], bank={"bank": "mine", "categories": ["age"]})[0].bank[0]
    assert [entry["id"] for entry in source.chosen(words)["entries"]] == ["b"]
    with pytest.raises(SpecError, match="no category 'food'; its categories are work, age"):
        spec([], bank={"bank": "mine", "categories": ["food"]})[0].bank[0].chosen(words)
