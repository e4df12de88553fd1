from typing import Any

import pytest

from workers.engine.spelling import Spelled, spell


def only(tokenizer: Any, word: str) -> Spelled:
    return spell(tokenizer, [word])[0]


def test_bytes_spell_a_word_by_its_place_in_the_sentence(make_tokenizer: Any) -> None:
    """A byte-level tokenizer counts the space before a word as its own; at the start of a sentence there is none."""
    found = only(make_tokenizer("bytes"), "women")
    assert found.pieces[0].startswith("Ġ")
    assert not found.pieces_at_start[0].startswith("Ġ")
    assert "".join(found.pieces) == "Ġwomen"
    assert "".join(found.pieces_at_start) == "women"
    assert found.fault == ""


def test_wordpiece_spells_it_alike_everywhere(make_tokenizer: Any) -> None:
    found = only(make_tokenizer("wordpiece"), "women")
    assert found.pieces == found.pieces_at_start


@pytest.mark.parametrize("kind", ["wordpiece", "bytes", "unigram"])
def test_each_word_is_spelled_as_in_a_template_and_in_the_order_given(make_tokenizer: Any, kind: str) -> None:
    tokenizer = make_tokenizer(kind)
    words = ["women", "self-reliant", "kind"]
    found = spell(tokenizer, words)
    assert [one.word for one in found] == words
    ids = tokenizer("All are women.", add_special_tokens=False)["input_ids"]
    assert list(found[0].pieces) == tokenizer.convert_ids_to_tokens(ids)[-1 - len(found[0].pieces) : -1]


def test_a_word_that_cannot_be_spelled_says_why(make_tokenizer: Any) -> None:
    assert only(make_tokenizer("wordpiece"), "日本").fault == "'日本' is spelled with the unknown token"


def test_no_words_are_no_fault(make_tokenizer: Any) -> None:
    assert spell(make_tokenizer("wordpiece"), []) == []
