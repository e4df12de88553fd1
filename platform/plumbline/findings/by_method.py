"""The findings of a run in sentences, by method. Pages and commands show them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from plumbline.audits.models import Run
from plumbline.findings.left_out import LeftOut
from plumbline.findings.sentences import CAVEAT, SUM_TO_ZERO, Sentence
from plumbline.findings.split_words import scores_first_subword
from plumbline.results import summary
from plumbline.results.not_scorable import NotScorable, not_scorable
from plumbline.spec.measure import Measure
from plumbline.spec.registry import PROBES, contributed

Tell = Callable[[Run], list[Sentence]]
Texts = Callable[[Run], list[str]]
Warn = Callable[[Run, Collection[str]], list[str]]
"""A function that returns warnings of a run: all of them, or those that concern the named groups."""
Writer = Callable[[Run, Measure], str]
"""A function that returns the sentence of a finding on one present measure."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A sentence, its figures, and the name of the page that shows its data."""

    sentence: str
    figures: str
    page: str


FIRST_SUBWORD = "A word that splits is counted like the others, though only its first subword was scored."


def _nothing(_run: Run) -> list[str]:
    return []


def _no_warning(_run: Run, _groups: Collection[str]) -> list[str]:
    return []


def _none_exempt(_run: Run) -> frozenset[str]:
    return frozenset()


def _no_word(_run: int) -> list[LeftOut]:
    return []


@dataclass(frozen=True, slots=True)
class MethodFindings:
    """The conclusions that a method draws from a run. The `findings` module of its folder has them as FINDINGS."""

    pages: Mapping[str, Tell] = field(default_factory=dict)
    """The pages behind the sentences, each with a function that returns its sentences, in order."""
    contrasts: bool = False
    """Whether the findings include the differences of groups on single words, by contrast."""
    concerns: Texts = _nothing
    """Reasons why a finished run does not measure what its probe promises."""
    exempt: Callable[[Run], Collection[str]] = _none_exempt
    """The statistics that mean what they say despite the concerns of a run."""
    writers: Mapping[str, Writer] = field(default_factory=dict)
    """The sentence of a present measure, by statistic: for each that becomes a finding by the method's card."""
    warnings: Warn = _no_warning
    """Reasons why conclusions from a run are less certain than they seem."""
    left_out: Callable[[int], Sequence[LeftOut]] = _no_word
    """The words of a run that have no score, apart from single items without a score."""
    is_followed: Callable[[Measure], bool] = lambda _one: True
    """Which overall differences appear in the history over a plan's audits."""
    not_scorable: Callable[[int, int], Sequence[NotScorable]] = not_scorable
    """The items of a run without a score, grouped by reason, at most as many groups as given."""
    nothing_to_test: Callable[[int], str] = lambda _run: ""
    """Why a run has no figure to test, as part of a sentence; "" where the figures without a value say it."""
    caveat: str = CAVEAT
    """What the findings do not say."""
    cost: Callable[[Measure], str] | None = None
    """The sentence on a change between two runs that shows what a mitigation costs; None if changes are no cost."""


def findings_of(probe: str) -> MethodFindings:
    """Return what the method of a probe concludes: nothing for a probe that is not registered (any more)."""
    return contributed(probe, "findings", "FINDINGS", MethodFindings())


def run_findings(run: Run) -> list[Finding]:
    """Return all sentences of a run except those of single contrasts, from short slices of its measures."""
    pages = findings_of(run.probe).pages
    return [Finding(sentence, figures, page) for page, tell in pages.items() for sentence, figures in tell(run)]


def caveat_of(run: Run) -> str:
    """Return what the findings of a run do not say, and whether the figures of its groups depend on each other."""
    method = findings_of(run.probe)
    if scores_first_subword(run):
        method = replace(method, caveat=f"{method.caveat} {FIRST_SUBWORD}")
    if not method.contrasts or len(summary.compared_groups(run.pk, PROBES[run.probe].card.difference)) < 3:
        return method.caveat
    return f"{method.caveat} {SUM_TO_ZERO}"


def concerns(run: Run) -> list[str]:
    """Return reasons why a finished run does not measure what its probe promises. Its state always shows them."""
    return findings_of(run.probe).concerns(run)


def warnings(run: Run, groups: Collection[str] = ()) -> list[str]:
    """Return reasons why conclusions from a run, or those about the named groups, are less certain than they seem."""
    return findings_of(run.probe).warnings(run, groups)
