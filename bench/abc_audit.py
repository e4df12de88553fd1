"""The full ABC audit, as a worker does it: all groups, adjectives and templates, by the chain rule and by SeT.

    python bench/abc_audit.py [--model bundled:masked-demo] [--threads 2]

A whole installation in a folder of its own with an embedded server. The two plans that come along (61,056 items each)
run after each other in one process, as one worker takes them: from checking the words to the last measure. It prints
wall time and CPU seconds, which other jobs of the machine change less.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "platform"), str(ROOT)]
PLANS = ("abc-ilps-chain", "abc-set")
GOAL_SECONDS = 120.0


def main(model: str, threads: int) -> int:
    """Exit status 0 if both audits together meet the goal."""
    folder = Path(tempfile.mkdtemp(prefix="plumbline-bench-"))
    os.environ.pop("DATABASE_URL", None)
    os.environ.update(PLUMBLINE_VAR=str(folder), LOG_LEVEL="WARNING", DJANGO_SETTINGS_MODULE="plumbline.settings")
    import django

    from plumbline import embedded

    embedded.ensure_running_if_used()
    try:
        django.setup()
        return 0 if measure(model, threads) < GOAL_SECONDS else 1
    finally:
        embedded.stop(folder)
        shutil.rmtree(folder)


def measure(model: str, threads: int) -> float:
    """Seconds of both audits."""
    import torch
    from django.core.management import call_command

    from plumbline.audits.ownership import this_process
    from workers import execution
    from workers.management.console import Console

    call_command("migrate", verbosity=0)
    call_command("vocab", "starter", verbosity=0)
    torch.set_num_threads(threads)
    worker, total = execution.Worker(this_process(), Console()), 0.0
    for plan in PLANS:
        began, worked = time.perf_counter(), time.process_time()
        items = audit(plan, model, worker)
        seconds, worked = time.perf_counter() - began, time.process_time() - worked
        print(f"{plan:<14}  {items} items in {seconds:6.1f} s by the clock, {worked:6.1f} s of processors")
        total += seconds
    print(f"both {total:.1f} s (goal {GOAL_SECONDS:.0f} s) with {threads} threads")
    return total


def audit(plan: str, model: str, worker: "execution.Worker") -> int:  # type: ignore[name-defined]  # noqa: F821
    """Run a plan that comes along from its launch to its measures; its items."""
    from plumbline.audits.launching import launch
    from plumbline.audits.models import Run
    from plumbline.audits.starter_plans import STARTER
    from plumbline.spec.audit import parse
    from plumbline.spec.yaml_file import read_yaml
    from workers import execution

    spec = parse({**read_yaml(STARTER / f"{plan}.yaml"), "model": model})
    run = launch(spec, owner=worker.owns, reuse=False)
    execution.drive(run.pk, worker)
    run = Run.objects.get(pk=run.pk)
    if run.state != "done":
        raise SystemExit(f"{run.state}: {run.error}")
    return int(run.planned_items or 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="bundled:masked-demo")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    raise SystemExit(main(options.model, options.threads))
