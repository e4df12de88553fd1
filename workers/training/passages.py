"""The passages of a continued pre-training: a text cut at its sentences, with its counterfactuals."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plumbline.spec.errors import InputError
from workers.debiasing.corpus import Documents, sentences_of, without_words
from workers.debiasing.counterfactual import Record, counterfactuals
from workers.debiasing.words import GroupWords
from workers.training.corpus import Tokens, tokenized
from workers.training.lm_batches import Batches
from workers.training.questions import capitalised_words

ONE_IN, MOST = 50, 400
"""One passage in so many is held out, and so many at most."""


@dataclass(frozen=True)
class Material:
    """What a model is trained on, and evaluated on."""

    learnt: list[Tokens]
    held_out: list[Tokens]
    names_seen: list[str]
    """The capitalised words of the passages that are learnt."""
    counterfactual: int = 0
    """How many of the learnt passages are counterfactuals of others."""
    record: Record = field(default_factory=Record)


def material_of(
    tokenizer: Any, documents: Documents, words: GroupWords | None, batches: Batches, longest: int
) -> Material:
    """Cut a text into passages of at most `longest` tokens, special ones included; with words, add counterfactuals.

    Raises InputError for a text with fewer than two passages, or with none of the words.
    """
    whole = list(passages(tokenizer, documents.texts, longest - tokenizer.num_special_tokens_to_add()))
    every = max(ONE_IN, -(-len(whole) // MOST))
    learnt = [text for number, text in enumerate(whole) if number % every]
    record = Record()
    twins = _twins(documents, learnt, words, record) if words else []
    rows, held_out = (_rows(tokenizer, texts, longest, batches) for texts in (learnt + twins, whole[::every]))
    if not rows or not held_out:
        raise InputError(
            f"the text {documents.path} has {len(whole)} passages that the model can learn: choose a longer one"
        )
    return Material(rows, held_out, capitalised_words(learnt + twins), len(twins), record)


def _twins(documents: Documents, learnt: Sequence[str], words: GroupWords, record: Record) -> list[str]:
    found = [twin for text in learnt for twin in counterfactuals(text, words, record)]
    if not found:
        raise without_words(documents.path, words)
    return found


def passages(tokenizer: Any, documents: Sequence[str], longest: int) -> Iterator[str]:
    """Yield runs of whole sentences of one document, of at most `longest` tokens; longer sentences are cut at words."""
    for document in documents:
        sentences = sentences_of(document)
        lengths = [len(tokens) for tokens in tokenized(tokenizer, sentences)]
        parts = [part for one in zip(sentences, lengths, strict=True) for part in _parts(*one, longest)]
        yield from _runs(parts, longest)


def _parts(sentence: str, length: int, longest: int) -> list[tuple[str, int]]:
    count = -(-length // longest)
    if count < 2:
        return [(sentence, length)]
    cut = [" ".join(words) for words in np.array_split(sentence.split(), count)]
    return [(text, longest) for text in cut if text]


def _runs(parts: Iterable[tuple[str, int]], longest: int) -> Iterator[str]:
    run: list[str] = []
    total = 0
    for text, length in parts:
        if run and total + length > longest:
            yield " ".join(run)
            run, total = [], 0
        run.append(text)
        total += length
    if run:
        yield " ".join(run)


def _rows(tokenizer: Any, texts: list[str], longest: int, batches: Batches) -> list[Tokens]:
    """Return the tokens of each text, special ones included, read in parts because encodings take much memory."""
    parts = (texts[start : start + 1000] for start in range(0, len(texts), 1000))
    encoded = (tokenizer(part, truncation=True, max_length=longest)["input_ids"] for part in parts)
    rows = (np.array(row, dtype=np.int32) for part in encoded for row in part)
    return [row for row in rows if batches.can_be_asked(row)]
