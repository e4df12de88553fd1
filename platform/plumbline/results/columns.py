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
    "distance_target": pl.Float64,
    "distance_prior": pl.Float64,
    "score": pl.Float64,
    "n_tokens": pl.Int16,
    "scorable": pl.Boolean,
    "reason": pl.String,
}
EFFECT: Columns = {
    "id": pl.Int64,
    "run": pl.Int32,
    "shard": pl.Int32,
    "probe": pl.String,
    "template": pl.String,
    "group": pl.String,
    "attribute": pl.String,
    "draw": pl.Int32,
    "effect_size": pl.Float64,
    "variance": pl.Float64,
    "sentences": pl.Int32,
    "scorable": pl.Boolean,
    "reason": pl.String,
}
CHOICE: Columns = {
    "id": pl.Int64,
    "run": pl.Int32,
    "shard": pl.Int32,
    "probe": pl.String,
    "bank": pl.String,
    "item": pl.String,
    "category": pl.String,
    "template": pl.String,
    "condition": pl.String,
    "polarity": pl.String,
    "name": pl.String,
    "group": pl.String,
    "options": pl.String,
    "logits": pl.String,
    "chosen": pl.Int16,
    "gold": pl.Int16,
    "target": pl.Int16,
    "unknown": pl.Int16,
    "reason": pl.String,
}
_OF_NAME: Columns = {
    "id": pl.Int64,
    "run": pl.Int32,
    "shard": pl.Int32,
    "probe": pl.String,
    "context": pl.String,
    "name": pl.String,
    "group": pl.String,
}
DISTRACTOR: Columns = {**_OF_NAME, "text": pl.String, "distance": pl.Int16, "log_p": pl.Float64}
ANSWER: Columns = {
    **_OF_NAME,
    "text": pl.String,
    "place": pl.Int32,
    "name_tokens": pl.Int16,
    "logit": pl.Float64,
    "reason": pl.String,
}
TALLY: Columns = {
    **_OF_NAME,
    "word": pl.String,
    "shown": pl.Int32,
    "chosen": pl.Int32,
    "expected": pl.Float64,
}
BRIDGE: Columns = {
    "id": pl.Int64,
    "run": pl.Int32,
    "shard": pl.Int32,
    "probe": pl.String,
    "side": pl.String,
    "template": pl.String,
    "word": pl.String,
    "name": pl.String,
    "log_p_target": pl.Float64,
    "log_p_prior": pl.Float64,
    "score": pl.Float64,
    "name_tokens": pl.Int16,
    "scorable": pl.Boolean,
    "reason": pl.String,
}
QUESTION: Columns = {
    "run": pl.Int32,
    "context": pl.String,
    "name": pl.String,
    "group": pl.String,
    "question": pl.Int32,
    "answer": pl.String,
    "distractor_a": pl.String,
    "distractor_b": pl.String,
    "logit_answer": pl.Float64,
    "logit_a": pl.Float64,
    "logit_b": pl.Float64,
    "chosen": pl.String,
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
    "equivalence_p": pl.Float64,
    "least_p": pl.Float64,
    "q_value": pl.Float64,
    "verdict": pl.String,
    "smallest_effect": pl.Float64,
    "reachable_q": pl.Float64,
    "equivalence_q": pl.Float64,
    "confounds": pl.String,
    "n": pl.Int32,
    "unit": pl.String,
    "n_units": pl.Int32,
    "n_frames": pl.Int32,
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
VIEWS: dict[str, Columns] = {
    "association": ASSOCIATION,
    "effect": EFFECT,
    "choice": CHOICE,
    "distractor": DISTRACTOR,
    "answer": ANSWER,
    "tally": TALLY,
    "bridge": BRIDGE,
    "question": QUESTION,
    "measure": MEASURE,
    "measure_other_prior": MEASURE,
    "run": RUN,
}

_CELL_LABELS = ("probe", "template", "group", "attribute", "reason")
LABELS: dict[str, tuple[str, ...]] = {
    "association": _CELL_LABELS,
    "effect": _CELL_LABELS,
    "choice": (
        *("probe", "bank", "item", "category", "template", "condition", "polarity", "name", "group", "options"),
        "reason",
    ),
    "distractor": ("probe", "context", "name", "group"),
    "answer": ("probe", "context", "name", "group", "reason"),
    "tally": ("probe", "context", "name", "group", "word"),
    "bridge": ("probe", "side", "template", "word", "name", "reason"),
}
"""Of each table of records the columns that hold ids of terms."""
