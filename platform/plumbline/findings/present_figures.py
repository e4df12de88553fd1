"""How many present figures of a run are findings, and how many are not."""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from plumbline.audits.models import Run
from plumbline.findings.identity import LABELS
from plumbline.findings.models import Update
from plumbline.findings.observing import present_in
from plumbline.findings.selection import rows_of, rules_there
from plumbline.results.summary import PRESENT
from plumbline.spec.finding_rules import FindingRule

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PresentFigures:
    """The present figures that one rule of the method is about, and how many of them are findings."""

    statistic: str
    rows: str
    present: int
    with_finding: int

    @property
    def without_finding(self) -> int:
        return self.present - self.with_finding


def present_figures(run: Run, update: Update | None) -> list[PresentFigures]:
    """Return the present figures of a run by rule, those with a finding and those without: rules without any are out.

    A figure is counted if a rule of the method may make a finding of it: of the rule's statistic and rows, by the run's
    primary definition, with the verdict present. It has a finding if one with its key (plan, model, method and
    labels) exists and the run shows it: whether this run added it, a later run of the plan did, or a person pinned it.
    The state of the finding does not matter. Figures that a concern withholds are counted as without a finding. Pinned
    figures of other statistics or definitions are findings, but no rule is about them, so neither number has them.
    `update` is what was written of the run's findings, None before.
    """
    known = set(present_in(run).values_list(*(f"finding__{name}" for name in LABELS))) if update else set()
    return [one for rule in _with_present(run, update) if (one := _counted(run, rule, known)).present]


def without_finding(run: Run, update: Update | None) -> int:
    """Return how many present figures of a run are no findings, so that nobody is asked to judge them."""
    return sum(one.without_finding for one in present_figures(run, update))


def _with_present(run: Run, update: Update | None) -> Iterator[FindingRule]:
    """Yield the rules that found a present figure when the findings were written: the others need no query."""
    stored: Counter[tuple[str, str]] = Counter()
    for one in update.counts if update else ():
        stored[one["statistic"], one["rows"]] += one["present"]
    if stored.total():
        yield from (rule for rule in rules_there(run) if stored[rule.statistic, rule.rows])


def _counted(run: Run, rule: FindingRule, known: Collection[Key]) -> PresentFigures:
    found = rows_of(run, rule).filter(PRESENT)
    of_findings = {f"{name}__in": {key[at] for key in known} for at, name in enumerate(LABELS)}
    keys = found.filter(**of_findings).order_by().values_list(*LABELS) if known else ()
    return PresentFigures(rule.statistic, rule.rows, found.count(), sum(key in known for key in keys))
