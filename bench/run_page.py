"""The desk's pages of a run of a million items: the median of each, its queries and its size; then its deletion.

    python bench/run_page.py [ITEMS] [--keep]

100 groups with 1,000 attributes in as many templates as it takes, each group compared with the others. Runs on the
database of the settings (the embedded one when DATABASE_URL is unset), and removes what it loaded; --keep leaves it.
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

GROUPS, ATTRIBUTES = 100, 1000
TIMES = 15
SHARE_NOT_SCORABLE = 0.02
LEVEL = 0.05


def main(items: int, keep: bool) -> None:
    import django

    from plumbline import embedded

    embedded.ensure_running_if_used()
    django.setup()

    from django.contrib.auth.models import User
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    run = load(items)
    user, _ = User.objects.get_or_create(username="bench", is_superuser=True)
    try:
        for name in ("runs", "run", "run_progress", "run_measures", "run_provenance"):
            print(name.ljust(16), measured(user, name, *([] if name == "runs" else [run.pk])))
    finally:
        if keep:
            print(f"kept as run {run.pk}")
        else:
            user.delete()
            began = time.monotonic()
            run.delete()
            print(f"deleted in {time.monotonic() - began:.1f} s")


def measured(user: Any, name: str, *args: int) -> str:
    """`median 120 ms (100 to 150)  12 queries  30 KiB`, of an answer made in this process, the first one left out."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext
    from django.urls import reverse

    client = Client(headers={"host": "localhost"})
    client.force_login(user)
    address, seconds = reverse(name, args=args), []
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(address)
        queries = len(captured)
    assert answer.status_code == 200, (address, answer.status_code)
    for _ in range(TIMES):
        started = time.perf_counter()
        client.get(address)
        seconds.append(time.perf_counter() - started)
    median, low, high = (1000 * figure(seconds) for figure in (statistics.median, min, max))
    size = len(answer.content) / 1024
    return f"median {median:.0f} ms ({low:.0f} to {high:.0f})  {queries} queries  {size:.0f} KiB"


def load(items: int) -> Any:
    """A finished run with its shards, records and measures."""
    from django.db import connection, transaction

    from plumbline.audits.models import Phase, Run
    from plumbline.results import partitions

    with transaction.atomic():
        run = Run.objects.create(
            name="bench", probe="ilps", model="path:/bench", spec={"seed": 0}, state="done", planned_items=items
        )
        for position, name in enumerate(("planning", "scoring", "summary")):
            Phase.objects.create(
                run=run, position=position, name=name, sharded=name == "scoring", state="done", seconds=1
            )
        partitions.prepare(run.pk, {"association": items})
        _load_records(run, items)
        _load_measures(run, items)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE results.measure")
        cursor.execute(f"ANALYZE results.association_run_{run.pk}" if items >= 100_000 else "SELECT 1")
    return run


def _load_records(run: Any, items: int) -> None:
    from plumbline.audits.models import Shard
    from plumbline.results.copying import copy_in
    from plumbline.results.ids import record_ids
    from plumbline.results.tables import association
    from plumbline.results.terms import ids_of

    names = [f"bench term {number}" for number in range(ATTRIBUTES)]
    labels = np.array([ids_of(names)[name] for name in names])
    per_shard, phase = 10_000, run.phases.get(name="scoring")
    random = np.random.default_rng(0)
    for number, start in enumerate(range(0, items, per_shard)):
        cells = np.arange(start, min(start + per_shard, items))
        scorable = random.random(len(cells)) > SHARE_NOT_SCORABLE
        target, prior = random.normal(-8, 2, (2, len(cells)))
        columns = {
            "id": record_ids(run.pk, number, len(cells)),
            "run": np.full(len(cells), run.pk),
            "probe": np.full(len(cells), labels[0]),
            "template": labels[cells // (GROUPS * ATTRIBUTES)],
            "group": labels[cells // ATTRIBUTES % GROUPS],
            "attribute": labels[cells % ATTRIBUTES],
            "log_p_target": np.where(scorable, target, np.nan),
            "log_p_prior": prior,
            "score": np.where(scorable, target - prior, np.nan),
            "n_tokens": np.ones(len(cells), int),
            "scorable": scorable,
            "reason": np.ma.MaskedArray(labels[random.integers(1, 4, len(cells))], scorable),
        }
        copy_in(association, columns)
        Shard.objects.create(
            run=run, phase=phase, number=number, key=f"bench {run.pk} {number}", items=[], planned_rows={},
            size=len(cells), state="done", seconds=1,
        )  # fmt: skip


def _load_measures(run: Any, items: int) -> None:
    from dataclasses import asdict

    from plumbline.results import not_scorable
    from plumbline.results.measure_writing import replace_measures
    from plumbline.spec.verdicts import Verdict

    templates = -(-items // (GROUPS * ATTRIBUTES))
    random = np.random.default_rng(1)
    began = time.perf_counter()
    rows: list[dict[str, Any]] = [asdict(one) for one in not_scorable.measured(run.pk)]
    print(f"the summary counts what is not scorable in {time.perf_counter() - began:.1f} s")
    for group in range(GROUPS):
        own = {"group_a": f"bench term {group}", "unit": "template", "n": templates, "n_units": templates}
        other = {"group_b": "(other groups)"}
        share = {"statistic": "scorable_share", "value": 1 - SHARE_NOT_SCORABLE, "reason": "a share"}
        rows.append(own | share | {"n": items // GROUPS, "n_units": items // GROUPS})
        rows.append(own | other | {"statistic": "ilps_difference", "value": 0.1, "ci_low": 0.0, "ci_high": 0.2})
        for statistic in ("ilps", "ilps_difference", "ilps_difference_centred"):
            against = {} if statistic == "ilps" else other
            for attribute, value in enumerate(random.normal(0, 1, ATTRIBUTES).tolist()):
                q = random.random()
                rows.append(
                    own | against | {
                        "statistic": statistic, "attribute": f"bench term {attribute}", "value": value,
                        "ci_low": value - 0.5, "ci_high": value + 0.5, "p_value": 0.01, "q_value": q,
                        "verdict": str(Verdict.PRESENT if q < LEVEL else Verdict.UNDECIDED) if against else "",
                    }
                )  # fmt: skip
    replace_measures(run.pk, rows)


if __name__ == "__main__":
    given = [argument for argument in sys.argv[1:] if argument.isdigit()]
    main(int(given[0]) if given else 1_000_000, keep="--keep" in sys.argv)
