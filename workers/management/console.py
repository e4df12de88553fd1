"""The console: progress on stderr, and the format of tables."""

import sys
from collections.abc import Callable, Sequence
from typing import Any

from tqdm import tqdm


class Console:
    """Progress bars on stderr, one per stage; one line per stage if stderr is not a terminal."""

    def __init__(self) -> None:
        self._name = ""
        self._bar: Any = None

    def takes(self, run_id: int, what: str) -> None: ...

    def loads(self, begins: bool) -> None: ...

    def stage(self, name: str, total: int, done: Callable[[], int] = lambda: 0) -> None:
        if name != self._name:
            self.close()
            self._name = name
            if sys.stderr.isatty():
                self._bar = tqdm(
                    total=total, desc=name, unit=" items" if total > 1 else "", file=sys.stderr, leave=True
                )
            else:
                print(f"{name} ...", file=sys.stderr, flush=True)  # noqa: T201 -- this is the console
        if self._bar is not None:
            self._bar.n = done()
            self._bar.refresh()

    def advance(self, items: int) -> None:
        if self._bar is not None:
            self._bar.update(items)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        self._bar, self._name = None, ""


def table(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Return rows as lines with columns as wide as their longest cell."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
