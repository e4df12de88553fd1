"""Truncation of passages to the model's limit: the end of the passage is cut, never the question or an answer."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from workers.engine.sentences import UNLIMITED
from workers.training.questions import Question

CHUNK = 512


def cut(tokenizer: Any, questions: Iterable[Question]) -> tuple[list[Question], int]:
    """Return the questions with contexts that leave room for their longest answer, and how many were cut.

    A question that is too long without its context stays as it is; `encoded` refuses it.
    """
    limit = tokenizer.model_max_length
    whole = list(questions)
    if limit >= UNLIMITED:
        return whole, 0
    found = [one for some in _chunks(whole) for one in _cut(tokenizer, some, limit)]
    return found, sum(one != other for one, other in zip(whole, found, strict=True))


def _chunks(questions: Sequence[Question]) -> Iterator[list[Question]]:
    rows = iter(questions)
    while some := list(islice(rows, CHUNK)):
        yield some


def _cut(tokenizer: Any, questions: Sequence[Question], limit: int) -> Iterator[Question]:
    """Yield the questions with contexts cut at the end of a word, so that the remaining tokens stay the same."""
    contexts = list(dict.fromkeys(one.context for one in questions))
    quiet = {"add_special_tokens": False, "truncation": False, "verbose": False}
    offsets = tokenizer(contexts, return_offsets_mapping=True, **quiet)["offset_mapping"]
    ends = {text: [end for _, end in row] for text, row in zip(contexts, offsets, strict=True)}
    for one, longest in zip(questions, _rests(tokenizer, questions), strict=True):
        room = limit - longest
        if room <= 0 or len(ends[one.context]) <= room:
            yield one
            continue
        stop = ends[one.context][room - 1]
        yield replace(one, context=_to_a_space(one.context, stop))


def _rests(tokenizer: Any, questions: Sequence[Question]) -> list[int]:
    """Return the number of tokens of each question's longest pair without its context, special tokens included."""
    pairs = [pair for one in questions for pair in replace(one, context="").pairs]
    rows = tokenizer([first for first, _ in pairs], [second for _, second in pairs], truncation=False, verbose=False)
    lengths = iter(len(ids) for ids in rows["input_ids"])
    return [max(islice(lengths, len(one.answers))) for one in questions]


def _to_a_space(text: str, stop: int) -> str:
    if text[stop : stop + 1].isspace():
        return text[:stop]
    return text[:stop].rsplit(None, 1)[0] if len(text[:stop].split(None, 1)) > 1 else text[:stop]
