"""Requests to a server, in no protocol. This module loads no torch, because a server is located without it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Request:
    """Texts as token ids. With targets, their values after each text; without, the value of each token of a text."""

    texts: tuple[tuple[int, ...], ...]
    targets: tuple[int, ...] = ()
