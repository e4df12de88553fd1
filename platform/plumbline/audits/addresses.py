"""E-mail addresses as people type them, one a line."""

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from plumbline.spec.errors import InputError

MOST = 20


def parse(text: str) -> list[str]:
    """The addresses in their order, each once. Raises InputError for what is none, and for too many."""
    found = list(dict.fromkeys(filter(None, (line.strip() for line in text.splitlines()))))
    if len(found) > MOST:
        raise InputError(f"{len(found)} e-mail addresses are too many; give at most {MOST}, or the address of a list.")
    for address in found:
        try:
            validate_email(address)
        except ValidationError:
            raise InputError(
                f"{address[:100]!r} is no e-mail address; write one a line, such as a@example.org."
            ) from None
    return found
