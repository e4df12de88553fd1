"""An answer of an endpoint as it was received."""

from dataclasses import dataclass

NOT_STORABLE = "\x00"
"""The character that PostgreSQL's texts cannot hold."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The whole answer. Numbers are None if the endpoint does not send them."""

    text: str
    reasoning: str = ""
    """What the model wrote before its answer, if the endpoint sends it apart."""
    refusal: str = ""
    """The text of a refusal, if the endpoint sends it apart."""
    finish_reason: str = ""
    served_model: str = ""
    fingerprint: str = ""
    left_out: str = ""
    """Parameters that the model refuses, separated by commas. They were not sent."""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class KeptReply:
    """A reply with its number in the store; None: it is kept in memory only."""

    reply: Reply
    number: int | None = None


def storable(text: str) -> str:
    """Return the text without lone surrogates and NUL, which a database cannot hold: each becomes a mark."""
    return text.encode("utf-8", "replace").decode().replace(NOT_STORABLE, "\ufffd")
