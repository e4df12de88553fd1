"""The same plans on the CPU and on the GPU of one machine: how much faster the GPU is, and how far the records differ.

    python bench/devices.py [--model REF] [--plans abc-ilps-chain abc-set]

A whole installation in a folder of its own with an embedded server. Each plan runs once on each device, in a process
that sees only that device, and asks the model anew. Seconds are the run's own, from its launch to its last measure. The
scores of the two runs are compared by group, word and template, and the verdicts by statistic.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "platform"), str(ROOT)]
DEVICES = ("cpu", "cuda")
TOLERANCE = 1e-3
VERDICT = ("statistic", "variant", "prior", "group_a", "group_b", "category", "condition", "attribute", "template")


def main(model: str, plans: list[str]) -> int:
    """Exit status 0 if no score differs by more than the tolerance between the devices."""
    folder = Path(tempfile.mkdtemp(prefix="plumbline-bench-"))
    os.environ.pop("DATABASE_URL", None)
    os.environ.update(PLUMBLINE_VAR=str(folder), LOG_LEVEL="WARNING", DJANGO_SETTINGS_MODULE="plumbline.settings")
    import django

    from plumbline import embedded

    embedded.ensure_running_if_used()
    try:
        django.setup()
        return measure(model, plans)
    finally:
        embedded.stop(folder)
        shutil.rmtree(folder)


def measure(model: str, plans: list[str]) -> int:
    """Run each plan on both devices and print the comparison; 1 if scores differ by too much."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("vocab", "starter", verbosity=0)
    worst = 0.0
    for plan in plans:
        (slow, slow_seconds), (fast, fast_seconds) = (audit(plan, model, device) for device in DEVICES)
        furthest, verdicts, differing = compare(slow, fast)
        print(
            f"{plan:<16} cpu {slow_seconds:7.1f} s, cuda {fast_seconds:7.1f} s, "
            f"ratio {slow_seconds / fast_seconds:5.1f}; largest difference of a score {furthest:.1e}, "
            f"{differing} of {verdicts} verdicts differ",
            flush=True,
        )
        worst = max(worst, furthest)
    return int(worst > TOLERANCE)


def audit(plan: str, model: str, device: str) -> tuple[int, float]:
    """Return the number and the seconds of a plan's run on one device."""
    from plumbline.audits.models import Run
    from plumbline.audits.starter_plans import STARTER

    environment = os.environ | ({"CUDA_VISIBLE_DEVICES": ""} if device == "cpu" else {})
    command = (sys.executable, ROOT / "manage.py", "audit", "run", STARTER / f"{plan}.yaml", "--model", model)
    ended = subprocess.run(
        (*command, "--inline", "--no-reuse"), env=environment, stdout=subprocess.PIPE, text=True, check=True
    )
    told = ended.stdout.split()
    run = Run.objects.get(pk=int(told[1]))
    if run.provenance["device"] != device:
        raise SystemExit(f"the run went to {run.provenance['device']}, not to {device}")
    return run.pk, float(told[-2])


def compare(slow: int, fast: int) -> tuple[float, int, int]:
    """Return the largest difference of a score of two runs, how many verdicts they have, and how many differ."""
    import polars as pl

    from plumbline.results import reading
    from plumbline.results.columns import LABELS

    keys = [label for label in LABELS["association"] if label != "reason"]
    scores = [reading.read(run).select(*keys, "score") for run in (slow, fast)]
    both = scores[0].join(scores[1], on=keys, validate="1:1", suffix="_fast")
    if not both.height == scores[0].height == scores[1].height:
        raise SystemExit(f"{scores[0].height} and {scores[1].height} records, of which {both.height} pair up")
    measures = [reading.read(run, "measure").select(*VERDICT, "verdict") for run in (slow, fast)]
    verdicts = measures[0].join(measures[1], on=VERDICT, validate="1:1", suffix="_fast", nulls_equal=True)
    differing = verdicts.filter(pl.col("verdict") != pl.col("verdict_fast"))
    furthest = (both["score"] - both["score_fast"]).drop_nulls().abs().to_numpy().max(initial=0.0)
    return float(furthest), verdicts.height, differing.height


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="bundled:masked-demo")
    parser.add_argument("--plans", nargs="+", default=["abc-ilps-chain", "abc-set"])
    options = parser.parse_args()
    raise SystemExit(main(options.model, options.plans))
