"""How long short runs wait beside a long one of the same priority, with one worker.

    python bench/waiting_runs.py [--attributes 640 --short 15]

A whole installation in a folder of its own: an embedded server, one real worker, the default broker. One person
launches a long run of the bundled masked model. As soon as its first shard is done, two others launch short runs. A
run's waiting time is that from its launch to its beginning, by the database's clock. Each short run asks the model.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "platform"), str(ROOT)]
PEOPLE = ("ben", "cleo")


def spec(name: str, attributes: int, sentences: int) -> dict[str, Any]:
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = [a + b for a in letters for b in letters][:attributes]
    places = [f"{a}{b}" for a in letters for b in letters][:sentences]
    return {
        "name": name,
        "probe": "ilps",
        "model": "bundled:masked-demo",
        "groups": {"inline": [{"label": "women", "plural": "women"}, {"label": "men", "plural": "men"}]},
        "prior": {"plural": "people"},
        "attributes": {"inline": words},
        "templates": {"inline": [f"All {{group.plural}} in {place} are {{attribute}}." for place in places]},
    }


def main(attributes: int, short: int) -> None:
    folder = Path(tempfile.mkdtemp(prefix="plumbline-bench-"))
    os.environ.pop("DATABASE_URL", None)
    os.environ.pop("CELERY_BROKER_URL", None)
    os.environ.update(
        PLUMBLINE_VAR=str(folder), WORKERS="1", LOG_LEVEL="WARNING", DJANGO_SETTINGS_MODULE="plumbline.settings"
    )
    import django

    from plumbline import embedded

    embedded.ensure_running_if_used()
    try:
        django.setup()
        measure(attributes, short)
    finally:
        embedded.stop(folder)
        shutil.rmtree(folder)


def measure(attributes: int, short: int) -> None:
    from django.contrib.auth.models import User
    from django.core.management import call_command

    from plumbline.audits.launching import launch
    from plumbline.audits.models import Run, Shard
    from plumbline.audits.states import LIVE
    from plumbline.spec.audit import parse

    call_command("migrate", verbosity=0)
    people = {name: User.objects.create_user(name) for name in ("ada", *PEOPLE)}
    command = [sys.executable, "manage.py"]
    started = [
        subprocess.Popen([*command, one], cwd=ROOT, stderr=subprocess.DEVNULL) for one in ("scheduler", "worker")
    ]
    try:
        long_run = launch(parse(spec("long", attributes, 250)), reuse=False, by=people["ada"])
        while not Shard.objects.filter(run=long_run, state="done").exists():
            time.sleep(0.1)
        for number in range(short):
            by = people[PEOPLE[number % len(PEOPLE)]]
            launch(parse(spec(f"short {number}", 4, 10 + number)), reuse=False, by=by)
        while Run.objects.filter(state__in=LIVE).exists():
            time.sleep(0.5)
        report(list(Run.objects.exclude(pk=long_run.pk)), Run.objects.get(pk=long_run.pk))
    finally:
        for process in started:
            process.terminate()
        for process in started:
            with suppress(subprocess.TimeoutExpired):
                process.wait(60)


def report(shorts: list[Any], long_run: Any) -> None:
    if bad := [run for run in [*shorts, long_run] if run.state != "done"]:
        raise SystemExit(f"run {bad[0].pk} is {bad[0].state}: {bad[0].error}")
    waits = sorted((run.started_at - run.created_at).total_seconds() for run in shorts)
    ends = [(run.finished_at - run.created_at).total_seconds() for run in shorts]
    print(
        f"{len(shorts)} short runs waited {waits[0]:.1f} to {waits[-1]:.1f} s for their beginning, median"
        f" {statistics.median(waits):.1f} s; the last one was done after {max(ends):.1f} s"
    )
    print(f"the long run took {(long_run.finished_at - long_run.created_at).total_seconds():.1f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--attributes", type=int, default=640)
    parser.add_argument("--short", type=int, default=15)
    main(**vars(parser.parse_args()))
