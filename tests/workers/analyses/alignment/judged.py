"""Made-up judgements to test alignment with."""

from collections.abc import Callable, Sequence

import numpy as np

from plumbline.spec.banks.pairs import Pair
from plumbline.spec.content import Group, Rating
from plumbline.spec.judgements import Judgements, judgements_of
from plumbline.spec.measure import Measure
from workers.statistics.resampling import Resampling
from workers.statistics.units import Floats

QUICK = Resampling(seed=0, resamples=200, permutations=199)


def groups_of(count: int, pilot: int = 0) -> list[Group]:
    return [Group(label=f"g{number}", pilot=number < pilot) for number in range(count)]


def pairs_of(count: int) -> list[Pair]:
    return [Pair(f"l{number} - r{number}", "", "", 2 * number, 2 * number + 1) for number in range(count)]


def told(_: int) -> dict[str, str]:
    return {}


def judged(
    truth: Floats, raters: int = 6, noise: float = 0.0, tell: Callable[[int], dict[str, str]] = told
) -> Judgements:
    """Each of the raters rates every group on every pair as `truth` [groups, pairs] says, give or take the noise."""
    generator = np.random.default_rng(7)
    rows = []
    for rater in range(raters):
        scores = np.clip(truth + generator.normal(0, 1, truth.shape) * noise, 0, 100)
        rows += [
            Rating(
                annotator=f"a{rater}",
                group=f"g{group}",
                left=f"l{pair}",
                right=f"r{pair}",
                rating=float(scores[group, pair]),
                **tell(rater),
            )
            for group, pair in np.ndindex(*truth.shape)
        ]
    return judgements_of(rows)


def one(found: Sequence[Measure], statistic: str, condition: str = "model", **labels: str) -> Measure:
    wanted = {"variant": "", "group_a": "", "category": "", "template": ""} | labels
    matching = [
        measure
        for measure in found
        if (measure.statistic, measure.condition) == (statistic, condition)
        and all(getattr(measure, key) == label for key, label in wanted.items())
    ]
    assert len(matching) == 1, (statistic, condition, labels, len(matching))
    return matching[0]
