"""The test of agreement with people, over groups."""

from collections.abc import Mapping, Sequence
from math import nan, sqrt
from typing import Any

from plumbline.spec.content import Group
from plumbline.spec.numbers import counted
from plumbline.spec.power.attainable_p import of_orders
from plumbline.spec.power.tests import PlannedTest
from plumbline.spec.sources import Ratings, entries_of


def of_agreement(
    groups: Sequence[Group],
    human: Ratings | None,
    snapshots: Mapping[str, Mapping[str, Any]],
    *,
    pairs: int,
    draws: int,
    alpha: float,
    margin: float,
) -> list[PlannedTest]:
    """Plan the test of whether the model agrees more with people's ratings of a group than with those of others.

    By default groups scatter like Kendall's tau of this many unrelated pairs of opposites (Kendall 1945).
    """
    if human is None or pairs < 2:
        return []
    rated = _rated(groups, human, snapshots)
    return [
        PlannedTest(
            statistic="kendall_tau_excess",
            labels={"category": False},
            effect="an agreement with people (tau) of {} beyond that with other groups' ratings",
            unit="group",
            n_units=rated,
            given=counted(rated, "rated group"),
            members=1,
            alpha=alpha,
            margin=margin,
            least_p=of_orders(rated, draws) if rated else nan,
            spread=sqrt(2 * (2 * pairs + 5) / (9 * pairs * (pairs - 1))),
            largest=1.0,
        )
    ]


def _rated(groups: Sequence[Group], human: Ratings, snapshots: Mapping[str, Mapping[str, Any]]) -> int:
    named = {entry["group"] for entry in entries_of(human[0], snapshots) if isinstance(entry, Mapping)}
    return sum(one.human_data_key in named or one.label in named for one in groups)
