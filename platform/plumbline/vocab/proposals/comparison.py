"""Comparison of a proposal with a published list: names in both, only proposed, and only published with the reason."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from plumbline.vocab.models import Name
from plumbline.vocab.proposals.proportions import GROUPS, Share, Thresholds


@dataclass(frozen=True, slots=True)
class Missing:
    """A published name that is not proposed for its group."""

    name: str
    group: str
    reason: str
    share: Share | None
    """None if the table does not have the name."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The comparison of one group."""

    group: str
    both: list[Share]
    only_proposed: list[Share]
    only_published: list[Missing]

    def __str__(self) -> str:
        published = len(self.both) + len(self.only_published)
        return (
            f"{self.group}: {len(self.both)} of {published} published names are proposed,"
            f" {len(self.only_proposed)} others too"
        )


def compare(
    found: Mapping[str, Share], chosen: Sequence[Share], needed: Thresholds, published: Iterable[Name]
) -> list[Comparison]:
    """Return the comparison by group, for the races of the proposal; `found` has all names of the table (`shares`)."""
    of_list: dict[str, list[str]] = {}
    for name in published:
        of_list.setdefault(name.group, []).append(name.name)
    groups = [group for (race, _), group in GROUPS.items() if race in needed.races]
    return [
        _of_group(group, of_list.get(group, []), [share for share in chosen if share.group == group], found, needed)
        for group in groups
    ]


def _of_group(
    group: str, published: Sequence[str], chosen: Sequence[Share], found: Mapping[str, Share], needed: Thresholds
) -> Comparison:
    names = {name.lower() for name in published}
    proposed = {share.name.lower() for share in chosen}
    missing = [name for name in published if name.lower() not in proposed]
    return Comparison(
        group,
        [share for share in chosen if share.name.lower() in names],
        [share for share in chosen if share.name.lower() not in names],
        [_missing(name, group, found.get(name.lower()), needed) for name in missing],
    )


def _missing(name: str, group: str, share: Share | None, needed: Thresholds) -> Missing:
    if share is None:
        return Missing(name, group, "not in the table", None)
    elsewhere = f"it is proposed for {share.group}"
    return Missing(name, group, share.lacking(needed) or elsewhere, share)
