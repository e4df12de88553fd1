"""Explorer and items on a run of 1,000,000 items and 100,000 cells: milliseconds an answer, median of several.

    python bench/explorer_pages.py [ANSWERS]

Runs on the database of the settings (the embedded one when DATABASE_URL is unset), and removes what it made.
"""

import os
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "platform"))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "plumbline.settings")

GROUPS, ATTRIBUTES, TEMPLATES, SHARDS = 100, 1000, 10, 10
REASON = "the tokenizer cannot spell it"
ITEMS = {
    "items": "",
    "items of a cell": "?group=group+7&attribute=attribute+7",
    "items of a group": "?group=group+7",
    "items of a template": "?template=template+7",
    "items not scorable": "?scorable=no",
    "items with a rare score": "?template=template&min=4",
    "items with a score that none has": "?min=99",
}


def main(answers: int) -> None:
    import django

    from plumbline import embedded

    embedded.ensure_running_if_used()
    django.setup()

    from django.conf import settings
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from django.test import Client
    from django.urls import reverse

    settings.ALLOWED_HOSTS = ["testserver"]
    call_command("migrate", verbosity=0)
    run, user = make_run(), User.objects.create_superuser(f"bench-{os.getpid()}")
    try:
        client = Client(headers={"accept-encoding": "gzip"})
        client.force_login(user)
        cell = "?group=group+7&attribute=attribute+7"
        pages = {name: reverse("items", args=[run.pk]) + query for name, query in ITEMS.items()}
        pages |= {name: reverse(name, args=[run.pk]) for name in ("explorer", "explorer_data", "explorer_csv")}
        for name, address in (pages | {"cell": reverse("cell", args=[run.pk]) + cell}).items():
            print(f"{name:34} {1000 * median(client, address, answers):6.0f} ms")
    finally:
        run.delete()
        user.delete()


def median(client: Any, address: str, answers: int) -> float:
    seconds = []
    for _ in range(answers):
        started = time.perf_counter()
        assert client.get(address).status_code == 200
        seconds.append(time.perf_counter() - started)
    return statistics.median(seconds)


def make_run() -> Any:
    """A finished run with records and measures as workers write them; its cells are drawn from a seeded generator."""
    from django.db import connection

    from plumbline.audits.models import Run
    from plumbline.audits.states import RunState
    from plumbline.results import partitions
    from plumbline.results.measure_writing import replace_measures
    from plumbline.spec.audit import parse

    labels = {
        "group": [f"group {number}" for number in range(GROUPS)],
        "attribute": [f"attribute {number}" for number in range(ATTRIBUTES)],
        "template": [f"{{group}} is {{attribute}}, template {number}" for number in range(TEMPLATES)],
    }
    lists = {f"{key}s": {"inline": labels[key]} for key in labels}
    spec = {"name": "bench", "probe": "ilps", "model": "path:bench", "prior": {"mask": "one"}, **lists}
    run = Run.objects.create(
        name="bench", probe="ilps", model="path:bench", spec=parse(spec).dump(), state=RunState.DONE
    )
    partitions.prepare(run.pk, {"association": GROUPS * ATTRIBUTES * TEMPLATES})
    scores = np.random.default_rng(0).normal(size=(GROUPS, ATTRIBUTES, TEMPLATES))
    load(run.pk, labels, scores)
    replace_measures(run.pk, measures(labels, scores.mean(axis=2)))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE results.association, results.measure")
    return run


def load(run: int, labels: dict[str, list[str]], scores: Any) -> None:
    """The records in an order of their own, as shards by hash have it; every fiftieth is not scorable."""
    from plumbline.results.copying import copy_in
    from plumbline.results.ids import record_ids
    from plumbline.results.tables import association
    from plumbline.results.terms import ids_of

    ids = ids_of([REASON, "ilps", *(label for names in labels.values() for label in names)])
    order = np.random.default_rng(1).permutation(scores.size)
    for shard, part in enumerate(np.array_split(order, SHARDS)):
        axes = dict(zip(labels, np.unravel_index(part, scores.shape), strict=True))
        missing = part % 50 == 0
        score = np.ma.masked_array(scores.ravel()[part], missing)
        columns = {name: np.array([ids[label] for label in labels[name]])[axes[name]] for name in labels}
        columns |= {"id": record_ids(run, shard, len(part)), "run": np.full(len(part), run)}
        columns |= {"log_p_target": score - 6, "log_p_prior": np.full(len(part), -6.0), "score": score}
        columns |= {"probe": np.full(len(part), ids["ilps"]), "scorable": ~missing}
        copy_in(association, columns | {"reason": np.ma.masked_array(np.full(len(part), ids[REASON]), ~missing)})


def measures(labels: dict[str, list[str]], values: Any) -> list[dict[str, Any]]:
    return [
        {"statistic": "ilps", "group_a": group, "attribute": attribute, "value": value, "ci_low": value - 0.3}
        | {"ci_high": value + 0.3, "q_value": float(np.exp(-3 * abs(value))), "n": TEMPLATES, "unit": "template"}
        for group, row in zip(labels["group"], values.tolist(), strict=True)
        for attribute, value in zip(labels["attribute"], row, strict=True)
    ]


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
