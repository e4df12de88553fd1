"""E-mail addresses as typed by people, one per line."""

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from plumbline.spec.errors import InputError

MOST = 20


def parse(text: str) -> list[str]:
    """Return the distinct addresses in order. Raises InputError for an invalid address and for more than MOST."""
    found = list(dict.fromkeys(filter(None, (line.strip() for line in text.splitlines()))))
    if len(found) > MOST:
        raise InputError(f"{len(found)} e-mail addresses are too many; give at most {MOST}, or a mailing list.")
    for address in found:
        try:
            validate_email(address)
        except ValidationError:
            raise InputError(
                f"{address[:100]!r} is not an e-mail address; write one per line, such as a@example.org."
            ) from None
    return found
