"""Names of accounts in a pack: pseudonyms, unless the names are asked for."""

from collections.abc import Mapping
from typing import Any

NAMED = frozenset(
    ("judged_by", "assignee", "author", "person", "signed_by", "withdrawn_by", "pinned_by", "launched_by")
)
"""The keys whose values name accounts."""


class People:
    """Gives each account a number in the order of appearance. One account has one number in the whole pack."""

    def __init__(self, *, named: bool) -> None:
        self._named, self._numbers = named, dict[str, str]()

    def name(self, account: str) -> str:
        """Return what the pack calls the account; an empty name stays empty."""
        if self._named or not account:
            return account
        return self._numbers.setdefault(account, f"person {len(self._numbers) + 1}")

    def renamed(self, content: Any) -> Any:
        """Return plain data in which the values of NAMED, and the names that `votes` are keyed by, are replaced."""
        if isinstance(content, list):
            return [self.renamed(one) for one in content]
        if not isinstance(content, Mapping):
            return content
        return {key: self._value(key, value) for key, value in content.items()}

    def _value(self, key: str, value: Any) -> Any:
        if key in NAMED and isinstance(value, str):
            return self.name(value)
        if key == "votes" and isinstance(value, Mapping):
            return {self.name(person): state for person, state in value.items()}
        return self.renamed(value)
