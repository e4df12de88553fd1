"""Packs a run of many records and verifies the pack: seconds and memory of each, in a process of its own.

    python bench/evidence_pack.py [RECORDS]

The records are those of an audit of ILPS with 50 groups, 200 attributes and 100 templates for each million. They come
from no model: their scores are drawn at random. Runs on the database of the settings (the embedded one when
DATABASE_URL is unset), and removes what it made. The verification computes the whole summary again, so the summary is
timed, too.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "platform"), str(ROOT)]
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "plumbline.settings")

GROUPS, ATTRIBUTES = 50, 200
RUN = "BENCH_RUN"
COMMAND = [sys.executable, __file__]
Values = dict[str, Any]


def main(records: int) -> None:
    _set_up()
    from plumbline.audits.models import Run
    from plumbline.results import partitions

    spec = _spec(records // (GROUPS * ATTRIBUTES))
    run = Run.objects.create(name="bench", probe="ilps", model=spec["model"], spec=spec, state="done")
    partitions.prepare(run.pk, {"association": records})
    try:
        _load(run.pk, spec)
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder) / "pack.zip")
            for part in ("summarise", "pack", "verify"):
                subprocess.run([*COMMAND, part, str(run.pk), path], check=True)
            print(f"{records:,} records: {Path(path).stat().st_size / 1e6:.0f} MB")
    finally:
        partitions.forget(run.pk)
        run.delete()


def one_part(part: str, run: int, path: str) -> None:
    """Do one part in this process and print its seconds and its largest memory."""
    began = time.perf_counter()
    if part == "verify":
        from workers.verification.__main__ import main as verify

        sys.argv = ["verify", path]
        assert verify() == 0
    else:
        _set_up()
        {"pack": _pack, "summarise": _summarise}[part](run, path)
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu, seconds = used.ru_utime + used.ru_stime, time.perf_counter() - began
    print(f"{part}: {seconds:.1f} s ({cpu:.1f} s of CPU), at most {used.ru_maxrss / 1e6:.2f} GB", flush=True)


def _set_up() -> None:
    import django
    from django.core.management import call_command

    from plumbline import embedded

    embedded.ensure_running_if_used()
    django.setup()
    call_command("migrate", verbosity=0)


def _summarise(run: int, _path: str) -> None:
    from dataclasses import asdict

    from plumbline.audits.models import Run
    from plumbline.results import measure_writing, not_scorable
    from tests.workers.execution.conftest import Silent
    from workers.execution import Worker
    from workers.execution.stages import summariser

    work = Worker("bench", Silent()).work(Run.objects.get(pk=run))
    found = [*summariser(work.spec)(work.spec, work.snapshots, work.read), *not_scorable.measured(run)]
    print(f"{measure_writing.replace_measures(run, map(asdict, found)):,} measures")


def _pack(run: int, path: str) -> None:
    from plumbline.audits.models import Run
    from plumbline.packing.pack import Choices, packed

    with Path(path).open("wb") as file:
        file.writelines(packed(Run.objects.get(pk=run), Choices()))


def _spec(templates: int) -> Values:
    groups = [{"label": f"group {number}", "plural": f"people {number}"} for number in range(GROUPS)]
    return {
        "name": "bench",
        "probe": "ilps",
        "model": "path:/nowhere",
        "groups": [{"inline": groups}],
        "prior": {"plural": "people"},
        "attributes": [{"inline": [{"text": f"word {number}"} for number in range(ATTRIBUTES)]}],
        "templates": [{"inline": [f"{{Group.plural}} {number} {{attribute}}." for number in range(templates)]}],
    }


def _load(run: int, spec: Values) -> None:
    from plumbline.results.copying import copy_in
    from plumbline.results.tables import association
    from plumbline.results.terms import ids_of

    labels = [
        spec["templates"][0]["inline"],
        [one["label"] for one in spec["groups"][0]["inline"]],
        [one["text"] for one in spec["attributes"][0]["inline"]],
    ]
    ids = ids_of({"ilps", "too long", *(text for axis in labels for text in axis)})
    axes = [np.array([ids[text] for text in axis]) for axis in labels]
    for shard, template in enumerate(axes[0]):
        copy_in(association, _columns(run, shard, int(template), axes, ids))


def _columns(run: int, shard: int, template: int, axes: list[Any], ids: dict[str, int]) -> Values:
    from plumbline.results.ids import record_ids

    rows = GROUPS * ATTRIBUTES
    random = np.random.default_rng(shard)
    target, prior = random.normal(-8, 2, (2, rows))
    scorable = random.random(rows) > 0.02
    return {
        "id": record_ids(run, shard, rows),
        "run": np.full(rows, run),
        "probe": np.full(rows, ids["ilps"]),
        "template": np.full(rows, template),
        "group": np.repeat(axes[1], ATTRIBUTES),
        "attribute": np.tile(axes[2], GROUPS),
        "log_p_target": np.where(scorable, target, np.nan),
        "log_p_prior": prior,
        "score": np.where(scorable, target - prior, np.nan),
        "n_tokens": random.integers(1, 5, rows),
        "scorable": scorable,
        "reason": np.ma.MaskedArray(np.full(rows, ids["too long"]), scorable),
    }


if __name__ == "__main__":
    if len(sys.argv) == 4:
        one_part(sys.argv[1], int(sys.argv[2]), sys.argv[3])
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
