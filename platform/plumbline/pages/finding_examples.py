"""Example items of a finding. A method's module `finding_examples` finds those of its own records as EXAMPLES."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from plumbline.audits.models import Run
from plumbline.findings.models import Finding
from plumbline.spec.sentences import Piece


@dataclass(frozen=True, slots=True)
class Example:
    """What was asked, and what came out."""

    pieces: Sequence[Piece] = ()
    text: str = ""
    """The text of an example without marked slots."""
    figures: str = ""
    subwords: int = 0
    """Into how many the word splits, where only the first one was scored."""


@dataclass(frozen=True, slots=True)
class Examples:
    """Typical items, how they were chosen, the page with all items behind the finding, and sentences on its limits."""

    items: Sequence[Example] = field(default_factory=tuple)
    how: str = ""
    address: str = ""
    limits: Sequence[str] = ()
    list_mean: str = ""
    """Whether a word is shown to lean more than its list, where the whole list leans the same way."""


Find = Callable[[Run, Finding], Examples]
