"""The choice of templates on a pilot, and what it is worth elsewhere (Cao et al. 2022, section 5.1, Tables 5 and A19).

Every template and the mean of every two are held against a few judgements of the pilot groups; the best one, or two
where they are better, are chosen. The same figure on the other groups, from raters that had no part in the choice, is
what the choice is worth; that of all candidates, drawn side by side, is the specification curve.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from plumbline.spec.content import Group
from plumbline.spec.judgements import LEAST_RATERS, Judgements, means
from plumbline.spec.measure import Measure
from plumbline.spec.pairs import Pair
from workers.analyses.alignment.agreement import Tables, overall
from workers.analyses.alignment.baselines import baselines
from workers.analyses.alignment.excess import excess
from workers.measures.estimated import defined
from workers.statistics.rank_agreement import kendall_tau
from workers.statistics.resampling import Resampling
from workers.statistics.units import Floats

MOST_PAIRED = 60
"""Templates of which every two are tried: 1,770 pairs. Of more, the best so many are."""
AND = " + "
CHOSEN = "chosen"


@dataclass(frozen=True)
class Candidates:
    """One or two templates each: names, and the mean of their pair scores [candidates, groups, pairs]."""

    names: tuple[str, ...]
    sizes: npt.NDArray[np.int64]
    scores: Floats


def measures(
    values: Floats,
    templates: Sequence[str],
    groups: Sequence[Group],
    pairs: Sequence[Pair],
    judgements: Judgements,
    annotations: int,
    resampling: Resampling,
    margin: float = np.nan,
) -> list[Measure]:
    """`kendall_tau` of each candidate on the pilot and held out, and all figures of the chosen ones held out.

    `values` [templates, groups, pairs] are pair scores. Nothing without pilot groups, or with a single template.
    """
    ratings = judgements.held_against(groups, pairs)
    # Of thousands of groups a few are rated: the candidates' scores of all of them would fill the memory.
    rated = np.flatnonzero(~np.isnan(ratings).all(axis=(0, 2)))
    values, ratings, groups = values[:, rated], ratings[:, rated], [groups[place] for place in rated.tolist()]
    pilot = np.array([group.pilot for group in groups], dtype=bool)
    if not pilot.any() or len(templates) < 2:
        return []
    few = pilot_raters(ratings, pilot, annotations, resampling)
    others = ratings[~few.any(axis=1)]
    seen, unseen = means(np.where(few[:, :, None], ratings, np.nan), least=1), means(others)
    found = candidates(values, templates, seen[pilot], pilot)
    on_pilot, elsewhere = (_part(found, groups, which, human) for which, human in ((pilot, seen), (~pilot, unseen)))
    taus = _taus(on_pilot.scores, on_pilot.human)
    chosen = choose(taus, found.sizes)
    curve = _curve(found, _taus(elsewhere.scores, elsewhere.human), chosen, elsewhere, "held_out")
    if chosen is not None:
        worth = _worth(found, chosen, elsewhere, others[:, ~pilot], resampling, margin)
        curve[chosen : chosen + 1] = worth or [curve[chosen]]
    return [*_curve(found, taus, chosen, on_pilot, "pilot"), *curve]


def _part(found: Candidates, groups: Sequence[Group], which: npt.NDArray[np.bool_], human: Floats) -> Tables:
    """The groups of one side, with the scores of all candidates [candidates, groups, pairs]."""
    labels = tuple(group.label for group, own in zip(groups, which, strict=True) if own)
    return Tables(labels, found.scores[:, which], human[which])


def pilot_raters(
    ratings: Floats, pilot: npt.NDArray[np.bool_], annotations: int, resampling: Resampling
) -> npt.NDArray[np.bool_]:
    """Which raters of each pilot group serve for the choice, [annotators, groups]: so many at random, or all."""
    raters = ~np.isnan(ratings).all(axis=2)
    keys = np.where(raters, resampling.generator(2).random(raters.shape), np.inf)
    place = keys.argsort(axis=0).argsort(axis=0)
    return np.asarray((place < annotations) & raters & pilot)


def candidates(values: Floats, templates: Sequence[str], human: Floats, pilot: npt.NDArray[np.bool_]) -> Candidates:
    """Each template, and the mean of every two; of more than MOST_PAIRED templates the best on the pilot are paired."""
    best = np.arange(len(templates))
    if len(best) > MOST_PAIRED:
        alone = np.nan_to_num(_taus(values[:, pilot], human), nan=-np.inf)
        best = np.sort(np.argsort(-alone, kind="stable")[:MOST_PAIRED])
    twos = list(itertools.combinations(best.tolist(), 2))
    first, second = ([two[side] for two in twos] for side in (0, 1))
    return Candidates(
        names=(*templates, *(f"{templates[one]}{AND}{templates[other]}" for one, other in twos)),
        sizes=np.array([1] * len(templates) + [2] * len(twos)),
        scores=np.concatenate([values, (values[first] + values[second]) / 2]),
    )


def choose(taus: Floats, sizes: npt.NDArray[np.int64]) -> int | None:
    """The candidate of the highest tau; of equals that of fewer templates, then the earlier. None: all undefined."""
    known = np.flatnonzero(~np.isnan(taus))
    if not known.size:
        return None
    # Figures that differ in the last digits only are equal.
    order = np.lexsort((known, sizes[known], -np.round(taus[known], 9)))
    return int(known[order[0]])


def _taus(scores: Floats, human: Floats) -> Floats:
    """Tau of each candidate over all cells, [candidates]."""
    return np.array([kendall_tau(one.ravel(), human.ravel())[0] for one in scores])


def _curve(found: Candidates, taus: Floats, chosen: int | None, part: Tables, condition: str) -> list[Measure]:
    """Tau of each candidate, without interval and test: `part` has the groups, with the scores of all candidates."""
    cells = (~np.isnan(part.scores) & ~np.isnan(part.human)).sum(axis=(1, 2))
    reasons = {True: "one candidate of a choice: no interval and no test", False: "no two cells that differ"}
    if not part.labels:
        reasons[False] = "no rated group outside of the pilot"
    elif np.isnan(part.human).all():
        reasons[False] = f"fewer than {LEAST_RATERS} raters in every cell: hidden"
    return [
        Measure(
            statistic="kendall_tau",
            unit="group",
            n=int(cells[place]),
            n_units=len(part.labels),
            value=defined(taus[place]),
            condition=condition,
            template=name,
            variant=CHOSEN if place == chosen else "",
            reason=reasons[not np.isnan(taus[place])],
        )
        for place, name in enumerate(found.names)
    ]


def _worth(
    found: Candidates, chosen: int, part: Tables, ratings: Floats, resampling: Resampling, margin: float
) -> list[Measure]:
    """What the chosen templates are worth on groups and raters that had no part in the choice, with its test.

    Beside it stand its baselines; `ratings` [annotators, groups, pairs] are of the groups of the part.
    """
    every = Tables(part.labels, part.scores[chosen], part.human)
    tables = every.comparable()
    if not tables.labels:
        return []
    tested = [one for one in excess(tables, resampling, margin) if one.condition == "model"]
    own = [replace(one, condition="held_out") for one in (*overall(tables, resampling), *tested)]
    beside = baselines(tables, ratings[:, every.places(tables)], resampling)
    return [replace(one, variant=CHOSEN, template=found.names[chosen]) for one in (*own, *beside)]
