"""Cells of a BBQ run: answers that are counted together, template by template."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from plumbline.methods.bbq.spec import BbqSpec
from plumbline.spec.measure import join_variants
from workers.measures.judging import smallest_effect
from workers.statistics.rates.bias_scores import AnswerCounts
from workers.statistics.resampling import Resampling
from workers.statistics.units import Floats, Positions

BY_CODE = "by group code"
"""The variant whose group_a is the code of the target's group (F-Black) in place of its label."""
_CATEGORY = {"category": "category"}
LEVELS: dict[str, dict[str, str]] = {
    "overall": {},
    "category": _CATEGORY,
    "template": {**_CATEGORY, "template": "template"},
    "label": {**_CATEGORY, "group_a": "label"},
    "code": {**_CATEGORY, "group_a": "code"},
    "value": {**_CATEGORY, "attribute": "value"},
    "label and value": {**_CATEGORY, "group_a": "label", "attribute": "value"},
    "differs": {**_CATEGORY, "group_b": "differs"},
    "label and differs": {**_CATEGORY, "group_a": "label", "group_b": "differs"},
    "code and differs": {**_CATEGORY, "group_a": "code", "group_b": "differs"},
}
"""The columns of a measure in each breakdown, and the columns of the answers that fill them."""


@dataclass(frozen=True)
class Cells:
    """Cells and their counts by template. Keys say which fields of a measure name a cell."""

    keys: tuple[dict[str, Any], ...]
    levels: tuple[str, ...]
    templates: tuple[str, ...]
    counts: Mapping[str, Floats] = field(repr=False)  # each [all cells, templates]
    rows: Positions = field(repr=False)
    """The places of these cells among all."""

    def __getitem__(self, name: str) -> Floats:
        """Return one count of these cells, [cells, templates]."""
        return self.counts[name][self.rows]

    def of(self, levels: Sequence[str]) -> "Cells":
        """Return the cells of these breakdowns alone."""
        return self.only(np.array([level in levels for level in self.levels], dtype=bool))

    def with_condition(self, beginning: str) -> "Cells":
        """Return the cells that hold items of this condition."""
        return self.only(np.asarray(self[f"{beginning}_asked"].any(axis=1)))

    def only(self, chosen: npt.NDArray[np.bool_]) -> "Cells":
        at = np.flatnonzero(chosen)
        keys = tuple(self.keys[row] for row in at)
        return replace(self, keys=keys, levels=tuple(self.levels[row] for row in at), rows=self.rows[at])

    def answers(self, beginning: str) -> AnswerCounts:
        """Return the counted answers of one condition."""
        return AnswerCounts(*(self[f"{beginning}_{name}"] for name in ("biased", "other", "unknown")))


def cells_of(
    frame: pl.DataFrame, levels: Mapping[str, Mapping[str, str]], counted: Sequence[str], *, own: str = ""
) -> Cells:
    """Return the cells of these breakdowns that hold an answer, sorted. Rows whose label is empty are in no cell of it.

    `own` is the variant that all of them have.
    """
    templates = frame["template"].unique().sort()
    place = {name: row for row, name in enumerate(templates.to_list())}
    parts = [_cells(frame, name, columns, counted, place, own) for name, columns in levels.items()]
    counts = {name: np.concatenate([part.counts[name] for part in parts]) for name in counted}
    keys, named = (tuple(one for part in parts for one in getattr(part, of)) for of in ("keys", "levels"))
    return Cells(keys, named, tuple(place), counts, np.arange(len(keys)))


def _cells(
    frame: pl.DataFrame, level: str, fields: Mapping[str, str], counted: Sequence[str], place: dict[str, int], own: str
) -> Cells:
    labels = list(fields.values())
    known = frame.filter(pl.all_horizontal(pl.col(labels) != "")) if labels else frame
    by = list(dict.fromkeys([*labels, "template"]))
    summed = known.group_by(by).agg(pl.col(counted).sum()).sort(by)
    row = summed.select(pl.struct(labels).rle_id()).to_series() if labels else pl.repeat(0, len(summed), eager=True)
    column = summed["template"].replace_strict(list(place), list(place.values()), return_dtype=pl.Int64)
    counts = {name: np.zeros((int(row.n_unique()), len(place))) for name in counted}
    for name, table in counts.items():
        table[row.to_numpy(), column.to_numpy()] = summed[name].to_numpy()
    whole: list[dict[str, Any]] = [{} for _ in range(min(len(summed), 1))]
    named = summed.select(labels).unique(maintain_order=True).rows(named=True) if labels else whole
    variant = join_variants(BY_CODE if "code" in labels else "", own)
    keys = tuple({**{name: one[of] for name, of in fields.items()}, "variant": variant} for one in named)
    return Cells(keys, (level,) * len(keys), tuple(place), counts, np.arange(len(keys)))


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of resampling, and the fewest templates for it."""

    resampling: Resampling
    fewest: int
    margin: Callable[[str], float]
    """Return the smallest effect of a statistic; NaN if no margin is declared."""

    @classmethod
    def of(cls, spec: BbqSpec) -> "Settings":
        params = spec.params
        resampling = Resampling(spec.seed, params.resamples, params.permutations, params.level)
        return cls(resampling, params.fewest_templates, partial(smallest_effect, spec))

    @property
    def too_few(self) -> str:
        return f"fewer than {self.fewest} templates: no interval and no test"
