"""How well classes can be read, of one set of states in two halves."""

from typing import Any

from workers.debiasing.guardedness import Readable, readable
from workers.debiasing.maps import Array


def held_out_accuracy(states: Array, labels: Any) -> Readable:
    """Fit to every other state, and try on the rest."""
    return readable(states[::2], labels[::2], states[1::2], labels[1::2])
