"""Faults of several tables, told all at once instead of the first alone."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

from plumbline.spec.errors import InputError
from plumbline.vocab.faults import MOST_SHOWN

Hold = Callable[[], AbstractContextManager[None]]
"""What is done inside may be at fault: `nullcontext` lets the first fault end the reading, a gatherer goes on."""


class FaultyTablesError(InputError):
    """Several faults, each with its file and line; the message is the first one, and how many more there are."""

    def __init__(self, faults: Sequence[str]) -> None:
        self.faults = list(dict.fromkeys(faults))
        more = len(self.faults) - 1
        super().__init__(self.faults[0] + (f" And {more:,} more {'fault' if more == 1 else 'faults'}." if more else ""))

    def lines(self) -> list[str]:
        """The first faults, and how many more there are, each on a line."""
        more = len(self.faults) - MOST_SHOWN
        return [*self.faults[:MOST_SHOWN], *([f"... and {more:,} more."] if more > 0 else [])]


class Gathered:
    """The faults of all that is done in `hold`."""

    def __init__(self) -> None:
        self.faults: list[str] = []

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Note a fault and go on."""
        try:
            yield
        except FaultyTablesError as error:
            self.faults += error.faults
        except InputError as error:
            self.faults.append(str(error))

    def check(self) -> None:
        """Raises FaultyTablesError where there was any."""
        if self.faults:
            raise FaultyTablesError(self.faults)
