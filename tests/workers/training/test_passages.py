"""The passages of a text, those held out, and their counterfactuals."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from plumbline.spec.errors import InputError
from tests.workers.debiasing.test_words import ENTRIES
from tests.workers.engine.conftest import build_tokenizer
from workers.debiasing.corpus import Documents
from workers.debiasing.words import GroupWords
from workers.training.lm_batches import Batches
from workers.training.passages import Material, material_of, passages

TOKENIZER = build_tokenizer("wordpiece")
WORDS = GroupWords.of("gender", ENTRIES)
KIND = "All women are kind."


def material(texts: Sequence[str], words: GroupWords | None = None) -> Material:
    batches = Batches.of(TOKENIZER, TOKENIZER.mask_token_id)
    return material_of(TOKENIZER, Documents(Path("some.txt"), list(texts), ""), words, batches, 16)


def test_passages_are_whole_sentences_of_one_document() -> None:
    length = len(TOKENIZER(KIND, add_special_tokens=False)["input_ids"])
    found = list(passages(TOKENIZER, [f"{KIND} {KIND} {KIND}", KIND], 2 * length))
    assert found == [f"{KIND} {KIND}", KIND, KIND]


def test_a_sentence_that_is_too_long_is_cut_at_words() -> None:
    found = list(passages(TOKENIZER, ["men " * 25], 10))
    assert " ".join(found).split() == ["men"] * 25
    assert all(len(TOKENIZER(text, add_special_tokens=False)["input_ids"]) <= 10 for text in found)


def test_one_passage_in_fifty_is_held_out() -> None:
    found = material([KIND] * 100)
    assert (len(found.learnt), len(found.held_out), found.counterfactual) == (98, 2, 0)


def test_counterfactuals_are_of_learnt_passages_and_counted() -> None:
    found = material([KIND, *["All women are kind.", "Most people are kind."] * 10], WORDS)
    assert (len(found.learnt), found.counterfactual) == (30, 10)
    assert found.record.by_word() == {"women": {"men": 10}}


def test_the_capitalised_words_of_counterfactuals_count_as_seen() -> None:
    names = GroupWords.of(
        "names", [{"text": "Ada", "category": "1", "group": "f"}, {"text": "Bo", "category": "1", "group": "m"}]
    )
    assert {"Ada", "Bo"} <= set(material(["Nobody.", "Ada is kind."], names).names_seen)


def test_a_text_without_any_of_the_words_is_refused() -> None:
    with pytest.raises(InputError, match=r"the text some.txt holds none of the words of 'gender'"):
        material(["Most people are kind."] * 5, WORDS)


def test_a_text_that_is_too_short_is_refused() -> None:
    with pytest.raises(InputError, match=r"the text some.txt has 1 passages .* choose a longer one"):
        material([KIND])
