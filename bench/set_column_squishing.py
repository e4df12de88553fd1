"""SeT: the exact solution for all words of a context at once against column squishing, word by word.

    python bench/set_column_squishing.py [--vocabulary 30522] [--contexts 40] [--words 32] [--spread 3] [--sample 40]

Both are given the same logits in float64, made at random with the vocabulary of BERT and the ABC model's 32 adjectives.
The plain way (Bittorf et al. 2012, algorithm 4, as Cao et al. 2022, section 3.1, use it for SeT) sorts the logits for
each pair of context and word and goes down them until no word is left above the target. It is timed on a random
sample. Neither time contains the model, nor the change of the matrix itself, which the plain way would write out.
"""

import argparse
import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import torch

from workers.engine.least_change import least_changes

GOAL = 200
TOLERANCE = 1e-6
MARGIN = 1.0

Floats = npt.NDArray[np.float64]
Pairs = list[tuple[int, int]]


def plain(logits: Floats, targets: npt.NDArray[np.int64], pairs: Pairs) -> Floats:
    """Pair by pair: the row of a context, and the column of one of its words."""
    return np.array([_squished(logits[row].tolist(), int(targets[row, column])) for row, column in pairs])


def _squished(column: list[float], target: int) -> float:
    """The sum of squares by which column squishing moves a column whose target must not be below any other."""
    column[target] -= MARGIN
    others = sorted((value for word, value in enumerate(column) if word != target), reverse=True)
    level, taken = column[target], [column[target]]
    for value in others:
        if value <= level:
            break
        level = len(taken) / (len(taken) + 1) * level + value / (len(taken) + 1)
        taken.append(value)
    return sum((value - level) ** 2 for value in taken)


def exact(logits: Floats, targets: npt.NDArray[np.int64]) -> Floats:
    """Whole contexts, [contexts, words]."""
    found: Floats = least_changes(torch.from_numpy(logits), torch.from_numpy(targets), MARGIN).numpy()
    return found


def _timed(solve: Callable[[], Floats]) -> tuple[Floats, float]:
    start = time.perf_counter()
    return solve(), time.perf_counter() - start


def main() -> int:
    """Exit status 0 if goal and tolerance are met."""
    parser = argparse.ArgumentParser(description="SeT: exact solution against column squishing")
    parser.add_argument("--vocabulary", type=int, default=30_522)
    parser.add_argument("--contexts", type=int, default=40)
    parser.add_argument("--words", type=int, default=32)
    parser.add_argument("--spread", type=float, default=3.0, help="standard deviation of the logits")
    parser.add_argument("--sample", type=int, default=40, help="pairs that the plain way is timed on")
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    logits = rng.normal(scale=options.spread, size=(options.contexts, options.vocabulary))
    targets = np.stack([rng.choice(options.vocabulary, options.words, replace=False) for _ in logits])
    some = rng.choice(targets.size, min(options.sample, targets.size), replace=False)
    pairs = [divmod(int(index), options.words) for index in some]
    _timed(lambda: exact(logits, targets))
    found, seconds = _timed(lambda: exact(logits, targets))
    expected, plain_seconds = _timed(lambda: plain(logits, targets, pairs))
    difference = float(np.abs(np.array([found[pair] for pair in pairs]) - expected).max())
    ratio = (targets.size / seconds) / (len(pairs) / plain_seconds)
    for way, count, taken in (("column squishing", len(pairs), plain_seconds), ("exact", targets.size, seconds)):
        print(f"  {way:<17} {count / taken:12.1f} words/s   ({count} words in {taken:.3f} s)")
    print(f"  ratio {ratio:.0f} (goal {GOAL}), largest difference {difference:.1e} (must be below {TOLERANCE:.0e})")
    return 0 if ratio >= GOAL and difference < TOLERANCE else 1


if __name__ == "__main__":
    raise SystemExit(main())
