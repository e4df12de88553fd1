"""Accounts that requests to an endpoint are charged to, so that a budget is never exceeded."""

from collections.abc import Mapping
from typing import Any, Protocol

from plumbline.spec.answers.reply import Reply


class Account(Protocol):
    """What a run may spend. Each request is reserved at its highest cost before it is sent."""

    def reserve(self, body: Mapping[str, Any]) -> object | None:
        """Return what to settle when the answer is there; None if the budget does not allow the request."""

    def settle(self, reserved: Any, reply: Reply) -> None:
        """Charge what an answered request cost in place of what was reserved for it."""

    def exhausted(self) -> str:
        """Return one line that says what is spent and what to do."""


class Unlimited:
    """An account without limit and without memory."""

    def reserve(self, body: Mapping[str, Any]) -> object | None:
        return body

    def settle(self, reserved: Any, reply: Reply) -> None: ...

    def exhausted(self) -> str:
        return ""
