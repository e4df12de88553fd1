"""The limits of a run's figures: the caveats of its statistics."""

from plumbline.audits.models import Run
from plumbline.results import summary
from plumbline.spec.card import OF_TWO_RUNS, Card, Statistic
from plumbline.spec.robustness import ROBUSTNESS
from plumbline.spec.shared_statistics import NOT_SCORABLE

OF_RECORDS = (*ROBUSTNESS, NOT_SCORABLE)


def card_statistics(card: Card | None) -> list[Statistic]:
    """Return the statistics of the method, and those that any run may have."""
    own = () if card is None else (*card.statistics, *(OF_RECORDS if "association" in card.tables else ()))
    return [one if card is None else card.own(one) for one in (*own, *OF_TWO_RUNS)]


def limits_of(run: Run, card: Card | None) -> list[Statistic]:
    """Return the statistics that this run has measures of, in the order of the card. One query."""
    known = card_statistics(card)
    there = summary.statistics_there(run.pk, [one.name for one in known])
    return [one for one in known if one.name in there]
