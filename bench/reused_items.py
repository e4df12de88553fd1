"""How much is asked when a plan of the demo gets one group, word or template more, and how long it takes.

    python bench/reused_items.py [--plan gender-masked] [--threads 2]

A whole installation in a folder of its own with an embedded server, as bench/abc_audit.py has it. The plan runs first
as it stands, then with one thing more at a time, then once more as it stands: that run copies whole shards. Seconds are
those that this process worked, from launch to the last measure; other jobs of the machine change them little.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "platform"), str(ROOT)]
GOAL = 0.40
"""Of the items, where one group comes to two."""


def main(plan: str, threads: int) -> int:
    """Exit status 0 if a group more asks less of the items than the goal."""
    folder = Path(tempfile.mkdtemp(prefix="plumbline-bench-"))
    os.environ.pop("DATABASE_URL", None)
    os.environ.update(PLUMBLINE_VAR=str(folder), LOG_LEVEL="WARNING", DJANGO_SETTINGS_MODULE="plumbline.settings")
    import django

    from plumbline import embedded

    embedded.ensure_running_if_used()
    try:
        django.setup()
        return 0 if measure(plan, threads) < GOAL else 1
    finally:
        embedded.stop(folder)
        shutil.rmtree(folder)


def measure(plan: str, threads: int) -> float:
    """The share of items that a group more asks."""
    import torch
    from django.core.management import call_command

    from plumbline.audits.ownership import this_process
    from plumbline.audits.starter_plans import STARTER
    from plumbline.spec.yaml_file import read_yaml
    from workers import execution
    from workers.management.console import Console

    call_command("migrate", verbosity=0)
    call_command("vocab", "starter", verbosity=0)
    torch.set_num_threads(threads)
    worker, spec = execution.Worker(this_process(), Console()), read_yaml(STARTER / f"{plan}.yaml")
    shares = {told: audit(told, data, worker) for told, data in variants(spec).items()}
    return shares["a group more"]


def variants(spec: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The plan as it stands, and with one thing more each."""
    word, frame = {"inline": ["left-handed"]}, {"inline": ["[All|Most] {group.plural} were {attribute}."]}
    return {
        "as it stands": spec,
        "a group more": {**spec, "groups": [spec["groups"], {"inline": [{"label": "nurses", "plural": "nurses"}]}]},
        "a word more": {**spec, "attributes": [*spec["attributes"], word]},
        "a template more": {**spec, "templates": [spec["templates"], frame]},
        "again": spec,
    }


def audit(told: str, data: dict[str, Any], worker: "execution.Worker") -> float:  # type: ignore[name-defined]  # noqa: F821
    """Run it from its launch to its measures; the share of its items that was asked."""
    from plumbline.audits.launching import launch
    from plumbline.audits.models import Run
    from plumbline.audits.progress import progress
    from plumbline.spec.audit import parse
    from workers import execution

    worked = time.process_time()
    run = launch(parse(data), owner=worker.owns)
    execution.drive(run.pk, worker)
    run = Run.objects.get(pk=run.pk)
    if run.state != "done":
        raise SystemExit(f"{run.state}: {run.error}")
    found, worked = progress(run), time.process_time() - worked
    share = found.asked / (found.asked + found.reused)
    print(f"{told:<16} asked {found.asked:>6,}, reused {found.reused:>6,} ({share:6.1%} asked) in {worked:6.1f} s")
    return share


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plan", default="gender-masked")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    raise SystemExit(main(options.plan, options.threads))
