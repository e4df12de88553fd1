from typing import Any

import pytest

from workers.engine.vocabulary import CONTINUATION, WORD_INITIAL, boundary_tokens, released_class, released_classes


def test_wordpiece_continues_with_hashes_and_special_tokens_belong_to_the_rest(make_tokenizer: Any) -> None:
    tokenizer = make_tokenizer("wordpiece")
    classes = released_classes(tokenizer, len(tokenizer) + 3)
    continuation = {tokenizer.convert_ids_to_tokens(int(index)) for index in classes[CONTINUATION].nonzero()[0]}
    assert continuation == {token for token in tokenizer.get_vocab() if token.startswith("##")}
    assert (classes[WORD_INITIAL] ^ classes[CONTINUATION]).all()
    assert classes[WORD_INITIAL][tokenizer.mask_token_id]
    assert classes[WORD_INITIAL][-3:].all()


@pytest.mark.parametrize(("kind", "mark"), [("bytes", "Ġ"), ("unigram", "▁")])
def test_other_tokenizers_continue_where_the_space_is_missing(make_tokenizer: Any, kind: str, mark: str) -> None:
    tokenizer = make_tokenizer(kind)
    continuation = released_classes(tokenizer, len(tokenizer))[CONTINUATION]
    for token, index in tokenizer.get_vocab().items():
        assert continuation[index] == (not token.startswith(mark) and token not in tokenizer.all_special_tokens)


def test_the_released_code_goes_by_position_even_after_a_hyphen() -> None:
    assert [released_class(subword) for subword in range(3)] == [WORD_INITIAL, CONTINUATION, CONTINUATION]


@pytest.mark.parametrize(
    ("kind", "ends", "goes_on"),
    [
        ("bytes_plain", ["Ġare", "Ġ", ".", ",", "Ċ", "[SEP]", "'"], ["en", "-", "a", "Ã", "3", "z"]),
        ("wordpiece", ["are", ".", ",", "[SEP]", "a"], ["##en", "-", "##s"]),
        ("unigram", ["▁", ".", ","], ["e", "-", "s"]),
    ],
)
def test_a_word_has_ended_before_a_new_word_punctuation_or_the_end(
    make_tokenizer: Any, kind: str, ends: list[str], goes_on: list[str]
) -> None:
    tokenizer = make_tokenizer(kind)
    vocabulary = tokenizer.get_vocab()
    boundary = boundary_tokens(tokenizer, len(tokenizer) + 2)
    assert {token: bool(boundary[vocabulary[token]]) for token in ends + goes_on if token in vocabulary} == {
        token: token in ends for token in ends + goes_on if token in vocabulary
    }
    assert sum(token in vocabulary for token in ends + goes_on) >= 7 - 3 * (kind != "bytes_plain")
    assert not boundary[-2:].any()
