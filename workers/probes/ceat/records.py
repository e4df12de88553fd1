"""Records of a CEAT run: mean cosines as associations, and effect sizes with their variances."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from plumbline.methods.ceat.spec import CeatSpec
from plumbline.spec.banks.pairs import Pair
from plumbline.spec.word_sets import WordSets
from workers.probes.ceat.drawing import Drawn, cosines
from workers.probes.ceat.effects import group_effect, set_effects
from workers.probes.protocol import Columns
from workers.statistics.units import Floats

ALIKE = "all cosines are equal, so there is no spread to measure in"
TOO_FEW = "fewer than three targets, or an empty set, occur in the corpus"


def associations(spec: CeatSpec, targets: Mapping[str, Drawn], attributes: Mapping[str, Drawn]) -> Columns:
    """Return the mean cosine over draws of each target with each attribute, ordered by target."""
    pairs = [(target, attribute) for target in targets for attribute in attributes]
    means = [_mean(targets[target], attributes[attribute]) for target, attribute in pairs]
    reasons = [targets[target].reason or attributes[attribute].reason for target, attribute in pairs]
    return {
        "probe": [spec.probe] * len(pairs),
        "template": [""] * len(pairs),
        "group": [target for target, _ in pairs],
        "attribute": [attribute for _, attribute in pairs],
        "log_p_target": [None] * len(pairs),
        "log_p_prior": [None] * len(pairs),
        "score": means,
        "n_tokens": [attributes[attribute].n_tokens for _, attribute in pairs],
        "scorable": [not reason for reason in reasons],
        "reason": [reason or None for reason in reasons],
    }


def _mean(one: Drawn, other: Drawn) -> float | None:
    found = cosines(one, other)
    return None if found is None else float(found.mean())


def group_effects(
    spec: CeatSpec,
    label: str,
    group: Drawn,
    attributes: Sequence[str],
    pairs: Sequence[Pair],
    poles: Mapping[str, Drawn],
) -> Columns:
    """Return one row per pair, over all draws (draw 0)."""
    ends = [(poles[attributes[pair.right]], poles[attributes[pair.left]]) for pair in pairs]
    rows = [_group_row(group, right, left) for right, left in ends]
    return _columns(spec, [label] * len(pairs), [pair.name for pair in pairs], [0] * len(pairs), rows)


Row = tuple[float | None, float | None, int, str]
"""Effect size, variance, smallest number of sentences of a word, reason."""


def _group_row(group: Drawn, right: Drawn, left: Drawn) -> Row:
    to_right, to_left = cosines(group, right), cosines(group, left)
    sentences = min(group.sentences, right.sentences, left.sentences)
    if to_right is None or to_left is None:
        return None, None, sentences, group.reason or right.reason or left.reason
    value, variance = group_effect(to_right, to_left, [group.drawn, right.drawn, left.drawn])
    return _row(value, variance, sentences)


def _row(value: float, variance: float, sentences: int) -> Row:
    if not np.isfinite(value) or not np.isfinite(variance) or variance <= 0:
        return None, None, sentences, ALIKE
    return value, variance, sentences, ""


def set_effect_rows(spec: CeatSpec, sets: WordSets, drawn: Mapping[str, Drawn]) -> Columns:
    """Return one row per draw, counted from 1; words without an occurrence are left out."""
    x, y, a, b = ([drawn[word.text] for word in own] for own in (sets.x, sets.y, sets.a, sets.b))
    known = [[one for one in own if one.vectors is not None] for own in (x, y, a, b)]
    sentences = min((one.sentences for own in known for one in own), default=0)
    draws = spec.params.samples
    if not all(known) or len(known[0]) + len(known[1]) < 3:
        rows: list[Row] = [(None, None, sentences, TOO_FEW)] * draws
    else:
        found = _cube([*known[0], *known[1]], [*known[2], *known[3]])
        released = spec.params.variant == "released_code"
        effects, variances = set_effects(found, len(known[0]), len(known[2]), released=released)
        rows = [_row(*one, sentences) for one in zip(effects.tolist(), variances.tolist(), strict=True)]
    targets = f"{sets.names[0]} - {sets.names[1]}"
    return _columns(spec, [targets] * draws, [sets.contrast] * draws, list(range(1, draws + 1)), rows)


def _cube(targets: Sequence[Drawn], attributes: Sequence[Drawn]) -> Floats:
    """Return cosines [draws, targets, attributes]."""
    columns = [[cosines(target, attribute) for attribute in attributes] for target in targets]
    return np.moveaxis(np.array(columns, dtype=np.float64), 2, 0)


def _columns(
    spec: CeatSpec, groups: list[str], attributes: list[str], draws: list[int], rows: Sequence[Row]
) -> Columns:
    effects, variances, sentences, reasons = (list(column) for column in zip(*rows, strict=True)) if rows else ([],) * 4
    found: dict[str, Any] = {
        "probe": [spec.probe] * len(rows),
        "template": [""] * len(rows),
        "group": groups,
        "attribute": attributes,
        "draw": draws,
        "effect_size": effects,
        "variance": variances,
        "sentences": sentences,
        "scorable": [not reason for reason in reasons],
        "reason": [reason or None for reason in reasons],
    }
    return found
