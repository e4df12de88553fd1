"""Linear layers by oneDNN against PyTorch's own product, for the shapes of the bundled masked model.

    python bench/linear_layers.py [--threads 2] [--rounds 7]

Rows are those of a batch: 2,048 tokens in the body, and as many places of the vocabulary as are read or sorted at once.
Both are timed by turns, and the median of each counts, so that other jobs of the machine hit both.
"""

import argparse
import statistics
import time
from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional

from workers.engine.linear import linear

SHAPES = {
    "queries, keys and values": (2048, 384, 1152),
    "attention's output": (2048, 384, 384),
    "into the wide layer": (2048, 384, 1536),
    "out of the wide layer": (2048, 1536, 384),
    "vocabulary, read": (549, 384, 30522),
    "vocabulary, sorted": (137, 384, 30522),
}
TOLERANCE = 1e-4


def timed(product: Callable[[], Tensor], times: int) -> float:
    """Seconds of one product."""
    start = time.perf_counter()
    for _ in range(times):
        product()
    return (time.perf_counter() - start) / times


@torch.inference_mode()
def ratio(rows: int, width: int, out: int, rounds: int) -> tuple[float, float, float]:
    """Thousands of millions of operations a second, PyTorch's own and oneDNN's; and the largest difference."""
    given, weight, bias = torch.randn(rows, width), torch.randn(out, width) / width**0.5, torch.randn(out)
    operations = 2 * rows * width * out
    times = max(1, round(2e10 / operations))
    own: list[float] = []
    ours: list[float] = []
    for _ in range(rounds):
        own.append(timed(lambda: functional.linear(given, weight, bias), times))
        ours.append(timed(lambda: linear(given, weight, bias), times))
    apart = (functional.linear(given, weight, bias) - linear(given, weight, bias)).abs().max()
    slow, quick = (operations / statistics.median(one) / 1e9 for one in (own, ours))
    return slow, quick, float(apart)


def main() -> int:
    """Exit status 0 if both agree and oneDNN is not slower over all shapes together."""
    parser = argparse.ArgumentParser(description="Linear layers by oneDNN against PyTorch's own product")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(0)
    ratios, farthest = [], 0.0
    for name, shape in SHAPES.items():
        own, ours, apart = ratio(*shape, options.rounds)
        ratios.append(ours / own)
        farthest = max(farthest, apart)
        print(f"{name:<26} {shape!s:<20} {own:5.0f} -> {ours:5.0f} GFLOP/s, {ours / own:.2f} times; apart {apart:.0e}")
    print(f"together {statistics.geometric_mean(ratios):.2f} times with {options.threads} threads")
    return 0 if farthest < TOLERANCE and statistics.geometric_mean(ratios) > 1 else 1


if __name__ == "__main__":
    raise SystemExit(main())
