"""How far the time left of a run's page is from the time that it then takes, over starter plans run by a worker.

    python bench/time_left.py [PLAN ...]

In an installation of its own. The progress of each run is read once a second. The error is that of the time left
until all items are asked, as a factor; a jump is the factor by which it differs from what the second before foretold.
"""

import itertools
import math
import os
import statistics
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PLANS = (
    "gender-masked", "gender", "abc-set", "abc-ilps-chain", "bbq", "bbq-letters", "pairs", "preference", "bias-weat-6",
    "indirect-beverages",
)  # fmt: skip
SHORTEST = 2.0
"""Seconds left below which a factor tells nothing."""


def main(plans: list[str]) -> None:
    from tests.browser.house import opened_house
    from tests.faults.conftest import pointed_at

    nobody: Any = None  # no browser: nothing is looked at
    with opened_house(nobody) as house, pointed_at(house.site.var):
        print(f"{'plan':24} {'items':>8} {'seconds':>8} {'told':>5}   error: median     worst   largest jump")
        for plan in plans:
            print(f"{plan:24} {told(*followed(plan))}", flush=True)


def followed(plan: str) -> tuple[int, list[tuple[float, float | None]], float]:
    """Launch a starter plan, and return its items, (second, seconds left) at each second and when all were asked."""
    from plumbline.audits.launching import launch
    from plumbline.audits.progress import progress
    from plumbline.audits.starter_plans import STARTER
    from plumbline.audits.states import LIVE
    from plumbline.spec.audit import parse
    from plumbline.spec.yaml_file import read_yaml

    run = launch(parse(read_yaml(STARTER / f"{plan}.yaml")))
    began, samples, asked = time.monotonic(), [], 0.0
    while run.state in LIVE:
        run.refresh_from_db()
        now, seen = time.monotonic() - began, progress(run)
        if seen.items and seen.items_done < seen.items:
            samples.append((now, seen.seconds_left))
            asked = now
        time.sleep(1)
    return run.planned_items or 0, samples, asked


def told(items: int, samples: list[tuple[float, float | None]], asked: float) -> str:
    known = [(at, left) for at, left in samples if left is not None]
    factors = [max(left, 1) / max(asked - at, 1) for at, left in known if asked - at >= SHORTEST]
    errors = [math.exp(abs(math.log(one))) for one in factors]
    jumps = [jump(before, after) for before, after in itertools.pairwise(known)]
    if not errors:
        return f"{items:8,} {asked:8.0f} {len(known):5}   too short"
    worst = max(errors)
    return f"{items:8,} {asked:8.0f} {len(known):5}   {statistics.median(errors):13.2f} {worst:9.2f} {max(jumps):14.2f}"


def jump(before: tuple[float, float], after: tuple[float, float]) -> float:
    foretold = max(before[1] - (after[0] - before[0]), SHORTEST)
    return math.exp(abs(math.log(max(after[1], SHORTEST) / foretold)))


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT / "platform"), str(ROOT)]
    os.environ.pop("DATABASE_URL", None)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "plumbline.settings")
    os.environ["CELERY_BROKER_URL"] = "memory://"
    import django

    django.setup()
    main(sys.argv[1:] or list(PLANS))
