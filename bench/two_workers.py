"""Two workers against one: how much sooner a run ends, and what a shard costs besides its model.

    python bench/two_workers.py [--layers 8 --hidden 512 --repeats 3]

A whole installation in a folder of its own: an embedded server, real workers of one thread each, the default broker.
The same audit of a random masked model is run by one worker and by two, in turn; from the first shard's beginning to
the last one's end, by the server's clock. What a shard costs besides the model: the time of the phase of one worker,
less the seconds that the shards themselves took, over the number of shards.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "platform"), str(ROOT)]
GOAL_RATIO, GOAL_OVERHEAD_MS = 1.7, 20.0


def spec(model: Path) -> dict[str, Any]:
    """51,200 items in sixty-four shards."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    return {
        "name": "two workers",
        "probe": "ilps",
        "model": f"path:{model}",
        "groups": {"inline": [{"label": "women", "plural": "women"}, {"label": "men", "plural": "men"}]},
        "prior": {"plural": "people"},
        "attributes": {"inline": [a + b for a in letters[:16] for b in letters[:20]]},
        "templates": {
            "inline": [f"All {{group.plural}} in {a}{b} are {{attribute}}." for a in "abcdefghij" for b in "pqrstuvw"]
        },
    }


@contextmanager
def workers(count: int) -> Iterator[None]:
    """So many living workers and a scheduler, which end with the body."""
    from plumbline.audits.models import WorkerProcess

    WorkerProcess.objects.all().delete()
    started = [
        subprocess.Popen([sys.executable, "manage.py", command], cwd=ROOT, stderr=subprocess.DEVNULL)
        for command in ["scheduler", *["worker"] * count]
    ]
    try:
        while WorkerProcess.objects.filter(role="worker", state="idle").count() < count:
            time.sleep(0.1)
        yield
    finally:
        for process in started:
            process.terminate()
        for process in started:
            process.wait()


def run_once(data: dict[str, Any]) -> tuple[float, float, int]:
    """Seconds of the phase, seconds that its shards took, and their number."""
    from plumbline.audits.launching import launch
    from plumbline.audits.models import Run, Shard
    from plumbline.audits.states import LIVE
    from plumbline.spec.audit import parse

    run = launch(parse(data), reuse=False)
    while Run.objects.filter(pk=run.pk, state__in=LIVE).exists():
        time.sleep(0.5)
    run.refresh_from_db()
    if run.state != "done":
        raise SystemExit(f"{run.state}: {run.error}")
    rows = Shard.objects.filter(run=run).order_by("done_at").values_list("done_at", "seconds")
    done = [(at.timestamp(), seconds) for at, seconds in rows if at is not None and seconds is not None]
    begin = min(end - seconds for end, seconds in done)
    return done[-1][0] - begin, sum(seconds for _, seconds in done), len(done)


def main(layers: int, hidden: int, repeats: int) -> None:
    folder = Path(tempfile.mkdtemp(prefix="plumbline-bench-"))
    os.environ.pop("DATABASE_URL", None)
    os.environ.pop("CELERY_BROKER_URL", None)
    os.environ.update(
        PLUMBLINE_VAR=str(folder),
        WORKERS="2",
        LOG_LEVEL="WARNING",
        DJANGO_SETTINGS_MODULE="plumbline.settings",
    )
    import django

    from plumbline import embedded

    embedded.ensure_running_if_used()
    try:
        django.setup()
        measure(folder, layers, hidden, repeats)
    finally:
        embedded.stop(folder)
        shutil.rmtree(folder)


def measure(folder: Path, layers: int, hidden: int, repeats: int) -> None:
    from django.core.management import call_command

    from tests.workers.tiny import save_tiny_bert

    call_command("migrate", verbosity=0)
    (folder / "model").mkdir()
    data = spec(save_tiny_bert(folder / "model", seed=0, hidden=hidden, layers=layers))
    ratios, overheads = [], []
    for _ in range(repeats):
        with workers(1):
            run_once(data)  # loads the model
            alone, working, shards = run_once(data)
        with workers(2):
            run_once(data)
            together, working_together, _ = run_once(data)
        ratios.append(alone / together)
        overheads.append(1000 * (alone - working) / shards)
        print(
            f"one worker {alone:.2f} s, two {together:.2f} s: {ratios[-1]:.2f}x; {overheads[-1]:.1f} ms a shard besides"
            f" its model, which takes one worker {working:.2f} s and two side by side {working_together:.2f} s"
        )
    print(f"median {statistics.median(ratios):.2f}x (goal {GOAL_RATIO}x)")
    print(
        f"median {statistics.median(overheads):.1f} ms a shard besides its model (goal under {GOAL_OVERHEAD_MS:.0f} ms)"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--layers", type=int, default=8)
    parser.add_argument("--hidden", type=int, default=512)
    parser.add_argument("--repeats", type=int, default=3)
    main(**vars(parser.parse_args()))
