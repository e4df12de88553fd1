"""What requests to an endpoint cost. All amounts are in one currency, which an installation chooses."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from plumbline.spec.answers.reply import Reply

MILLION = Decimal(1_000_000)
TEMPLATE_TOKENS = 200
"""Tokens that an endpoint may add around the messages of a request. An assumption, which is on the high side."""


@dataclass(frozen=True, slots=True)
class Prices:
    """The prices of a million tokens that an endpoint reads and writes, and what one run may cost.

    None is an unknown price or no limit.
    """

    read: Decimal | None = None
    written: Decimal | None = None
    budget: Decimal | None = None

    @property
    def known(self) -> bool:
        return self.read is not None or self.written is not None

    def highest(self, body: Mapping[str, Any]) -> Decimal:
        """Return the highest cost of a request: a token has at least one byte, and no answer exceeds `max_tokens`."""
        sent = len(json.dumps(body["messages"], ensure_ascii=False).encode())
        return self._cost(sent + TEMPLATE_TOKENS, int(body["max_tokens"]))

    def of(self, reply: Reply, highest: Decimal) -> Decimal:
        """Return the cost of an answered request, or `highest` if the endpoint does not tell both numbers of tokens."""
        if reply.prompt_tokens is None or reply.completion_tokens is None:
            return highest
        return self._cost(reply.prompt_tokens, reply.completion_tokens)

    def _cost(self, read: int, written: int) -> Decimal:
        return (read * (self.read or Decimal()) + written * (self.written or Decimal())) / MILLION
