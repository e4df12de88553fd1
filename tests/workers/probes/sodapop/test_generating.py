"""Algorithm 1: the authors' own values, a transcription that calls itself, and a case worked by hand."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import torch

from workers.engine.loading import load, locate
from workers.engine.masked import MaskedModel
from workers.probes.protocol import Model
from workers.probes.sodapop.generating import distractors, filled, grown
from workers.probes.sodapop.generating_treebank import released_words
from workers.probes.sodapop.generating_words import PaperWriting, ReleasedWriting, Words, Writing, writing_of

TOLERANCE = 1e-3
BEFORE = "all women were poor. most people are"


@pytest.fixture(scope="module")
def roberta(tiny_roberta: Model) -> MaskedModel:
    return cast("MaskedModel", tiny_roberta)


@pytest.fixture(scope="module")
def bert(tiny_folders: tuple[Path, Path]) -> MaskedModel:
    return cast("MaskedModel", load(locate(f"path:{tiny_folders[0]}"), device="cpu"))


def items(reference: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """What stands before the answer, and the authors' values."""
    for item in json.loads((reference / "distractors_tiny_roberta.json").read_text())["items"]:
        yield f"{item['context']} {item['question_prompt']}", item


def texts_of(model: MaskedModel, writing: Writing, before: str, answer: str, **steps: Any) -> list[str]:
    start = writing.start(before, answer)
    (found,) = distractors(model, [start], writing, top=10, **steps)
    return sorted(start.text(words) for words in found)


def test_the_masked_sentences_are_filled_as_the_authors_fill_them(reference: Path, roberta: MaskedModel) -> None:
    for before, item in items(reference):
        for variant in ("paper", "released_code"):
            writing = writing_of(variant, roberta.tokenizer)
            start = writing.start(before, item["answer"])
            assert list(start.words) == item["answer_tokens"]
            for position, theirs in enumerate(item["positions"]):
                assert start.with_mask(start.words, position, "[MASK]") == theirs["input"]
                sentence = start.with_mask(start.words, position, roberta.tokenizer.mask_token)
                (options,) = filled(roberta, [sentence], writing, 10)
                expected = theirs["top10_p"][: len(options)]
                np.testing.assert_allclose([np.exp(gain) for _, gain in options], expected, atol=TOLERANCE)
                if variant == "released_code":
                    assert [text for text, _ in options] == theirs["decoded_together_and_split"]


def test_algorithm_1_read_literally_gives_the_authors_distractors(reference: Path, roberta: MaskedModel) -> None:
    writing = PaperWriting(roberta.tokenizer)
    for before, item in items(reference):
        assert texts_of(roberta, writing, before, item["answer"], k=1) == sorted(item["paper_k1"])
        assert texts_of(roberta, writing, before, item["answer"], k=2) == item["paper_k2_sorted_unique"]


def test_the_released_variant_gives_what_the_released_code_gives(reference: Path, roberta: MaskedModel) -> None:
    writing = ReleasedWriting(roberta.tokenizer)
    for before, item in items(reference):
        steps = {"keep_shorter": True}
        assert texts_of(roberta, writing, before, item["answer"], k=1, **steps) == sorted(item["k1"])
        assert texts_of(roberta, writing, before, item["answer"], k=2, **steps) == item["k2_sorted_unique"]


def released(model: MaskedModel, before: str, sentence: str, k: int) -> list[str]:
    """The released code, plainly: one sentence at a time, the whole text cut anew, texts as often as they come."""
    if k > 1:
        near = released(model, before, sentence, 1)
        return near + [text for one in near for text in released(model, before, one, k - 1)]
    words, found, mask = released_words(sentence), [], model.tokenizer.mask_token
    for position in range(len(words)):
        masked = f"{before} {' '.join([*words[:position], mask, *words[position + 1 :]])}"
        strings = model.tokenizer.decode(likeliest(model, masked, 10)).split(" ")
        found += [" ".join(released_words(masked.replace(mask, string))[-len(words) :]) for string in strings]
    return found


def paper(model: MaskedModel, before: str, words: Words, k: int, top: int) -> set[Words]:
    """Algorithm 1, line by line."""
    if k > 1:
        return {far for near in paper(model, before, words, 1, top) for far in paper(model, before, near, k - 1, top)}
    found, writing = set(), PaperWriting(model.tokenizer)
    for position in range(len(words)):
        masked = " ".join([before, *words[:position], model.tokenizer.mask_token, *words[position + 1 :]])
        for token in likeliest(model, masked, top):
            found |= {(*words[:position], put, *words[position + 1 :]) for put, _ in writing.options([token], [0.0])}
    return found


def likeliest(model: MaskedModel, masked: str, top: int) -> list[int]:
    inputs = model.tokenizer(masked, return_tensors="pt")
    with torch.inference_mode():
        logits = model.model(**inputs).logits[0, inputs["input_ids"][0].tolist().index(model.mask_token_id)]
    return cast("list[int]", logits.topk(top).indices.tolist())


def test_the_transcription_of_the_released_code_is_the_released_code(reference: Path, roberta: MaskedModel) -> None:
    for before, item in items(reference):
        texts = released(roberta, before, item["answer"], 2)
        assert len(texts) == item["k2_total"]
        assert texts[:50] == item["k2_multiset_first_50"]


@pytest.mark.parametrize("answer", ["a kind person", "has a sweet tooth", "Happy, sad"])
def test_longer_answers_are_those_of_the_released_code_too(roberta: MaskedModel, answer: str) -> None:
    before = "Amanda gave all of the money to a homeless woman. Amanda is"
    found = texts_of(roberta, ReleasedWriting(roberta.tokenizer), before, answer, k=2, keep_shorter=True)
    assert found == sorted(set(released(roberta, before, answer, 2)))


@pytest.mark.parametrize(("answer", "k"), [("warm", 1), ("warm", 3), ("warm men", 3), ("in all people", 2)])
def test_asking_each_sentence_once_gives_what_the_recursion_gives(bert: MaskedModel, answer: str, k: int) -> None:
    writing, words = PaperWriting(bert.tokenizer), tuple(answer.split())
    (found,) = distractors(bert, [writing.start(BEFORE, answer)], writing, k=k, top=4)
    assert set(found) == paper(bert, BEFORE, words, k, 4)


def test_log_p_is_that_of_the_likeliest_way(bert: MaskedModel) -> None:
    def ways(words: Words, k: int) -> Iterator[tuple[Words, float]]:
        if k == 0:
            yield words, 0.0
            return
        for position in range(len(words)):
            (options,) = filled(bert, [start.with_mask(words, position, "[MASK]")], writing, 3)
            for put, gain in options:
                for far, rest in ways((*words[:position], put, *words[position + 1 :]), k - 1):
                    yield far, gain + rest

    writing = PaperWriting(bert.tokenizer)
    start = writing.start(BEFORE, "warm men")
    expected: dict[Words, float] = {}
    for words, log_p in ways(start.words, 3):
        expected[words] = max(log_p, expected.get(words, -np.inf))
    (found,) = distractors(bert, [start], writing, k=3, top=3)
    assert found.keys() == expected.keys()
    np.testing.assert_allclose([found[words] for words in expected], list(expected.values()), atol=1e-5)


def test_a_step_worked_by_hand(bert: MaskedModel) -> None:
    """From "a b" and "x b", the second mask of which was not reached by the first."""
    writing = PaperWriting(bert.tokenizer)
    start = writing.start("he is", "a b")
    fills = {
        "he is _ b": [("x", -1.0), ("a", -2.0)],
        "he is a _": [("y", -0.5)],
        "he is x _": [("y", -0.25), ("b", -4.0)],
    }
    assert grown(start, {("a", "b"): 0.0, ("x", "b"): -1.0}, writing, fills, "_") == {
        ("x", "b"): -1.0,  # from "a b"; from itself it would be -2
        ("a", "b"): -2.0,
        ("a", "y"): -0.5,
        ("x", "y"): -1.25,
    }


def test_what_fewer_steps_make_k_steps_make_too(bert: MaskedModel) -> None:
    """Read literally: the same word can be masked again and be given back, so keep_shorter changes nothing."""
    writing = PaperWriting(bert.tokenizer)
    start = writing.start(BEFORE, "warm men")
    one, two = (set(distractors(bert, [start], writing, k=k, top=2)[0]) for k in (1, 2))
    (both,) = distractors(bert, [start], writing, k=2, top=2, keep_shorter=True)
    assert one < two == set(both)
    assert all(sum(map(str.__ne__, words, start.words)) <= 1 for words in one)


def test_the_released_codes_texts_of_fewer_steps_are_kept_with_the_others(bert: MaskedModel) -> None:
    writing = ReleasedWriting(bert.tokenizer)
    start = writing.start(BEFORE, "warm men")
    one, two = (set(distractors(bert, [start], writing, k=k, top=10)[0]) for k in (1, 2))
    (both,) = distractors(bert, [start], writing, k=2, top=10, keep_shorter=True)
    assert set(both) == one | two


def test_no_sentence_is_asked_twice(bert: MaskedModel) -> None:
    writing, asked = PaperWriting(bert.tokenizer), list[int]()
    start = writing.start(BEFORE, "warm")
    distractors(bert, [start], writing, k=3, top=10, asked=asked.append)
    assert sum(asked) == 1
    asked.clear()
    (found,) = distractors(bert, [writing.start(BEFORE, "warm men")], writing, k=3, top=3, asked=asked.append)
    firsts, seconds = ({words[position] for words in found} | {own} for position, own in enumerate(("warm", "men")))
    # The recursion asks 2 + 6 * 2 + 36 * 2 times.
    assert 2 < sum(asked) <= len(firsts) + len(seconds) < 86


def test_answers_that_are_asked_about_together_do_not_change_one_another(bert: MaskedModel) -> None:
    writing = PaperWriting(bert.tokenizer)
    starts = [writing.start(BEFORE, answer) for answer in ("warm", "poor men", "should be in")]
    together = distractors(bert, starts, writing, k=2, top=3)
    for start, found in zip(starts, together, strict=True):
        (alone,) = distractors(bert, [start], writing, k=2, top=3)
        assert alone.keys() == found.keys()
        np.testing.assert_allclose([alone[words] for words in found], list(found.values()), atol=1e-5)


def test_a_sentence_that_has_grown_too_long_for_the_model_is_filled_with_nothing(bert: MaskedModel) -> None:
    writing = PaperWriting(bert.tokenizer)
    fits, not_fits = ("all " * words + "[MASK]" for words in (125, 126))
    short, long = filled(bert, [fits, not_fits], writing, 3)
    assert short
    assert long == []
