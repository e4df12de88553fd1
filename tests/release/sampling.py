"""Which part of the release's pages a change asks; a trial asks all."""

from collections.abc import Hashable, Iterable
from zlib import crc32

from plumbline.audits.models import Plan, Run

ONE_IN = 3


def share_of(address: str, many: int) -> int:
    """Return the number of the share, of so many, that a digest puts an address into."""
    return crc32(address.encode()) % many


def first_runs() -> set[int]:
    """Return the first run of each probe in each state: all of their pages are asked, of the others' one in three."""
    return _firsts((run.pk, (run.probe, run.state)) for run in Run.objects.order_by("pk"))


def first_plans() -> set[int]:
    """Return the first plan of each probe: all of their pages are asked, of the others' one in three."""
    return _firsts((plan.pk, plan.spec["probe"]) for plan in Plan.objects.order_by("pk"))


def _firsts(kinds: Iterable[tuple[int, Hashable]]) -> set[int]:
    """Return the first number of each kind."""
    firsts: dict[Hashable, int] = {}
    for number, kind in kinds:
        firsts.setdefault(kind, number)
    return set(firsts.values())


def is_sampled(name: str, number: int) -> bool:
    """Return whether the page of this name is asked of a run or plan that is no first one."""
    return share_of(f"{name} {number}", ONE_IN) == 0
