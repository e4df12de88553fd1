"""The figures of a run that go into files for others: those of whole lists and groups, defined and undefined apart."""

from dataclasses import dataclass

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.findings.by_method import caveat_of, concerns, warnings
from plumbline.findings.sentences import group_name, interval_name
from plumbline.results import summary
from plumbline.spec.card import Card, Statistic
from plumbline.spec.errors import InputError
from plumbline.spec.measure import Measure
from plumbline.spec.registry import card_of

MOST_FIGURES = 100
"""The most figures of a file. A file for readers with more would not be read; `audit export` writes all measures."""


@dataclass(frozen=True)
class Figures:
    """The overall figures of a finished run: defined ones, and undefined ones with their reasons."""

    run: Run
    card: Card
    defined: list[Measure]
    undefined: list[Measure]
    left_out: int
    """The number of defined figures beyond MOST_FIGURES."""

    @property
    def interval(self) -> str:
        return interval_name(self.run.spec)

    def caveats(self) -> list[str]:
        """Return the limits: what makes the run doubtful, the method's caveat, and those of the statistics."""
        told = {one.statistic for one in self.defined}
        own = [f"{name_of(one)}: {one.caveat}" for one in self.card.statistics if one.name in told]
        return list(dict.fromkeys([*concerns(self.run), *warnings(self.run), caveat_of(self.run), *own]))

    def statistic(self, one: Measure) -> Statistic:
        found = self.card.statistic(one.statistic)
        assert found is not None  # noqa: S101 -- `figures_of` takes no others
        return found


def figures_of(run: Run) -> Figures:
    """Return the overall figures that the method's card explains, with a verdict or not.

    Raises InputError for a run that is not done, whose method is not registered, or that has no such figure.
    """
    if run.state != RunState.DONE:
        raise InputError(f"run {run.pk} is {run.state}: only a finished run has figures to export.")
    if (card := card_of(run.probe)) is None:
        raise InputError(f"the method {run.probe!r} of run {run.pk} is not registered: nothing explains its figures.")
    names = [one.name for one in card.statistics]
    found = summary.of_run(run.pk, *names).filter(summary.OVERALL, variant="").order_by("statistic", "id")
    measures = summary.measures(found)
    defined = [one for one in measures if one.value is not None]
    if not measures:
        raise InputError(f"run {run.pk} has no figure of a whole list or group; 'audit export' writes its measures.")
    undefined = [one for one in measures if one.value is None]
    return Figures(run, card, defined[:MOST_FIGURES], undefined, max(0, len(defined) - MOST_FIGURES))


def name_of(statistic: Statistic) -> str:
    """Return the title of a statistic, or the words of its key."""
    return statistic.title or statistic.name.replace("_", " ")


def subject(one: Measure) -> str:
    """Return what a figure is of: its groups, list and condition."""
    groups = " minus ".join(group_name(group) for group in (one.group_a, one.group_b) if group)
    return ", ".join(filter(None, (groups, one.category, one.condition)))
