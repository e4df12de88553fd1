"""What a method adds to the page "Before and after"."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plumbline.audits.models import Run
from plumbline.spec.registry import contributed

Query = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class BeforeAfterSection:
    """A part of the page about the run before and all runs after. The module `before_after` has it as SECTION."""

    template: str
    context: Callable[[Query, Run, Sequence[Run]], dict[str, Any]]
    """The template's own context, from the page's address, the run before and the runs after."""
    statistic: str = ""
    """The statistic whose differences the page lists; empty: those of all statistics."""
    units: str = "sentences"
    """What both runs have in common, over which a change is taken."""
    differences: str = "differences"
    """What the page calls the differences that it lists."""


def section_of(probe: str) -> BeforeAfterSection | None:
    """Return what the method of a probe adds, or None."""
    found: BeforeAfterSection | None = contributed(probe, "before_after", "SECTION", None)
    return found
