"""Loads association records into a run's own partition, indexes included: rows a second.

    python bench/load_records.py [ROWS]

Runs on the database of the settings (the embedded one when DATABASE_URL is unset), and removes what it loaded.
"""

import os
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "platform"))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "plumbline.settings")

ROWS_PER_SHARD = 100_000


def main(total: int) -> None:
    import django

    from plumbline import embedded

    embedded.ensure_running_if_used()
    django.setup()

    from django.core.management import call_command

    from plumbline.results import partitions, reading
    from plumbline.results.ids import RUNS

    call_command("migrate", verbosity=0)
    run = RUNS - 1
    partitions.forget(run)
    partitions.prepare(run, {"association": total})
    try:
        seconds = _load(run, total)
        print(f"loaded {total} rows in {seconds:.2f} s: {total / seconds:,.0f} rows/s")
        started = time.perf_counter()
        height = reading.read(run).height
        print(f"read {height} rows with their labels in {time.perf_counter() - started:.2f} s")
    finally:
        partitions.forget(run)


def _load(run: int, total: int) -> float:
    """Seconds for all shards, each its own transaction as a worker would load it."""
    from django.db import transaction

    from plumbline.results.copying import copy_in
    from plumbline.results.tables import association
    from plumbline.results.terms import ids_of

    labels = np.array(list(ids_of(f"bench term {number}" for number in range(1000)).values()))
    seconds = 0.0
    for shard, start in enumerate(range(0, total, ROWS_PER_SHARD)):
        columns = _columns(run, shard, np.arange(start, min(start + ROWS_PER_SHARD, total)), labels)
        started = time.perf_counter()
        with transaction.atomic():
            copy_in(association, columns)
        seconds += time.perf_counter() - started
    return seconds


def _columns(run: int, shard: int, items: np.ndarray, labels: np.ndarray) -> dict[str, np.ndarray]:
    """One shard: 1000 attributes of 20 groups in templates, one row in fifty not scorable."""
    from plumbline.results.ids import record_ids

    rows = len(items)
    random = np.random.default_rng(shard)
    scorable = random.random(rows) > 0.02
    target, prior = random.normal(-8, 2, (2, rows))
    return {
        "id": record_ids(run, shard, rows),
        "run": np.full(rows, run),
        "probe": np.full(rows, labels[0]),
        "template": labels[items // 20_000],
        "group": labels[items // 1000 % 20],
        "attribute": labels[items % 1000],
        "log_p_target": np.where(scorable, target, np.nan),
        "log_p_prior": prior,
        "score": np.where(scorable, target - prior, np.nan),
        "n_tokens": random.integers(1, 5, rows),
        "scorable": scorable,
        "reason": np.ma.MaskedArray(np.full(rows, labels[1]), scorable),
    }


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
