"""What can be read and exported: the columns of each view, with their types. A test holds them against the views."""

import polars as pl

Columns = dict[str, pl.DataType | type[pl.DataType]]

_TIME = pl.Datetime("us", "UTC")

ASSOCIATION: Columns = {
    "id": pl.Int64,
    "run": pl.Int32,
    "shard": pl.Int32,
    "probe": pl.String,
    "template": pl.String,
    "group": pl.String,
    "attribute": pl.String,
    "log_p_target": pl.Float64,
    "log_p_prior": pl.Float64,
    "score": pl.Float64,
    "n_tokens": pl.Int16,
    "scorable": pl.Boolean,
    "reason": pl.String,
}
MEASURE: Columns = {
    "run": pl.Int32,
    "statistic": pl.String,
    "variant": pl.String,
    "prior": pl.String,
    "group_a": pl.String,
    "group_b": pl.String,
    "category": pl.String,
    "condition": pl.String,
    "attribute": pl.String,
    "template": pl.String,
    "value": pl.Float64,
    "ci_low": pl.Float64,
    "ci_high": pl.Float64,
    "p_value": pl.Float64,
    "familywise_p_value": pl.Float64,
    "q_value": pl.Float64,
    "n": pl.Int32,
    "unit": pl.String,
    "n_units": pl.Int32,
    "reason": pl.String,
}
RUN: Columns = {
    "run": pl.Int64,
    "name": pl.String,
    "probe": pl.String,
    "model": pl.String,
    "state": pl.String,
    "created_at": _TIME,
    "started_at": _TIME,
    "finished_at": _TIME,
    "planned_items": pl.Int64,
}
VIEWS: dict[str, Columns] = {"association": ASSOCIATION, "measure": MEASURE, "run": RUN}

LABELS = ("probe", "template", "group", "attribute", "reason")
"""The columns of records that hold ids of terms."""
