"""Everything that takes too long for each change, as one table: `make trial` runs it before a release.

    python -m tests.trial [PART ...]

Each part is a command whose output goes to var/trial/PART.log. The exit status is 1 when a part failed, and 2 for an
unknown part.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOGS = Path(os.environ.get("PLUMBLINE_VAR") or ROOT / "var") / "trial"
PYTEST = ("-m", "pytest", "-n", "4", "--dist", "worksteal")
PARTS: dict[str, tuple[str, ...]] = {
    "matrices": (*PYTEST, "--trial"),
    "second server": (*PYTEST, "-m", "database and not slow"),
    "shuffled": (*PYTEST, "--shuffle", str(int(time.time()) % 10_000)),
    "mutants": ("-m", "tests.mutants.run"),
    "pythons": ("-m", "tests.trial.pythons"),
    "pages of 10 million items": ("bench/run_page.py", "10000000"),
    "records of 1 million rows": ("bench/load_records.py",),
}
"""What a release is tried with: the arguments of Python, by part. The shuffled tests have another order each time."""
SERVER = os.environ.get("CI_DATABASE_URL", "postgres://postgres@127.0.0.1:5432/postgres")
ENVIRONMENTS = {"second server": {"DATABASE_URL": SERVER}}


def main(chosen: list[str]) -> int:
    if unknown := set(chosen) - set(PARTS):
        sys.stderr.write(f"no part is called {min(unknown)!r}; there are: {', '.join(PARTS)}\n")
        return 2
    LOGS.mkdir(parents=True, exist_ok=True)
    rows = [run(part) for part in chosen or PARTS]
    return int(not all(passed for passed in rows))


def run(part: str) -> bool:
    """Run a part and print its row of the table."""
    log, began = LOGS / f"{part.replace(' ', '-')}.log", time.monotonic()
    with log.open("w", encoding="utf-8") as out:
        command = [sys.executable, *PARTS[part]]
        environment = os.environ | ENVIRONMENTS.get(part, {})
        done = subprocess.run(command, cwd=ROOT, env=environment, stdout=out, stderr=subprocess.STDOUT, check=False)
    minutes = (time.monotonic() - began) / 60
    print(f"{part:<28} {'passed' if done.returncode == 0 else 'FAILED':<8} {minutes:6.1f} min   {log}", flush=True)  # noqa: T201
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
