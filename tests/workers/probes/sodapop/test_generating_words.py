"""How answers become words, and tokens words in their place."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from workers.engine.loading import locate
from workers.probes.sodapop.generating_treebank import released_words
from workers.probes.sodapop.generating_words import PaperWriting, ReleasedWriting


@pytest.fixture(scope="module")
def tokenizer(tiny_folders: tuple[Path, Path]) -> Any:
    return locate(f"path:{tiny_folders[0]}").tokenizer


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("a big fan of the outdoors", "a|big|fan|of|the|outdoors"),
        ("a nervous, calculated person.", "a|nervous|,|calculated|person|."),
        ("no-nonsense", "no-nonsense"),
        ("someone that's in love", "someone|that|'s|in|love"),
        ("doesn't care about Ann's plans", "does|n't|care|about|Ann|'s|plans"),
        ("we’ll say it’s fine", "we|’ll|say|it|’s|fine"),
        ("at 5 o'clock with 1,000 men,women", "at|5|o'clock|with|1,000|men|,|women"),
        ("tired... (very)!", "tired|...|(|very|)!"),
    ],
)
def test_an_answer_is_cut_into_words_punctuation_and_clitics(tokenizer: Any, answer: str, words: str) -> None:
    start = PaperWriting(tokenizer).start("he is", answer)
    assert "|".join(start.words) == words
    assert start.text(start.words) == answer


def test_only_what_the_answer_glues_together_stays_so_and_in_its_place(tokenizer: Any) -> None:
    writing = PaperWriting(tokenizer)
    start = writing.start("he is", "a nervous, calm man")
    assert start.with_mask(start.words, 1, "[MASK]") == "he is a [MASK], calm man"
    assert start.with_mask(start.words, 2, "[MASK]") == "he is a nervous [MASK] calm man"
    assert start.text(writing.put(start, start.words, 2, "but")) == "a nervous but calm man"
    assert start.text(writing.put(start, start.words, 4, ",")) == "a nervous, calm ,"


def test_a_token_is_put_in_as_a_word_of_its_own(tokenizer: Any) -> None:
    tokens = tokenizer.convert_tokens_to_ids(["women", "##s", ".", "s"])
    options = PaperWriting(tokenizer).options(tokens, [-1.0, -2.0, -3.0, -4.0])
    assert options == [("women", -1.0), ("s", -2.0), (".", -3.0), ("s", -4.0)]


def test_special_tokens_are_no_words(tokenizer: Any) -> None:
    assert PaperWriting(tokenizer).options(tokenizer.all_special_ids, [-1.0] * len(tokenizer.all_special_ids)) == []


def test_tokens_that_are_no_readable_word_are_left_out() -> None:
    texts = [" kind", " ", "", "two words", "\N{REPLACEMENT CHARACTER}", "##", "!"]

    class Decoding:
        all_special_ids: tuple[int, ...] = ()
        decode: Callable[..., str] = staticmethod(lambda tokens: texts[tokens[0]])

    options = PaperWriting(Decoding()).options(range(len(texts)), [0.0] * len(texts))
    assert [text for text, _ in options] == ["kind", "##", "!"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Bethany doesn't care.", "Bethany|does|n't|care|."),
        ("He cannot go. She's gone...", "He|can|not|go|.|She|'s|gone|..."),
        ("a kind , but wary person", "a|kind|,|but|wary|person"),
        ('say "no" (twice); at 5:30', "say|``|no|''|(|twice|)|;|at|5:30"),
        ("no-nonsense and 1,000 men's", "no-nonsense|and|1,000|men|'s"),
    ],
)
def test_the_released_code_cuts_as_the_penn_treebank_does(text: str, words: str) -> None:
    assert "|".join(released_words(text)) == words


def test_the_released_code_keeps_as_many_words_from_the_end_as_there_were(tokenizer: Any) -> None:
    writing = ReleasedWriting(tokenizer)
    start = writing.start("Amanda felt bad. Amanda is", "a kind man")
    assert writing.put(start, start.words, 1, "poor") == ("a", "poor", "man")
    assert writing.put(start, start.words, 1, "") == ("is", "a", "man")
    assert writing.put(start, start.words, 1, "warm,poor") == (",", "poor", "man")


def test_the_released_code_gives_the_nth_string_the_nth_log_probability(tokenizer: Any) -> None:
    tokens = tokenizer.convert_tokens_to_ids(["warm", "##s", "poor"])
    assert ReleasedWriting(tokenizer).options(tokens, [-1.0, -2.0, -3.0]) == [("warms", -1.0), ("poor", -2.0)]
