"""What the figures of one run cannot tell: the caveats of the statistics that it has."""

from plumbline.audits.models import Run
from plumbline.results import summary
from plumbline.spec.card import PAIRED_DIFFERENCE, Card, Statistic
from plumbline.spec.robustness import ROBUSTNESS
from plumbline.spec.shared_statistics import NOT_SCORABLE

OF_RECORDS = (*ROBUSTNESS, NOT_SCORABLE)


def card_statistics(card: Card | None) -> list[Statistic]:
    """Those of the method, and those that any run may have."""
    own = () if card is None else (*card.statistics, *(OF_RECORDS if "association" in card.tables else ()))
    return [one if card is None else card.own(one) for one in (*own, PAIRED_DIFFERENCE)]


def limits_of(run: Run, card: Card | None) -> list[Statistic]:
    """The statistics that this run has measures of, in the order of the card. One query."""
    known = card_statistics(card)
    there = summary.statistics_there(run.pk, [one.name for one in known])
    return [one for one in known if one.name in there]
