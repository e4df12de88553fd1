"""What a run found, in sentences, by its method: the planned contrast first. Pages and commands read it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from plumbline.audits.models import Run
from plumbline.findings.left_out import LeftOut
from plumbline.findings.sentences import Sentence
from plumbline.results.not_scorable import NotScorable, not_scorable
from plumbline.spec.measure import Measure
from plumbline.spec.registry import contributed

Tell = Callable[[Run], list[Sentence]]
Texts = Callable[[Run], list[str]]


@dataclass(frozen=True, slots=True)
class Finding:
    """A sentence, its figures, and the page (an address's name) that shows what it rests on."""

    sentence: str
    figures: str
    page: str


def _nothing(_run: Run) -> list[str]:
    return []


def _no_word(_run: int) -> list[LeftOut]:
    return []


@dataclass(frozen=True, slots=True)
class MethodFindings:
    """What a method concludes of a run. The module `findings` of its folder has it as FINDINGS."""

    pages: Mapping[str, Tell] = field(default_factory=dict)
    """The pages that its sentences rest on, in the order in which they are told."""
    contrasts: bool = False
    """Whether its differences of groups on single words are told beside, contrast by contrast."""
    concerns: Texts = _nothing
    """Why a finished run cannot be read as what its probe measures."""
    warnings: Texts = _nothing
    """What makes conclusions of a run less certain than they read."""
    left_out: Callable[[int], Sequence[LeftOut]] = _no_word
    """The words of a run that have no score, besides single items that could not be scored."""
    is_followed: Callable[[Measure], bool] = lambda _one: True
    """Which overall differences are followed over the audits of a plan."""
    not_scorable: Callable[[int, int], Sequence[NotScorable]] = not_scorable
    """Of a run, at most so many groups of items that could not be scored, with the reason."""


def findings_of(probe: str) -> MethodFindings:
    """Return what the method of a probe concludes: nothing for a probe that is not registered (any more)."""
    return contributed(probe, "findings", "FINDINGS", MethodFindings())


def run_findings(run: Run) -> list[Finding]:
    """All sentences of a run but those of its single contrasts, from short slices of its measures."""
    pages = findings_of(run.probe).pages
    return [Finding(sentence, figures, page) for page, tell in pages.items() for sentence, figures in tell(run)]


def concerns(run: Run) -> list[str]:
    """Why a finished run cannot be read as what its probe measures; its state is never shown without them."""
    return findings_of(run.probe).concerns(run)


def warnings(run: Run) -> list[str]:
    """What makes conclusions of a run less certain than they read."""
    return findings_of(run.probe).warnings(run)
