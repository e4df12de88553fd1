"""All measures of a model's agreement with people, from pair scores and ratings."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from plumbline.spec.banks.pairs import Pair
from plumbline.spec.content import Group
from plumbline.spec.judgements import LEAST_RATERS, Floats, Judgements, means
from plumbline.spec.measure import Measure, join_reasons
from workers.analyses.alignment import ceiling
from workers.analyses.alignment.agreement import (
    Tables,
    as_independent_cells,
    by_group,
    group_taus,
    mirrored_tau,
    overall,
)
from workers.analyses.alignment.baselines import baselines, group_blind
from workers.analyses.alignment.excess import excess
from workers.analyses.alignment.flagged import of_flags
from workers.statistics.resampling import Resampling

HIDDEN = f"fewer than {LEAST_RATERS} raters in every cell: hidden"


def measures(
    scores: Floats,
    groups: Sequence[Group],
    pairs: Sequence[Pair],
    judgements: Judgements,
    resampling: Resampling,
    margin: float = np.nan,
) -> list[Measure]:
    """Return the agreement of pair scores [groups, pairs] (NaN: none) with the ratings, and its baselines.

    Conditions: `model`, `exchanged` (groups' ratings exchanged), `chance`, `group_blind`, `human_ceiling`. Variants:
    `mirrored`, `independent_cells`, `test_groups` (without the pilot groups). `category` names the annotators ("gender:
    woman"; empty: all of them). `margin` is the smallest excess over exchanged ratings that matters.
    Groups without ratings or scores are left out of the overall measures and have a row with the reason. The same holds
    for pairs that nobody rated, and for rated groups and pairs that are not in the audit.
    """
    ratings = judgements.held_against(groups, pairs)
    every = Tables(tuple(group.label for group in groups), scores, means(ratings))
    tables = every.comparable()
    left_out = _left_out(every, ratings) + _unasked(judgements, groups)
    pairs_left_out = _pairs_left_out(pairs, ratings, judgements)
    if not tables.labels:
        return left_out + pairs_left_out
    own = ratings[:, every.places(tables)]
    note = _note(left_out, tables)
    model = [*overall(tables, resampling), mirrored_tau(tables, resampling), as_independent_cells(tables)]
    return [
        *(_model(_noted(measure, note)) for measure in model),
        *(_noted(measure, note) for measure in excess(tables, resampling, margin)),
        *_on_test_groups(tables, own, groups, note, resampling, margin),
        *map(_model, by_group(tables, resampling)),
        *left_out,
        *pairs_left_out,
        *_by_annotators(every, ratings, judgements, resampling, margin),
        *baselines(tables, own, resampling),
        *group_blind(tables, resampling),
        *ceiling.one_against_rest(tables.only_compared(own), resampling),
        *of_flags(every, ratings, groups, pairs, judgements, resampling, margin),
    ]


def model_agreement(
    scores: Floats,
    groups: Sequence[Group],
    pairs: Sequence[Pair],
    judgements: Judgements,
    resampling: Resampling,
    margin: float = np.nan,
) -> list[Measure]:
    """Return the agreement of pair scores [groups, pairs] with all raters, overall and by group, without baselines."""
    every = Tables(tuple(group.label for group in groups), scores, means(judgements.held_against(groups, pairs)))
    tables = every.comparable()
    if not tables.labels:
        return []
    model = [*overall(tables, resampling), *group_taus(tables, resampling)]
    return [*map(_model, model), *excess(tables, resampling, margin)]


def agreement_by_group(
    scores: Floats, groups: Sequence[Group], pairs: Sequence[Pair], judgements: Judgements, resampling: Resampling
) -> list[Measure]:
    """Return tau and precision at 3, overall and by group, of pair scores [groups, pairs] with all raters."""
    every = Tables(tuple(group.label for group in groups), scores, means(judgements.held_against(groups, pairs)))
    tables = every.comparable()
    if not tables.labels:
        return []
    return [_model(one) for one in (*overall(tables, resampling), *by_group(tables, resampling))]


def _model(measure: Measure) -> Measure:
    return replace(measure, condition="model")


def _on_test_groups(
    tables: Tables, ratings: Floats, groups: Sequence[Group], note: str, resampling: Resampling, margin: float
) -> list[Measure]:
    """Return the agreement without the groups that were used to choose templates (Table A19).

    Nothing if there are none.
    """
    pilot = {group.label for group in groups if group.pilot}
    others = [row for row, label in enumerate(tables.labels) if label not in pilot]
    if not others or len(others) == len(tables.labels):
        return []
    part = tables.of(others)
    model = map(_model, overall(part, resampling))
    tested = excess(part, resampling, margin)
    beside = baselines(part, ratings[:, others], resampling)
    noted = [_noted(measure, note) for measure in (*model, *tested)]
    return [replace(measure, variant="test_groups") for measure in (*noted, *beside)]


def _by_annotators(
    every: Tables, ratings: Floats, judgements: Judgements, resampling: Resampling, margin: float
) -> list[Measure]:
    """Return the agreement with the ratings of parts of the annotators (Table A18), with cells of few raters hidden."""
    found = []
    for name, members in judgements.parts():
        tables = Tables(every.labels, every.scores, means(ratings[members])).comparable()
        if tables.labels:
            model = [*overall(tables, resampling), *group_taus(tables, resampling)]
            beside = [
                *excess(tables, resampling, margin),
                *baselines(tables, ratings[members][:, every.places(tables)], resampling),
            ]
        else:
            model, beside = [Measure("kendall_tau", "group", 0, 0, None, reason=HIDDEN)], []
        found += [replace(measure, category=name) for measure in (*map(_model, model), *beside)]
    return found


def _left_out(every: Tables, ratings: Floats) -> list[Measure]:
    raters = (~np.isnan(ratings)).sum(axis=0).max(axis=1)
    found = []
    for row, label in enumerate(every.labels):
        if every.cells[row] >= 2:
            continue
        reason = "fewer than two pairs with both a score and enough ratings"
        if not raters[row]:
            reason = "no ratings of this group"
        elif raters[row] < LEAST_RATERS:
            reason = HIDDEN
        elif np.isnan(every.scores[row]).all():
            reason = "no scorable pair"
        found.append(_missing(label, reason))
    return found


def _unasked(judgements: Judgements, groups: Sequence[Group]) -> list[Measure]:
    return [_missing(label, "rated, but no group of this audit") for label in judgements.other_rated_groups(groups)]


def _pairs_left_out(pairs: Sequence[Pair], ratings: Floats, judgements: Judgements) -> list[Measure]:
    """Return rows for pairs of opposites that are in the audit and unrated, or rated and not in the audit."""
    raters = (~np.isnan(ratings)).sum(axis=(0, 1))
    reasons = {pair.name: "no ratings of this pair" for at, pair in enumerate(pairs) if not raters[at]}
    reasons |= dict.fromkeys(judgements.other_rated_pairs(pairs), "rated, but no pair of this audit")
    return [
        Measure("kendall_tau", "group", 0, 0, None, attribute=name, condition="model", reason=reason)
        for name, reason in reasons.items()
    ]


def _missing(label: str, reason: str) -> Measure:
    return Measure("kendall_tau", "pair", 0, 0, None, group_a=label, condition="model", reason=reason)


def _note(left_out: Sequence[Measure], tables: Tables) -> str:
    """Return how many groups and cells are left out, and why."""
    reasons = [measure.reason for measure in left_out]
    notes = [f"left out: {reasons.count(reason)} ({reason})" for reason in dict.fromkeys(reasons)]
    lacking = tables.human.size - tables.n
    return join_reasons(*notes, f"{lacking} cells without a score or enough ratings" if lacking else "")


def _noted(measure: Measure, note: str) -> Measure:
    return replace(measure, reason=join_reasons(measure.reason, note))
