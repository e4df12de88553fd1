"""Which kinds of model a field of a spec concerns, and which slots its templates have."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ForKinds:
    """Marks a field that has a meaning for models of these kinds only. Forms show it apart for the others."""

    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Slots:
    """Marks a field of templates, each of which has these slots exactly once and no other. Forms offer such lists."""

    bases: tuple[str, ...]


CAUSAL = ForKinds(("causal",))
TEXT_TO_TEXT = ForKinds(("text_to_text",))
REMOTE = ForKinds(("remote",))
IN_TEXT = ForKinds(("causal", "remote"))
"""Models that may write their answers."""
PARSED = ForKinds(("causal", "remote", "text_to_text", "answers"))
"""Models whose answers may be texts."""
