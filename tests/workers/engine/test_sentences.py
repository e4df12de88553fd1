from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.engine.sentences import Encoded, Sentence, encode, replace

KINDS = ["wordpiece", "bytes", "unigram"]


@pytest.fixture(scope="session")
def tokenizers(make_tokenizer: Any) -> dict[str, Any]:
    return {kind: make_tokenizer(kind) for kind in [*KINDS, "bytes_plain"]}


def framed(before: str, word: str, after: str) -> Sentence:
    return Sentence(before + word + after, ((len(before), len(before) + len(word)),))


def spelled(tokenizer: Any, encoded: Encoded, slot: int = 0) -> list[str]:
    found: list[str] = tokenizer.convert_ids_to_tokens([encoded.ids[index] for index in encoded.slots[slot]])
    return found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("word", ["powerful", "self-reliant", "kind", "unconfident"])
def test_a_slot_holds_exactly_the_tokens_of_its_word(tokenizers: dict[str, Any], kind: str, word: str) -> None:
    tokenizer = tokenizers[kind]
    encoded = encode(tokenizer, [framed("All women are ", word, ".")])[0]
    alone = tokenizer.tokenize(word if kind == "wordpiece" else f" {word}", add_special_tokens=False)
    assert encoded.fault == ""
    assert spelled(tokenizer, encoded) == [token for token in alone if token]
    assert encoded.ids == tuple(tokenizer(f"All women are {word}.")["input_ids"])


@pytest.mark.parametrize("kind", ["bytes", "unigram"])
def test_the_space_before_a_word_belongs_to_it(tokenizers: dict[str, Any], kind: str) -> None:
    encoded = encode(tokenizers[kind], [framed("All women are ", "warm", ".")])[0]
    assert spelled(tokenizers[kind], encoded)[0][0] in "Ġ▁"
    assert tokenizers[kind].decode(encoded.ids[: encoded.slots[0].start], skip_special_tokens=True) == "All women are"


@pytest.mark.parametrize("kind", KINDS)
def test_special_tokens_are_the_tokenizers_own_and_can_be_left_out(tokenizers: dict[str, Any], kind: str) -> None:
    sentence = framed("", "Women", " are warm.")
    with_special, without = (encode(tokenizers[kind], [sentence], special_tokens=add)[0] for add in (True, False))
    assert with_special.ids[1:-1] == without.ids
    assert with_special.slots[0].start == without.slots[0].start + 1


def test_several_slots_are_found_in_any_order(tokenizers: dict[str, Any]) -> None:
    encoded = encode(tokenizers["wordpiece"], [Sentence("All women are warm.", ((14, 18), (4, 9)))])[0]
    assert spelled(tokenizers["wordpiece"], encoded, 0) == ["warm"]
    assert spelled(tokenizers["wordpiece"], encoded, 1) == ["women"]


@pytest.mark.parametrize("word", ["😀", "𝔸bc", "Zoë", "O'Brien", "שלום", "日本"])
@pytest.mark.parametrize("before", ["All ", "Naïve 😀 ", "עם "])
def test_bytes_spell_every_character_and_the_word_is_found(tokenizers: dict[str, Any], word: str, before: str) -> None:
    for kind in ("bytes", "bytes_plain"):
        tokenizer = tokenizers[kind]
        encoded = encode(tokenizer, [framed(before, word, " are warm.")])[0]
        slot = encoded.slots[0]
        assert encoded.fault == ""
        assert tokenizer.decode(encoded.ids[slot.start : slot.stop]).strip() == word
        assert tokenizer.decode(encoded.ids[slot.stop :], skip_special_tokens=True) == " are warm."


@pytest.mark.parametrize("word", ["Wömen", "WOMEN", "wo\u0308men"])
def test_a_normalizer_that_drops_accents_does_not_move_the_word(tokenizers: dict[str, Any], word: str) -> None:
    encoded = encode(tokenizers["wordpiece"], [framed("Dé́jà: ", word, " are warm.")])[0]
    assert spelled(tokenizers["wordpiece"], encoded) == ["women"]
    assert encoded.fault == ""


@pytest.mark.parametrize(
    ("kind", "sentence", "fault"),
    [
        ("wordpiece", framed("All ", "日本", " are warm."), "'日本' is spelled with the unknown token"),
        ("wordpiece", framed("All ", "wom", "en are warm."), "'wom' shares a token with the text beside it"),
        ("bytes", framed("All wom", "en", " are warm."), "'en' shares a token with the text beside it"),
        ("bytes", framed("All ", "[MASK]", " are warm."), "'[MASK]' contains a special token of the model"),
        ("wordpiece", framed("All ", "\u200d", " are warm."), "'\\u200d' leaves no token"),
        ("wordpiece", framed("All ", "", " are warm."), "'' leaves no token"),
    ],
)
def test_a_word_that_cannot_be_scored_says_why(
    tokenizers: dict[str, Any], kind: str, sentence: Sentence, fault: str
) -> None:
    assert encode(tokenizers[kind], [sentence])[0].fault == fault


def test_a_sentence_longer_than_the_model_says_so(masked: Any) -> None:
    tokenizer = masked("roberta").tokenizer
    fits, too_long = encode(tokenizer, [framed("All ", "women", "." * count) for count in (4, 80)])
    assert fits.fault == ""
    assert too_long.fault == "longer than the model's 65 tokens"


def test_a_span_outside_the_text_is_refused() -> None:
    with pytest.raises(ValueError, match="outside the text"):
        Sentence("All", ((2, 4),))


def test_no_sentences_give_no_tokens(tokenizers: dict[str, Any]) -> None:
    assert encode(tokenizers["bytes"], []) == []


@pytest.mark.parametrize(
    ("slot", "ids", "expected"),
    [
        (0, [9], Encoded((1, 9, 4, 5, 6), (range(1, 2), range(3, 5)))),
        (0, [9, 9, 9], Encoded((1, 9, 9, 9, 4, 5, 6), (range(1, 4), range(5, 7)))),
        (1, [], Encoded((1, 2, 3, 4), (range(1, 3), range(4, 4)))),
        (1, [9], Encoded((1, 2, 3, 4, 9), (range(1, 3), range(4, 5)))),
    ],
)
def test_replacing_a_slot_moves_the_slots_after_it(slot: int, ids: list[int], expected: Encoded) -> None:
    assert replace(Encoded((1, 2, 3, 4, 5, 6), (range(1, 3), range(4, 6))), slot, ids) == expected


@given(st.sampled_from([*KINDS, "bytes_plain"]), st.text(max_size=12), st.text(max_size=12), st.text(max_size=12))
def test_whatever_is_typed_a_slot_without_fault_covers_its_word(
    tokenizers: dict[str, Any], kind: str, before: str, word: str, after: str
) -> None:
    tokenizer = tokenizers[kind]
    encoded = encode(tokenizer, [framed(before, word, after)])[0]
    slot = encoded.slots[0]
    assert 0 <= slot.start <= slot.stop <= len(encoded.ids)
    if not encoded.fault:
        assert replace(encoded, 0, [encoded.ids[index] for index in slot]) == encoded
        assert not set(encoded.ids[slot.start : slot.stop]) & set(tokenizer.all_special_ids)
        if kind == "bytes_plain":
            assert tokenizer.decode(encoded.ids[slot.start : slot.stop]).strip() == word.strip()
