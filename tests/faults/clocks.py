"""Wrong clocks, for processes that are started with them."""

from pathlib import Path

import libfaketime


def clock(off: str) -> dict[str, str]:
    """The environment of a process to which every clock of the machine but the monotonic one is wrong."""
    library = Path(libfaketime.__file__).parent / "vendor/libfaketime/src/libfaketime.so.1"
    assert library.exists()
    return {"LD_PRELOAD": str(library), "FAKETIME": off, "DONT_FAKE_MONOTONIC": "1"}
