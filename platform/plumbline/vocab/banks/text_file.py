"""Files of published questions as text: UTF-8, plain or gzip, up to a limit."""

import gzip
import zlib
from pathlib import Path

from plumbline.spec.errors import InputError

MOST_BYTES = 100_000_000
"""Of one file, unpacked."""


def text_of(path: Path) -> str:
    """At most MOST_BYTES, also of a small file that unpacks to more. InputError for what is no text in UTF-8."""
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise InputError(f"{path.name} has more than {MOST_BYTES:,} bytes: is it the file that you mean?")
        return content.decode("utf-8-sig")
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise InputError(f"{path.name} is no text in UTF-8 ({error}): mend it or fetch it again.") from None
