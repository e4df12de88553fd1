"""Column squishing (Bittorf et al. 2012, algorithm 4) as SeT needs it: one target, word by word, easy to check."""

import numpy as np
import numpy.typing as npt


def squished(logits: npt.NDArray[np.float64], target: int, margin: float) -> float:
    """The least sum of squared changes of the logits [V] that puts the target on top by the margin.

    The target's column is the smallest that may be: with the margin taken off it, no other may be larger. Going down
    the others from the largest, those above the running mean of what was taken so far are levelled with the target.
    """
    column = logits.astype(np.float64)
    column[target] -= margin
    level, taken = column[target], [target]
    for word in np.argsort(-column, kind="stable"):
        if word == target:
            continue
        if column[word] <= level:
            break
        level += (column[word] - level) / (len(taken) + 1)
        taken.append(int(word))
    return float(np.square(column[taken] - level).sum())
