import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from plumbline.spec.errors import ModelError
from workers.engine.batching import in_batches, is_out_of_memory, longest_first

lengths = st.lists(st.integers(1, 30), max_size=40)


def nothing(_: list[int]) -> None:
    """A batch that fits and gives nothing."""


def padded(sizes: list[int], batch: list[int]) -> int:
    return len(batch) * max(sizes[index] for index in batch)


@given(lengths, st.integers(1, 100))
def test_every_item_is_run_once_longest_first_and_within_the_budget(sizes: list[int], budget: int) -> None:
    batches: list[list[int]] = []
    in_batches(
        longest_first(sizes), lambda first, _: sizes[first], budget, nothing, lambda some, _: batches.append(some)
    )
    done = [index for batch in batches for index in batch]
    assert sorted(done) == list(range(len(sizes)))
    assert [sizes[index] for index in done] == sorted(sizes, reverse=True)
    assert all(padded(sizes, batch) <= budget or len(batch) == 1 for batch in batches)


@given(lengths, st.integers(30, 100))
def test_whatever_memory_allows_every_item_is_run_once(sizes: list[int], memory: int) -> None:
    kept: list[int] = []

    def run(batch: list[int]) -> list[int]:
        if padded(sizes, batch) > memory:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return [sizes[index] for index in batch]

    def keep(batch: list[int], found: list[int]) -> None:
        assert found == [sizes[index] for index in batch]
        kept.extend(batch)

    in_batches(longest_first(sizes), lambda first, _: sizes[first], 10_000, run, keep)
    assert sorted(kept) == list(range(len(sizes)))


def test_the_budget_that_memory_allowed_is_reported() -> None:
    def run(batch: list[int]) -> None:
        if len(batch) > 3:
            raise RuntimeError("not enough memory: you tried to allocate memory")

    assert in_batches(range(16), lambda _, __: 10, 160, run, lambda *_: None) == 20


def test_one_item_too_large_is_the_users_to_solve() -> None:
    def run(_: list[int]) -> None:
        raise torch.OutOfMemoryError

    with pytest.raises(ModelError, match="single input of 7 tokens"):
        in_batches([0], lambda _, __: 7, 100, run, lambda *_: None)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (torch.OutOfMemoryError(), True),
        (RuntimeError("[enforce fail at alloc_cpu.cpp] DefaultCPUAllocator: can't allocate memory: ..."), True),
        (RuntimeError("CUDA error: out of memory"), True),
        (RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"), True),
        (RuntimeError("shapes cannot be multiplied"), False),
    ],
)
def test_running_out_of_memory_is_distinguished_from_other_errors(error: RuntimeError, expected: bool) -> None:
    assert is_out_of_memory(error) is expected
