"""Faults of a file of words: all of its faulty lines, not only the first."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from plumbline.spec.errors import InputError, shortened

MOST_SHOWN = 100


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One fault and its line; 0 if the fault is not on one line."""

    line: int
    text: str
    unit: str = "line"

    def __str__(self) -> str:
        text = shortened(f"{' '.join(self.text.split()).rstrip('.')}.")
        return f"{self.unit} {self.line}: {text}" if self.line else text


class FaultyFileError(InputError):
    """Several faults. The message is the first one, and the number of the others."""

    def __init__(self, faults: Iterable[Fault], name: str = "") -> None:
        self.faults = sorted(faults)
        more = len(self.faults) - 1
        tail = f" And {more:,} more {'fault' if more == 1 else 'faults'}." if more else ""
        super().__init__(f"{name + ': ' if name else ''}{self.faults[0]}{tail}")

    def lines(self) -> list[str]:
        """Return the first MOST_SHOWN faults, and the number of the others, each on a line."""
        shown = [str(fault) for fault in self.faults[:MOST_SHOWN]]
        more = len(self.faults) - len(shown)
        return [*shown, f"... and {more:,} more."] if more else shown


@contextmanager
def named(name: str) -> Iterator[None]:
    """Put the name of the file before each fault that is raised inside."""
    try:
        yield
    except FaultyFileError as error:
        raise FaultyFileError(error.faults, name) from None
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
