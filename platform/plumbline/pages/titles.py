"""Titles of statistics for pages, such as `Score of each group` for `ilps`."""

from collections.abc import Iterable
from functools import cache

from plumbline.spec.card import OF_TWO_RUNS, Card, Statistic
from plumbline.spec.registry import PROBES
from plumbline.spec.robustness import ROBUSTNESS


def titles(card: Card) -> dict[str, str]:
    """Return the titles of a probe's statistics by key."""
    centred = f"{card.difference}_centred"
    own = _own(card.statistics)
    found = {}
    if centred in own and card.score != card.difference:
        found = {
            card.score: "Score of each group",
            card.difference: "Difference between groups",
            centred: "Difference beyond what the words of a list share",
        }
    return own | found


def _own(statistics: Iterable[Statistic]) -> dict[str, str]:
    return {one.name: one.title or spoken(one.name) for one in statistics}


def title(statistic: str) -> str:
    """Return the title of a statistic by its key alone, such as `Score of each group`."""
    return _known().get(statistic) or spoken(statistic)


def probe_title(probe: str) -> str:
    """Return the title of a probe by its key, or the key if the probe is no longer registered."""
    return PROBES[probe].card.title if probe in PROBES else probe


def spoken(key: str) -> str:
    """Return a title made from the words of a key, such as `Effect size` or `WEAT score`."""
    first, *others = (word.upper() if word in PROBES else word for word in key.split("_"))
    return " ".join([first[:1].upper() + first[1:], *others])


@cache
def _known() -> dict[str, str]:
    """Return the titles that differ from the words of the key. Cards that share a statistic may give it no title."""
    shared = _own((*OF_TWO_RUNS, *ROBUSTNESS))
    named = [shared, *(titles(method.card) for method in PROBES.values())]
    return {key: name for found in named for key, name in found.items() if name != spoken(key)}
