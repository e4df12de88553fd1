"""Memory that runs out after chosen operations of a batch."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import torch
from torch.overrides import TorchFunctionMode

from workers.engine import batching, causal, masked


class MemoryRunsOut(TorchFunctionMode):
    """After the operations of these numbers, counted over all batches."""

    def __init__(self, after: frozenset[int] = frozenset()) -> None:
        super().__init__()
        self.after, self.done, self.possible = after, 0, False

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        found = func(*args, **(kwargs or {}))
        self.done += 1
        if self.possible and self.done in self.after:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return found


@contextmanager
def watched(memory: MemoryRunsOut) -> Iterator[None]:
    """Watch the batches of more than one input: one alone that does not fit is an error."""
    found = batching._found

    def watch(batch: list[int], *rest: Any) -> Any:
        memory.possible = len(batch) > 1
        with memory:
            return found(batch, *rest)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batching, "_found", watch)
        for module, name in (
            (masked, "LOGITS_AT_ONCE"),
            (masked, "LOGITS_SORTED_AT_ONCE"),
            (causal, "LOGITS_SORTED_AT_ONCE"),
        ):
            patch.setattr(module, name, 300)  # two places at a time
        yield
