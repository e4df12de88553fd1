"""The sentences of a text, and the sentences about each group."""

import gzip
import hashlib
import re
import zlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from plumbline.spec.errors import InputError
from workers.debiasing.words import GroupWords

NEUTRAL = ""
"""The key for sentences that name no group."""
FEWEST_WORDS, MOST_WORDS = 4, 60
FEWEST_SENTENCES = 20
"""The fewest sentences of each group that a fit and its test need."""
_END = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True)
class Corpus:
    path: Path
    sentences: list[str]
    """Each sentence once, in order."""
    sha256: str
    """The digest of the file's bytes."""


@dataclass(frozen=True)
class Documents:
    path: Path
    texts: list[str]
    """In their order; empty lines left out."""
    sha256: str
    """The digest of the file's bytes."""


def read_documents(path: Path) -> Documents:
    """Read a text, plain or .gz, one document per line. Raises InputError that names the file."""
    try:
        raw = path.read_bytes()
        text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise InputError(
            f"cannot read the text {path} ({error}): name a file of UTF-8 text, plain or .gz, one document per line"
        ) from error
    lines = [line.strip() for line in text.splitlines()]
    return Documents(path, [line for line in lines if line], hashlib.sha256(raw).hexdigest())


def sentences_of(document: str) -> list[str]:
    """Return the sentences of a document: a full stop, question or exclamation mark and a space end one."""
    return [part.strip() for part in _END.split(document)]


def read_corpus(path: Path) -> Corpus:
    """Read a text as `read_documents` does, and keep its sentences of usual length, each once."""
    documents = read_documents(path)
    found = (sentence for text in documents.texts for sentence in sentences_of(text))
    sentences = [one for one in found if FEWEST_WORDS <= len(one.split()) <= MOST_WORDS]
    return Corpus(path, list(dict.fromkeys(sentences)), documents.sha256)


def without_words(path: Path, words: GroupWords) -> InputError:
    """Return the error for a text in which no group is named."""
    return InputError(
        f"the text {path} holds none of the words of {words.slug!r}: choose a text about these groups, or another list"
    )


def by_group(corpus: Corpus, words: GroupWords) -> dict[str, list[str]]:
    """Return by group the sentences that name one group and no other; NEUTRAL has those that name none.

    Raises InputError for a text with too few sentences of a group.
    """
    found: dict[str, list[str]] = defaultdict(list)
    for sentence in corpus.sentences:
        named = words.named_in(sentence)
        if len(named) < 2:
            found[next(iter(named), NEUTRAL)].append(sentence)
    if not any(found[group] for group in words.groups):
        raise without_words(corpus.path, words)
    for group in words.groups:
        if len(found[group]) < FEWEST_SENTENCES:
            raise InputError(
                f"the text {corpus.path} has {len(found[group])} sentences that name {group!r} and no other group of"
                f" {words.slug!r}; {FEWEST_SENTENCES} are needed: choose a longer text, or add words to the list"
            )
    return found


def drawn(sentences: Mapping[str, Sequence[str]], groups: Iterable[str], most: int, seed: int) -> dict[str, list[str]]:
    """Return equally many sentences of each group, at most `most`, drawn without replacement."""
    chosen = list(groups)
    count = min(most, *(len(sentences[group]) for group in chosen))
    random = np.random.default_rng(seed)
    return {group: [sentences[group][row] for row in _rows(random, sentences[group], count)] for group in chosen}


def _rows(random: np.random.Generator, sentences: Sequence[str], count: int) -> list[int]:
    return [int(row) for row in np.sort(random.choice(len(sentences), count, replace=False))]
