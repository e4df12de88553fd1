import pytest

from plumbline.audits.mail.addresses import MOST, parse
from plumbline.spec.errors import InputError


def test_addresses_are_read_one_per_line_and_kept_once() -> None:
    assert parse(" a@example.org \n\nb@example.org\r\na@example.org\n") == ["a@example.org", "b@example.org"]
    assert parse("") == []


@pytest.mark.parametrize(
    "wrong", ["anna", "a@example.org, b@example.org", "a@", "Anna <a@example.org>", "a@b.org\x00", "a b@example.org"]
)
def test_what_is_no_address_is_refused(wrong: str) -> None:
    with pytest.raises(InputError, match="is not an e-mail address"):
        parse(f"b@example.org\n{wrong}")


def test_too_many_addresses_are_refused() -> None:
    with pytest.raises(InputError, match="too many"):
        parse("\n".join(f"a{number}@example.org" for number in range(MOST + 1)))
