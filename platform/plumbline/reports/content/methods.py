"""The methods of a report: what each measures, and the equation, source and caveat of each statistic in the runs."""

from dataclasses import dataclass

from plumbline.audits.models import Run
from plumbline.pages.statistic_caveats import limits_of
from plumbline.pages.titles import title
from plumbline.spec.card import Card, Statistic
from plumbline.spec.registry import card_of


@dataclass(frozen=True, slots=True)
class Described:
    """A statistic with its title on pages."""

    title: str
    statistic: Statistic


@dataclass(frozen=True, slots=True)
class MethodUsed:
    card: Card
    statistics: tuple[Described, ...]


def method_of(run: Run) -> MethodUsed | None:
    """Return the method of a run, or None for one that is not registered (any more)."""
    card = card_of(run.probe)
    if card is None:
        return None
    return MethodUsed(card, tuple(Described(title(one.name), one) for one in limits_of(run, card)))


def methods_of(runs: list[Run]) -> list[MethodUsed]:
    """Return the methods of several runs, each once with the statistics that any of the runs has."""
    found: dict[str, MethodUsed] = {}
    for used in filter(None, map(method_of, runs)):
        before = found.get(used.card.probe)
        both = (*before.statistics, *used.statistics) if before else used.statistics
        found[used.card.probe] = MethodUsed(used.card, tuple({one.statistic.name: one for one in both}.values()))
    return list(found.values())
