"""Cells of the generating phase (one name in one context), their cost, and their division into shards."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from plumbline.methods.sodapop.spec import SodapopParams
from plumbline.spec.banks.contexts import Context, filled
from plumbline.spec.content import Name
from plumbline.spec.errors import InputError
from workers.engine.sentences import UNLIMITED
from workers.probes.sodapop.generating_words import Start, Writing

SENTENCES_PER_SHARD = 1024
"""Takes some seconds with a small model on a CPU. A cell is never divided."""
MOST_TEXTS = 1 << 23
"""Maximum number of ways in one cell. The resulting texts, at most a quarter, must fit into a worker's memory."""

MOST_ROWS = 1 << 20
"""The number of ids of a shard for one kind of record."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One name in one context, by their positions in the spec's lists."""

    context: int
    name: int


def start_of(context: Context, name: Name, writing: Writing) -> Start:
    before = f"{filled(context.context, name.name).strip()} {filled(context.prompt, name.name).strip()}"
    return writing.start(before, filled(context.answer, name.name))


def in_shards(keys: Sequence[str], costs: Sequence[int]) -> list[list[int]]:
    """Divide items into shards by the hash of their content, so that an edit of the lists changes few shards.

    The number of parts is a power of two, which small edits seldom change; a part that costs too much is divided.
    """
    parts: dict[int, list[int]] = defaultdict(list)
    count = 1 << max(0, (sum(costs) - 1) // SENTENCES_PER_SHARD).bit_length()
    for index, key in enumerate(keys):
        parts[int.from_bytes(sha256(key.encode()).digest()[:8]) % count].append(index)
    return [shard for number in sorted(parts) for shard in _cut(parts[number], costs)]


def _cut(items: Sequence[int], costs: Sequence[int]) -> list[list[int]]:
    shards: list[list[int]] = []
    cost = 0
    for item in items:
        cost += costs[item]
        if not shards or cost > SENTENCES_PER_SHARD:
            shards.append([])
            cost = costs[item]
        shards[-1].append(item)
    return shards


def check_work(context: Context, start: Start, params: SodapopParams) -> None:
    """Raise InputError, naming the context, if its answer has no word or too many replacements."""
    words = len(start.words)
    if not words:
        raise InputError(f"context {context.id!r} has no word in its answer {context.answer!r}: write one.")
    if (ways := (words * params.top) ** params.k) > MOST_TEXTS:
        raise InputError(
            f"context {context.id!r}: {params.k} of the {words} words in {context.answer!r}, with top {params.top}, can"
            f" be replaced in {ways:,} ways, more than {MOST_TEXTS:,}; lower k or top, or leave the context out."
        )


def check_spelling(tokenizer: Any, context: Context, names: Sequence[Name], starts: Sequence[Start]) -> None:
    """Raise InputError, naming context and name, for text that the generator's tokenizer cannot spell or read."""
    texts = [f"{start.before} {start.text(start.words)}" for start in starts]
    found = tokenizer(texts, add_special_tokens=False, verbose=False)["input_ids"]
    room = tokenizer.model_max_length - tokenizer.num_special_tokens_to_add()
    for name, text, ids in zip(names, texts, found, strict=True):
        if fault := _fault(tokenizer, name.name, text, ids, room):
            raise InputError(
                f"context {context.id!r} with the name {name.name!r}: {fault}; leave it out, write it otherwise, or"
                " choose another generator."
            )


def _fault(tokenizer: Any, name: str, text: str, ids: list[int], room: int) -> str:
    unknown = tokenizer.unk_token_id
    if unknown is not None and unknown in ids:
        spelled = tokenizer(name, add_special_tokens=False)["input_ids"]
        return f"the {'name' if unknown in spelled else 'text'} is spelled with the unknown token"
    if special := set(ids) & set(tokenizer.all_special_ids):
        token = tokenizer.convert_ids_to_tokens(min(special))
        return f"{text!r} contains {token}, a special token of the model"
    if len(ids) > room and room < UNLIMITED // 2:
        return f"longer than the model's {tokenizer.model_max_length} tokens"
    return ""
