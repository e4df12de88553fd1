"""The test of an indirect plan: whether two words are linked with the same names, within the names' groups."""

from collections import Counter
from collections.abc import Sequence
from math import inf, sqrt
from typing import TYPE_CHECKING

from plumbline.methods.indirect.card import SCORE, WITHIN
from plumbline.spec.content import Name
from plumbline.spec.numbers import counted
from plumbline.spec.power.attainable_p import of_draws
from plumbline.spec.power.tests import CORRELATION, PlannedTest
from plumbline.spec.verdicts import Scale

if TYPE_CHECKING:
    from plumbline.methods.indirect.materials import IndirectMaterials
    from plumbline.methods.indirect.spec import IndirectSpec


def of_ties(spec: "IndirectSpec", materials: "IndirectMaterials") -> list[PlannedTest]:
    """Plan the test of a correlation over names, within groups if names have groups (Fisher 1921)."""
    names, groups = _grouped(materials.names)
    nested = any(one.group for one in materials.names)
    free = names - groups - 2
    within = f" in {counted(groups, 'group')}" if nested else ""
    return [
        PlannedTest(
            statistic=WITHIN if nested else SCORE,
            labels={},
            effect=f"a correlation of {{}}{' within groups of names' if nested else ''}",
            unit="name",
            n_units=names,
            given=f"{counted(names, 'name')}{within}",
            members=len(materials.targets) * max(Counter(materials.categories).values()),
            alpha=spec.alpha,
            margin=spec.margin(Scale.CORRELATION),
            least_p=of_draws(spec.params.permutations),
            # n_units x variance of Fisher's z.
            spread=sqrt(names / free) if free > 0 else inf,
            is_known=True,
            largest=1.0,
            shape=CORRELATION,
        )
    ]


def _grouped(names: Sequence[Name]) -> tuple[int, int]:
    """Return the number of names in groups of two or more, and of these groups. Without groups, all names form one.

    A name that is alone in its group cannot be compared.
    """
    sizes = Counter(one.group for one in names)
    own = {group: size for group, size in sizes.items() if group and size > 1}
    return (sum(own.values()), len(own)) if any(sizes.keys() - {""}) else (len(names), 1)
