"""Indirect runs written as workers write them, without one: a small one whose orders are known, one of thesis size."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.methods.indirect.bridge_links import FEATURE, TARGET
from plumbline.methods.indirect.card import CENTRED, DIRECT, SCORE, SIGN, WITHOUT
from plumbline.results.copying import copy_in
from plumbline.results.ids import record_ids
from plumbline.results.measure_writing import replace_measures
from plumbline.results.tables import bridge
from plumbline.results.terms import ids_of
from tests.plumbline.judged import judged

MARKUP, ARABIC = "<b title=\"x\">cook</b> & 'co'", "طبيب"
TARGETS = ["nurse", "boss", "engineer", "poet", MARKUP, ARABIC, "dancer"]
FEATURES = ["warm", "cold", "bold", "ambitious", "gentle", "lazy", "smart", "<script>x</script>", "calm", "loud", "odd"]
SEX = {"male": "male", "female": "female", "man": "male", "woman": "female"}
"""By sensitive word the group that it names."""
NEUTRAL_LIST, SENSITIVE_LIST = "", "sensitive"
WITHOUT_SEX = f"without:{SENSITIVE_LIST}"
NAMES = [f"{first}{last}" for first in ("An", "Be", "Cla", "Do", "Ela") for last in ("n", "na", "ra", "ri", "s", "lin")]
MISSING = ("poet", "odd")
"""A pair without a score."""
MISSING_WHY = "no score with some name"
FINISHED = datetime(2026, 2, 3, tzinfo=UTC)
NAME = 'a <i>bridged</i> "run"'

Table = NDArray[np.float64]


def scores(targets: Sequence[str], features: Sequence[str], seed: int) -> Table:
    """Correlations of shape (targets, features), two figures each; all different within a row and a column."""
    rng = np.random.default_rng(seed)
    lean = rng.normal(size=(len(targets), 2)) @ rng.normal(size=(2, len(features)))
    return np.asarray(np.round(np.tanh(0.5 * lean + 0.2 * rng.normal(size=lean.shape)), 2), dtype=np.float64)


NEUTRAL, OF_SEX = scores(TARGETS, FEATURES, 3), scores(TARGETS, list(SEX), 4)


def make_run(model: str = "path:./one", targets: Sequence[str] = TARGETS, seed: int = 3) -> Run:
    """All that the page shows: scores, centred ones, without sex, the sign's stability and direct scores."""
    run = _run(model, targets, FEATURES)
    neutral, of_sex = scores(targets, FEATURES, seed), scores(targets, list(SEX), seed + 1)
    rows = [*_cells(SCORE, targets, FEATURES, neutral), *_cells(SCORE, targets, list(SEX), of_sex, SENSITIVE_LIST)]
    rows += _cells(CENTRED, targets, FEATURES, neutral - neutral.mean(axis=0))
    rows += [one | {"variant": WITHOUT_SEX} for one in _cells(WITHOUT, targets, FEATURES, 0.25 * neutral)]
    rows += _cells(SIGN, targets, FEATURES, np.abs(neutral)) + _cells(DIRECT, targets, FEATURES, 2 * neutral)
    replace_measures(run.pk, rows)
    _bridge(run, targets, FEATURES)
    return run


def make_large_run(model: str = "path:./large", targets: int = 99, features: int = 618) -> Run:
    """99 x 618 scores: 61,182 cells, with the thesis's six words of sex beside them."""
    named = [f"occupation {number:02}" for number in range(targets)]
    words = [f"trait {number:03}" for number in range(features)]
    run = _run(model, named, words)
    rows = _cells(SCORE, named, words, scores(named, words, 5))
    replace_measures(run.pk, [*rows, *_cells(SCORE, named, list(SEX), scores(named, list(SEX), 6), SENSITIVE_LIST)])
    return run


def _run(model: str, targets: Sequence[str], features: Sequence[str]) -> Run:
    of_sex = [{"text": word, "group": group} for word, group in SEX.items()]
    spec: dict[str, Any] = {
        "name": NAME,
        "probe": "indirect",
        "model": model,
        "targets": {"inline": list(targets)},
        "features": {"inline": list(features)},
        "sensitive": [{"attributes": {"inline": of_sex}, "bridge_feature": ["{name} is {feature}."]}],
        "bridge": {"inline": NAMES},
        "templates": {"target_bridge": ["{name} works as {a target}."], "bridge_feature": ["{name} is {feature}."]},
    }
    return Run.objects.create(
        name=NAME, probe="indirect", model=model, spec=spec, state=RunState.DONE, finished_at=FINISHED
    )


def _cells(
    statistic: str, targets: Sequence[str], features: Sequence[str], values: Table, category: str = NEUTRAL_LIST
) -> list[dict[str, Any]]:
    return [
        _measure(statistic, target, feature, float(values[row, column])) | {"category": category}
        for row, target in enumerate(targets)
        for column, feature in enumerate(features)
    ]


def _measure(statistic: str, target: str, feature: str, value: float) -> dict[str, Any]:
    own = {"statistic": statistic, "group_a": target, "attribute": feature, "n": len(NAMES), "unit": "name"}
    if (target, feature) == MISSING:
        return own | {"value": None, "reason": MISSING_WHY}
    bounds = {"ci_low": value - 0.2, "ci_high": value + 0.2, "q_value": 0.01 if abs(value) >= 0.4 else 0.5}
    return own | judged(bounds) | {"value": value, "n_units": len(NAMES)}


def _bridge(run: Run, targets: Sequence[str], features: Sequence[str]) -> None:
    """A direct score of each name with each word, on both sides."""
    sides = [(TARGET, targets), (FEATURE, features), (f"{FEATURE}:{SENSITIVE_LIST}", list(SEX))]
    places = [(side, word, name) for side, words in sides for word in words for name in NAMES]
    ids = ids_of(["indirect", *{label for place in places for label in place}])
    rows = len(places)
    drawn = np.random.default_rng(7).normal(size=rows).round(3)
    columns = {name: [ids[place[at]] for place in places] for at, name in enumerate(("side", "word", "name"))}
    fixed = {"run": run.pk, "probe": ids["indirect"], "name_tokens": 1, "scorable": True}
    own = {name: [value] * rows for name, value in fixed.items()}
    copy_in(bridge, {"id": record_ids(run.pk, 0, rows), **own, **columns, "score": drawn.tolist()})
