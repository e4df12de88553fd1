"""Batches by number of tokens, which shrink when memory runs out."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import torch

from plumbline.spec.errors import OutOfMemoryError

Found = TypeVar("Found")
"""The result of a batch."""


def longest_first(lengths: Sequence[int]) -> list[int]:
    """Return the order of descending length: memory runs out at the start, and time estimates err on the high side."""
    return sorted(range(len(lengths)), key=lambda index: -lengths[index])


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether an error means that memory ran out.

    Without a GPU, and in CUDA's libraries (CUBLAS_STATUS_ALLOC_FAILED), it is a plain RuntimeError, which only the text
    of the allocator, of oneDNN or of the library distinguishes.
    """
    told = ("out of memory", "allocate memory", "could not create a primitive", "bad_alloc", "alloc_failed")
    return isinstance(error, torch.OutOfMemoryError) or any(text in str(error).lower() for text in told)


def in_batches(
    order: Sequence[int],
    cost: Callable[[int, int], int],
    budget: int,
    run: Callable[[list[int]], Found],
    keep: Callable[[list[int], Found], None],
) -> int:
    """Run all items of `order` in batches of at most `budget` tokens; return the budget that memory allowed.

    `cost(first, item)` is the number of tokens that an item adds to a batch beginning with `first`. When memory runs
    out, the batch is halved and later batches are as small. `run` may therefore run an item several times and returns
    its result. `keep(batch, found)` is called once for each completed batch. Raises OutOfMemoryError when a single item
    does not fit.
    """
    waiting = deque(order)
    while waiting:
        batch, tokens = _take(waiting, cost, budget)
        found = _found(batch, run)
        if found:
            keep(batch, *found)
        elif len(batch) == 1:
            raise OutOfMemoryError(
                f"out of memory on a single input of {tokens} tokens: use a smaller model, bfloat16 or a larger device"
            )
        else:
            waiting.extendleft(reversed(batch))
            budget = max(1, tokens // 2)
    return budget


def _take(waiting: deque[int], cost: Callable[[int, int], int], budget: int) -> tuple[list[int], int]:
    """Take the next items that fit into the budget, at least one; return them and their tokens."""
    first = waiting[0]
    batch, tokens = [waiting.popleft()], cost(first, first)
    while waiting and tokens + cost(first, waiting[0]) <= budget:
        tokens += cost(first, waiting[0])
        batch.append(waiting.popleft())
    return batch, tokens


def _found(batch: list[int], run: Callable[[list[int]], Found]) -> tuple[Found] | None:
    """Return the result of the batch in a tuple, or None when memory ran out."""
    try:
        return (run(batch),)
    except RuntimeError as error:
        if not is_out_of_memory(error):
            raise
    # Outside the handler, because the exception's traceback holds the tensors to be freed.
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
    return None


def pad_token(model: Any, tokenizer: Any) -> int:
    """Return the token that fills short rows, which attention does not read; 0 where neither names one."""
    named = (model.config.pad_token_id, tokenizer.pad_token_id)
    return next((token for token in named if token is not None), 0)
