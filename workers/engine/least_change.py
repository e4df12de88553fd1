"""The least change of a last layer that puts a token on top (Cao et al. 2022, section 3.1), exactly.

Words are sorted by descending logit. `a_i` is the distance of word i's logit below the highest one, and
`e = a_t + margin` is what the target t lacks. The optimum raises t by s and lowers the k words that are then above it
to the same height: `s = (c_1 + ... + c_k) / (k + 1)` with `c_i = e - a_i`. The sum of squares of all changes is
`sum c_i^2 - (sum c_i)^2 / (k + 1)`. The k-th word is one of them if `c_k > (c_1 + ... + c_k-1) / k`, that is

    G(k) = k a_k - (a_1 + ... + a_k-1) < e                          for words above the target

G grows with k and does not depend on the target, so one binary search gives k for each target of a hidden state. Words
below the target, which is left out of its own sums, move if it rises by less than the margin. The condition is then
`G(k) - a_k < margin`, with k counting the target, and is the same for all targets.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

LOGITS_SORTED_AT_ONCE = 1 << 22
"""Sorting takes several times their memory, in float64. Below this, reading the decoder's matrix dominates the time."""
FIRST_SORTED = 64
"""Words that are sorted at first. A word far below the top moves about ten others, seldom a hundred."""


def least_distances(
    hidden: Tensor, logits: Tensor, targets: Sequence[Sequence[int]], margin: float, *, with_bias: bool = False
) -> list[list[float]]:
    """Return the least

    A' - A

    ^2 (squared Frobenius norm) that puts each of a row's targets on top by a margin.

    `hidden` [n, E] is the input of the last layer, `logits` [n, V] its output. A change of the logits by d needs a
    change of A by d h^T /

    h

    ^2 at least, so its square is

    d

    ^2 /

    h

    ^2. `with_bias` counts the bias as the last column of A, so that h has a 1 appended.
    """
    most = max(map(len, targets))
    padded = torch.tensor([[*row, *[row[0]] * (most - len(row))] for row in targets], device=logits.device)
    norms = hidden.double().square().sum(1, keepdim=True) + (1.0 if with_bias else 0.0)
    found = (least_changes(logits, padded, margin) / norms).tolist()
    return [values[: len(row)] for values, row in zip(found, targets, strict=True)]


def least_changes(logits: Tensor, targets: Tensor, margin: float, first_sorted: int = FIRST_SORTED) -> Tensor:
    """Return the least sum of squared changes of logits [n, V] that puts each target, int64 [n, m], on top by a margin.

    float64 [n, m]; 0 if the target is already on top by `margin` (> 0). Targets are independent of each other. Only
    the highest logits matter. They are sorted, and more of them if they are not enough.
    """
    n, size = logits.shape
    top = logits.amax(1, keepdim=True).double()
    below = top - logits.gather(1, targets).double()  # a_t
    found = torch.empty_like(below)
    rows, count = torch.arange(n, device=logits.device), first_sorted
    while len(rows):
        count = min(count, size)
        asked = logits[rows] if len(rows) < n else logits  # a copy of all logits takes as long as half of the search
        highest = asked.topk(count, dim=1).values if count < size else asked.sort(1, True).values
        changes, enough = _among(top[rows] - highest.double(), below[rows], margin)
        enough |= count == size
        found[rows[enough]] = changes[enough]
        rows, count = rows[~enough], count * 8
    return found


def _among(below: Tensor, target: Tensor, margin: float) -> tuple[Tensor, Tensor]:
    """Return the least changes [n, m] among the highest words, and for which rows these words suffice.

    `below` [n, k] is ascending.
    """
    places = torch.arange(1, below.shape[1] + 1, device=below.device)
    sums, squares = below.cumsum(1), below.square().cumsum(1)
    reach = places * below - (sums - below)  # G
    lacking = target + margin  # e
    above = torch.searchsorted(below, target)
    moved = torch.searchsorted(reach, lacking).clamp(max=above)
    low = (reach - below < margin).sum(1, keepdim=True)  # the same for all targets; it counts the target
    past = (moved == above) & (low > above + 1)
    count = torch.where(past, low, moved)
    total = _first(sums, count) - torch.where(past, target, 0.0)
    total_of_squares = _first(squares, count) - torch.where(past, target.square(), 0.0)
    others = (count - past.long()).double()
    change = others * lacking - total  # the sum of the c_i
    square = others * lacking.square() - 2 * lacking * total + total_of_squares
    enough = (reach[:, -1] >= lacking.amax(1)) & (reach[:, -1] - below[:, -1] >= margin)
    return (square - change.square() / (others + 1)).clamp(min=0.0), enough


def _first(sums: Tensor, count: Tensor) -> Tensor:
    """Return the sum of the first `count` words from the running sums."""
    return torch.nn.functional.pad(sums, (1, 0)).gather(1, count)
