"""A run's measures, written whole: its own, and those that hold it against another run."""

from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl
from django.db import transaction
from sqlalchemy import ColumnElement, delete, func, insert, literal, literal_column, select

from plumbline.results import statements
from plumbline.results.copying import copy_in
from plumbline.results.tables import measure, measure_revision
from plumbline.spec.card import PAIRED_DIFFERENCE

COMPARED = PAIRED_DIFFERENCE.name

_DEFAULTS: dict[str, Any] = {
    column.name: None if column.nullable else 0 if column.name in {"n_units", "n_frames"} else ""
    for column in measure.c
    if column.name not in {"id", "run", "statistic", "n"}
}


def replace_measures(
    run: int,
    measures: pl.DataFrame | Iterable[Mapping[str, Any]],
    *,
    compared: bool = False,
    variant: str | None = None,
) -> int:
    """Write a run's measures in place of those that it had, in one short transaction; how many.

    Its own measures and those that compare it with another run (`compared`) are written apart. With a `variant`, only
    measures of this variant are replaced: those of the comparison with one certain run.
    `statistic` and `n` must be given; labels that are left out are empty, numbers NULL. ValueError for an unknown key.
    """
    rows = measures.to_dicts() if isinstance(measures, pl.DataFrame) else [dict(row) for row in measures]
    if unknown := {key for row in rows for key in row} - {"run", "statistic", "n", *_DEFAULTS}:
        raise ValueError(f"a measure has no {sorted(unknown)[0]!r}")
    if wrong := [row["statistic"] for row in rows if (row["statistic"] == COMPARED) != compared]:
        raise ValueError(f"{wrong[0]!r} is {'no' if compared else 'a'} measure of a comparison")
    if strange := [row for row in rows if variant is not None and row.get("variant") != variant]:
        raise ValueError(f"a measure of the variant {strange[0].get('variant')!r} among those of {variant!r}")
    old = measure.c.statistic == COMPARED if compared else measure.c.statistic != COMPARED
    if variant is not None:
        old &= measure.c.variant == variant
    with transaction.atomic():
        if not compared:
            _keep(run, old)
        statements.run(delete(measure).where(measure.c.run == run, old))
        return copy_in(measure, _columns(run, rows)) if rows else 0


def _keep(run: int, old: ColumnElement[bool]) -> None:
    """What was published may have been signed: it stays readable beside what replaces it."""
    whole = func.to_jsonb(literal_column("measure")).op("-")(literal("id"))
    found = select(measure.c.run, whole).where(measure.c.run == run, old)
    statements.run(insert(measure_revision).from_select(["run", "measure"], found))


def _columns(run: int, rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    columns = {name: [_or_default(row.get(name), default) for row in rows] for name, default in _DEFAULTS.items()}
    return {
        "run": [run] * len(rows),
        "statistic": [row["statistic"] for row in rows],
        "n": [row["n"] for row in rows],
        **columns,
    }


def _or_default(value: Any, default: Any) -> Any:
    """A frame has nulls where a row of dicts has no key."""
    return default if value is None else value
