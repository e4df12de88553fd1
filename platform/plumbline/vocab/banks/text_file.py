"""Text files of published questions: UTF-8, plain or gzip, up to a limit."""

import gzip
import zlib
from pathlib import Path

from plumbline.spec.errors import InputError

MOST_BYTES = 100_000_000
"""The size limit of one file, unpacked."""


def text_of(path: Path) -> str:
    """Return the file's text. Raises InputError for more than MOST_BYTES, unpacked, and for no text in UTF-8."""
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise InputError(f"{path.name} has more than {MOST_BYTES:,} bytes: is it the file that you mean?")
        return content.decode("utf-8-sig")
    except (FileNotFoundError, PermissionError, IsADirectoryError) as error:
        raise InputError(f"{path} cannot be read ({error.strerror}): check the path.") from None
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise InputError(
            f"{path.name} is no text in UTF-8 ({error}): save it as UTF-8, or download it again."
        ) from None
