"""What is wrong with a file of words: all of its faulty lines, not only the first."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from plumbline.spec.errors import InputError

MOST_SHOWN = 100


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One fault and the line at which it stands; 0 where no line is to blame."""

    line: int
    text: str
    unit: str = "line"

    def __str__(self) -> str:
        text = f"{' '.join(self.text.split()).rstrip('.')}."
        return f"{self.unit} {self.line}: {text}" if self.line else text


class FaultyFileError(InputError):
    """Several faults; the message is the first one, and how many more there are."""

    def __init__(self, faults: Iterable[Fault], name: str = "") -> None:
        self.faults = sorted(faults)
        more = len(self.faults) - 1
        tail = f" And {more:,} more {'fault' if more == 1 else 'faults'}." if more else ""
        super().__init__(f"{name + ': ' if name else ''}{self.faults[0]}{tail}")

    def lines(self) -> list[str]:
        """The first MOST_SHOWN faults, and how many more there are, each on a line."""
        shown = [str(fault) for fault in self.faults[:MOST_SHOWN]]
        more = len(self.faults) - len(shown)
        return [*shown, f"... and {more:,} more."] if more else shown


@contextmanager
def named(name: str) -> Iterator[None]:
    """Faults of what is done inside begin with the name of the file."""
    try:
        yield
    except FaultyFileError as error:
        raise FaultyFileError(error.faults, name) from None
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
