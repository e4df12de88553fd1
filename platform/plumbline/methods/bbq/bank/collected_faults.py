"""Collection of the faults of several tables, so that all are reported at once and not the first alone."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

from plumbline.spec.errors import InputError
from plumbline.vocab.faults import MOST_SHOWN

Hold = Callable[[], AbstractContextManager[None]]
"""A context for a step that may be faulty:

`nullcontext` lets the first fault end the reading, a collector continues.
"""


class FaultyTablesError(InputError):
    """Several faults, each with its file and line. The message is the first one, and the number of the others."""

    def __init__(self, faults: Sequence[str]) -> None:
        self.faults = list(dict.fromkeys(faults))
        more = len(self.faults) - 1
        super().__init__(self.faults[0] + (f" And {more:,} more {'fault' if more == 1 else 'faults'}." if more else ""))

    def lines(self) -> list[str]:
        """Return the first faults, and the number of the others, each on a line."""
        more = len(self.faults) - MOST_SHOWN
        return [*self.faults[:MOST_SHOWN], *([f"... and {more:,} more."] if more > 0 else [])]


class Gathered:
    """A collector of the faults of all that is done in `hold`."""

    def __init__(self) -> None:
        self.faults: list[str] = []

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Record a fault and continue."""
        try:
            yield
        except FaultyTablesError as error:
            self.faults += error.faults
        except InputError as error:
            self.faults.append(str(error))

    def check(self) -> None:
        """Raise FaultyTablesError if there was any fault."""
        if self.faults:
            raise FaultyTablesError(self.faults)
