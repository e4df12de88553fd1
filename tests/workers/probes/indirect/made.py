"""Made-up audits: words by number, records from given log probabilities."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from plumbline.methods.indirect.spec import IndirectSpec
from plumbline.spec.audit import parse
from plumbline.spec.measure import Measure
from tests.workers.probes.indirect.answered import NUMBERS, Tables, probe, read_of

Floats = npt.NDArray[np.float64]
RACES = "sensitive"
"""What the set is called: its words stand in the spec itself."""


def labels(what: str, count: int) -> list[str]:
    return [f"{what} {number}" for number in range(count)]


def made_spec(
    names: int,
    targets: int = 2,
    features: int = 2,
    *,
    templates: tuple[int, int, int] = (1, 1, 0),
    sensitive: list[Any] | None = None,
    groups: Sequence[str] = (),
    **params: Any,
) -> IndirectSpec:
    """`templates`: of both sides and direct. `sensitive`: words of a second set, with sentences of its own.

    `groups`: of each name.
    """
    first, second, direct = (
        [f"{number} {words}" for number in range(count)]
        for count, words in zip(templates, ("{target} {name}", "{name} {feature}", "{target} {feature}"), strict=True)
    )
    own = {
        "attributes": {"inline": sensitive},
        "bridge_feature": [f"their {one}" for one in second],
        "target_feature": [f"their {one}" for one in direct],
    }
    found = parse(
        {
            "name": "made",
            "probe": "indirect",
            "model": "path:./m",
            "targets": {"inline": labels("target", targets)},
            "features": {"inline": labels("feature", features)},
            "bridge": {"inline": _named(labels("name", names), groups)},
            "templates": {"target_bridge": first, "bridge_feature": second}
            | ({"target_feature": direct} if direct else {}),
            "sensitive": [own] if sensitive else [],
            "params": {"resamples": 200, "permutations": 999, **params},
        }
    )
    assert isinstance(found, IndirectSpec)
    return found


def _named(names: list[str], groups: Sequence[str]) -> list[Any]:
    return [{"name": name, "group": group} for name, group in zip(names, groups, strict=True)] if groups else names


def side(spec: IndirectSpec, name: str, log_p: Floats, prior: Floats | float = -3.0, tokens: int = 1) -> pl.DataFrame:
    """Records of the bridge from [templates, names, words]; NaN is not scorable."""
    materials = spec.materials({})
    given, predicted = ([word.label for word in some] for some in materials.words(name))
    words, names = (given, predicted) if name == "target_bridge" else (predicted, given)
    own = _rows(log_p, prior, {"template": materials.templates(name), "name": names, "word": words})
    return own.with_columns(side=pl.lit(name), name_tokens=pl.lit(tokens))


def direct(spec: IndirectSpec, name: str, log_p: Floats, prior: Floats | float = -3.0) -> pl.DataFrame:
    """Records of the association from [templates, targets, features]."""
    materials = spec.materials({})
    given, predicted = ([word.label for word in some] for some in materials.words(name))
    return _rows(log_p, prior, {"template": materials.templates(name), "group": given, "attribute": predicted})


def _rows(log_p: Floats, prior: Floats | float, axes: dict[str, Any]) -> pl.DataFrame:
    before = np.broadcast_to(np.asarray(prior, dtype=float), log_p.shape).ravel()
    places = np.indices(log_p.shape).reshape(len(axes), -1)
    texts = {axis: [words[at] for at in place] for (axis, words), place in zip(axes.items(), places, strict=True)}
    missing = np.isnan(log_p.ravel())
    numbers = {"log_p_target": log_p.ravel(), "log_p_prior": np.where(missing, np.nan, before)}
    return pl.DataFrame(
        texts | numbers | {"scorable": ~missing, "reason": ["split" if one else None for one in missing]},
        schema_overrides=NUMBERS,
    ).with_columns(score=pl.col("log_p_target") - pl.col("log_p_prior"))


def tables(*bridge: pl.DataFrame, association: pl.DataFrame | None = None) -> Tables:
    found = {"bridge": pl.concat(bridge)}
    return found if association is None else found | {"association": association}


def summary_of(spec: IndirectSpec, records: Tables, statistic: str, variant: str = "") -> list[Measure]:
    found = probe().summarise(spec, {}, read_of(records))
    return [one for one in found if (one.statistic, one.variant) == (statistic, variant)]


def by_pair(measures: list[Measure]) -> dict[tuple[str, str], Measure]:
    return {(one.group_a, one.attribute): one for one in measures}
