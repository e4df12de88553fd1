"""Choice of templates on a pilot, and the agreement of that choice elsewhere (Cao et al. 2022, 5.1, Tables 5, A19).

Every template and the mean of every two are compared with a few ratings of the pilot groups. The best template, or the
best two if they are better, are chosen. The agreement of the choice on the other groups, by raters who had no part
in it, is its held-out agreement. That of all candidates together is the specification curve.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from plumbline.spec.banks.pairs import Pair
from plumbline.spec.content import Group
from plumbline.spec.judgements import LEAST_RATERS, Judgements, means
from plumbline.spec.measure import Measure
from workers.analyses.alignment.agreement import Tables, overall
from workers.analyses.alignment.baselines import baselines
from workers.analyses.alignment.excess import excess
from workers.measures.estimated import defined
from workers.statistics.correlations.rank_agreement import kendall_tau
from workers.statistics.resampling import Resampling
from workers.statistics.units import Floats

MOST_PAIRED = 60
"""Maximum number of templates of which all pairs are tried: 1,770 pairs. Of more templates, the best are paired."""
AND = " + "
CHOSEN = "chosen"


@dataclass(frozen=True)
class Candidates:
    """Candidates of one or two templates: names, and the mean of their pair scores [candidates, groups, pairs]."""

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
    """Return `kendall_tau` of each candidate on the pilot and held out, and all held-out measures of the chosen one.

    `values` [templates, groups, pairs] are pair scores. Returns nothing without pilot groups or with a single template.
    """
    ratings = judgements.held_against(groups, pairs)
    # Of thousands of groups, few are rated. The candidates' scores of all groups would fill the memory.
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
    """Return the tables of the groups in `which`, with the scores of all candidates [candidates, groups, pairs]."""
    labels = tuple(group.label for group, own in zip(groups, which, strict=True) if own)
    return Tables(labels, found.scores[:, which], human[which])


def pilot_raters(
    ratings: Floats, pilot: npt.NDArray[np.bool_], annotations: int, resampling: Resampling
) -> npt.NDArray[np.bool_]:
    """Return which raters of each pilot group are used for the choice, [annotators, groups]: random ones, or all."""
    raters = ~np.isnan(ratings).all(axis=2)
    keys = np.where(raters, resampling.generator(2).random(raters.shape), np.inf)
    place = keys.argsort(axis=0).argsort(axis=0)
    return np.asarray((place < annotations) & raters & pilot)


def candidates(values: Floats, templates: Sequence[str], human: Floats, pilot: npt.NDArray[np.bool_]) -> Candidates:
    """Return each template and the mean of every two; above MOST_PAIRED templates, the best on the pilot are paired."""
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
    """Return the candidate with the highest tau, or None if all are undefined.

    Of equal ones, the one with fewer templates is chosen, then the earlier one.
    """
    known = np.flatnonzero(~np.isnan(taus))
    if not known.size:
        return None
    # Figures that differ only in the last digits are equal.
    order = np.lexsort((known, sizes[known], -np.round(taus[known], 9)))
    return int(known[order[0]])


def _taus(scores: Floats, human: Floats) -> Floats:
    """Return tau of each candidate over all cells, [candidates]."""
    return np.array([kendall_tau(one.ravel(), human.ravel())[0] for one in scores])


def _curve(found: Candidates, taus: Floats, chosen: int | None, part: Tables, condition: str) -> list[Measure]:
    """Return tau of each candidate without interval and test; `part` holds the scores of all candidates."""
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
    """Return the agreement of the chosen templates on held-out groups and raters, with its test and baselines.

    `ratings` [annotators, groups, pairs] are those of the groups of `part`.
    """
    every = Tables(part.labels, part.scores[chosen], part.human)
    tables = every.comparable()
    if not tables.labels:
        return []
    tested = [one for one in excess(tables, resampling, margin) if one.condition == "model"]
    own = [replace(one, condition="held_out") for one in (*overall(tables, resampling), *tested)]
    beside = baselines(tables, ratings[:, every.places(tables)], resampling)
    return [replace(one, variant=CHOSEN, template=found.names[chosen]) for one in (*own, *beside)]
