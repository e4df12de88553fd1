"""Records to test with: written by the real COPY, named by their labels."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from plumbline.results.copying import copy_in
from plumbline.results.ids import record_ids
from plumbline.results.tables import association
from plumbline.results.terms import ids_of

Item = tuple[str, str, str, float | None, str | None]
Load = Callable[..., int]


@pytest.fixture
def load(db: None) -> Load:
    """load(run, [(template, group, attribute, score, reason), ...], shard=0): the number of rows."""
    return _load


def _load(run: int, items: Sequence[Item], shard: int = 0) -> int:
    ids = ids_of([label for item in items for label in (*item[:3], item[4]) if label is not None] + ["ilps"])
    columns: dict[str, Any] = {
        "id": record_ids(run, shard, len(items)),
        "run": [run] * len(items),
        "probe": [ids["ilps"]] * len(items),
        **{
            name: [ids[str(item[position])] for item in items]
            for position, name in enumerate(("template", "group", "attribute"))
        },
        "log_p_target": [None if score is None else score - 5.0 for *_, score, _ in items],
        "log_p_prior": [-5.0] * len(items),
        "score": [score for *_, score, _ in items],
        "n_tokens": [1 if score is not None else None for *_, score, _ in items],
        "scorable": [score is not None for *_, score, _ in items],
        "reason": [None if reason is None else ids[reason] for *_, reason in items],
    }
    return copy_in(association, columns)


CELLS: list[Item] = [
    ("All {group} are {attribute}.", "women", "powerless", 1.4, None),
    ("All {group} are {attribute}.", "men", "powerless", 0.1, None),
    ("Most {group} are {attribute}.", "women", "powerless", 0.8, None),
    ("Most {group} are {attribute}.", "men", "powerless", -0.25, None),
    ("Most {group} are {attribute}.", "men", "yare", None, "the tokenizer cannot spell it"),
]
