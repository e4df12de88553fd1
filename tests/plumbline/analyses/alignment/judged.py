"""A run that was held against people, summarised by the real code: a group nobody rated, one pair of few raters."""

import json
from dataclasses import asdict
from functools import cache
from typing import Any, cast

import polars as pl

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.methods.association.ilps import CARD
from plumbline.results.measure_writing import replace_measures
from plumbline.spec.association import AssociationSpec
from plumbline.spec.audit import parse
from tests.plumbline.results.conftest import _load
from workers.probes.association.summary import summarise

MARKED, ALONE = "<b>men</b>", "weavers"
GROUPS = ["women", MARKED, "elders", ALONE]
PAIRS = {
    ("poor", "rich"): "Agency",
    ("weak", "strong"): "Agency",
    ("cold", "warm"): "Communion",
    ("rude", "kind"): "Communion",
    ("old", "new"): "Beliefs",
    ("dull", "keen"): "Beliefs",
}
TEMPLATES = ["All {group} are {attribute}.", "Most {group} seem {attribute}."]
RATED = {"women": (20, 30, 90, 80, 50, 60), MARKED: (85, 95, 35, 25, 45, 55), "elders": (55, 15, 70, 65, 5, 30)}
"""Mean ratings by pair; of each group 12 people, half of them women, are asked."""
SCORES = {"women": (-2, -1, 3, 2, 0.5, 1), MARKED: (2, 3, -1, -2, 0.25, 1), "elders": (1, -2, 2, 1, -3, -1)}
FEW = ("dull", "keen")
"""Rated by three people only in `elders`."""
MEN = "gender: man"


def spec(**changes: Any) -> dict[str, Any]:
    ends = [
        {"text": word, "pole": pole, "pair": " - ".join(pair), "dimension": dimension}
        for pair, dimension in PAIRS.items()
        for pole, word in zip(("left", "right"), pair, strict=True)
    ]
    return {
        "name": "held <against> people",
        "probe": "ilps",
        "model": "path:./some/dir",
        "groups": {"inline": [{"label": group, "pilot": group == "women"} for group in GROUPS]},
        "prior": {"mask": "one"},
        "attributes": {"inline": ends},
        "templates": {"inline": TEMPLATES},
        "human": {"inline": ratings()},
        "params": {"resamples": 100, "permutations": 99},
        **changes,
    }


def ratings() -> list[dict[str, Any]]:
    return [
        {
            "annotator": f"a{rater}",
            "group": group,
            "left": left,
            "right": right,
            "rating": mean + (2 if rater % 2 else -2),
            "gender": "woman" if rater < 6 else "man",
        }
        for rater in range(12)
        for group, means in RATED.items()
        for mean, (left, right) in zip(means, PAIRS, strict=True)
        if rater < 3 or (group, (left, right)) != ("elders", FEW)
    ]


def make_run(**changes: Any) -> Run:
    """Done, with its records and measures."""
    own = spec(**changes)
    own = {key: value for key, value in own.items() if value is not None}
    run = Run.objects.create(name=own["name"], probe="ilps", model=own["model"], spec=own, state=RunState.DONE)
    _load(run.pk, _rows())
    replace_measures(run.pk, _measures(json.dumps(own)))
    return run


def _rows() -> list[tuple[str, str, str, float, None]]:
    return [
        # The templates differ a little, and the left pole has no association.
        (template, group, word, (SCORES.get(group, (0.5,) * 6)[column] + 0.1 * number) * place, None)
        for number, template in enumerate(TEMPLATES)
        for group in GROUPS
        for column, pair in enumerate(PAIRS)
        for place, word in enumerate(pair)
    ]


@cache
def _measures(own: str) -> list[dict[str, Any]]:
    """Of a spec as JSON: summarised once for all tests that look at it."""
    parsed = cast("AssociationSpec", parse(json.loads(own)))
    columns = ["template", "group", "attribute", "score"]
    records = pl.DataFrame([row[:4] for row in _rows()], schema=columns, orient="row")
    records = records.with_columns(scorable=pl.lit(True), reason=pl.lit(None, pl.String))
    found = summarise(parsed, parsed.materials({}), records, CARD, parsed.judgements({}))
    return [asdict(one) for one in found]
