"""Writing of a run's measures: its own, and those that compare it with another run."""

from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl
from django.db import transaction
from sqlalchemy import ColumnElement, delete, func, insert, literal, literal_column, select

from plumbline.results import statements
from plumbline.results.copying import copy_in
from plumbline.results.tables import measure, measure_revision
from plumbline.spec.card import OF_TWO_RUNS

COMPARED = frozenset(one.name for one in OF_TWO_RUNS)

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
    """Replace a run's measures in one short transaction. Returns their number.

    The run's own measures and comparisons with other runs (`compared`) are replaced separately. With a `variant`, only
    measures of this variant are replaced: the comparison with one run. `statistic` and `n` are required. Omitted labels
    are empty, omitted numbers NULL. Raises ValueError for an unknown key.
    """
    rows = measures.to_dicts() if isinstance(measures, pl.DataFrame) else [dict(row) for row in measures]
    if unknown := {key for row in rows for key in row} - {"run", "statistic", "n", *_DEFAULTS}:
        raise ValueError(f"a measure has no {sorted(unknown)[0]!r}")
    if wrong := [row["statistic"] for row in rows if (row["statistic"] in COMPARED) != compared]:
        raise ValueError(f"{wrong[0]!r} is {'not ' if compared else ''}a measure of a comparison")
    if strange := [row for row in rows if variant is not None and row.get("variant") != variant]:
        raise ValueError(f"a measure of the variant {strange[0].get('variant')!r} among those of {variant!r}")
    of_two_runs = measure.c.statistic.in_(sorted(COMPARED))
    old: ColumnElement[bool] = of_two_runs if compared else ~of_two_runs
    if variant is not None:
        old &= measure.c.variant == variant
    with transaction.atomic():
        if not compared:
            _keep(run, old)
        statements.run(delete(measure).where(measure.c.run == run, old))
        return copy_in(measure, _columns(run, rows)) if rows else 0


def _keep(run: int, old: ColumnElement[bool]) -> None:
    """Store the old measures as revisions. They may have been published or signed, so they stay readable."""
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
    """Return the value or its default. A frame has a null for a key that a dict lacks."""
    return default if value is None else value
