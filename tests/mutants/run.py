"""`python -m tests.mutants.run [NAME ...] [--jobs N]`: try the mutants; exit status 0 when all of them die."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from itertools import chain
from queue import SimpleQueue

from tests.mutants.entries import Mutant, load
from tests.mutants.places import Place, opened_place
from tests.mutants.trials import Ended, Fate, Trial, judged, run_tests

NOT_ASKED = Ended(None, "", 0.0)


def main(arguments: Sequence[str]) -> int:
    """Try the mutants that are named, or all. 2 for a name that no mutant has."""
    options = _parsed(arguments)
    mutants = {mutant.name: mutant for mutant in load()}
    if unknown := [name for name in options.names if name not in mutants]:
        sys.stderr.write(f"error: no mutant is called {', '.join(unknown)}; see tests/mutants/mutants.toml.\n")
        return 2
    chosen = [mutants[name] for name in options.names or mutants]
    trials = try_all(chosen, options.jobs)
    sys.stdout.write(f"\n{table(trials)}\n")
    return 0 if all(trial.fate == Fate.KILLED for trial in trials) else 1


def _parsed(arguments: Sequence[str]) -> Namespace:
    parser = ArgumentParser(prog="python -m tests.mutants.run", description="Show that the tests notice each mutant.")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="mutants of tests/mutants/mutants.toml; all by default"
    )
    parser.add_argument("--jobs", type=int, default=1, help="how many are tried at the same time")
    return parser.parse_args(arguments)


def try_all(mutants: Sequence[Mutant], jobs: int) -> list[Trial]:
    """Try all, those with the same tests one after the other: their tests run once without a fault."""
    groups: dict[tuple[str, ...], list[Mutant]] = {}
    for mutant in mutants:
        groups.setdefault(mutant.tests, []).append(mutant)
    with ExitStack() as opened, ThreadPoolExecutor(jobs) as pool:
        places: SimpleQueue[Place] = SimpleQueue()
        for _ in range(min(jobs, len(groups))):
            places.put(opened.enter_context(opened_place()))
        return list(chain.from_iterable(pool.map(partial(_try_group, places), groups.values())))


def _try_group(places: "SimpleQueue[Place]", mutants: Sequence[Mutant]) -> list[Trial]:
    place = places.get()
    try:
        without = run_tests(place, mutants[0].tests)
        return [_try(place, mutant, without) for mutant in mutants]
    finally:
        places.put(place)


def _try(place: Place, mutant: Mutant, without: Ended) -> Trial:
    with_fault = run_tests(place, mutant.tests, mutant) if without.is_green else NOT_ASKED
    trial = judged(mutant, without, with_fault)
    sys.stdout.write(f"{trial} ({trial.seconds:.0f} s, without the mutant {without.seconds:.0f} s)\n")
    sys.stdout.write(f"{trial.output}\n" if trial.output else "")
    sys.stdout.flush()
    return trial


def table(trials: Sequence[Trial]) -> str:
    """Return one line a mutant: name, room, fate, what killed it, seconds."""
    rows = [("mutant", "room", "fate", "killed by", "seconds")]
    rows += [(one.mutant.name, one.mutant.room, one.fate, one.by, f"{one.seconds:.0f}") for one in trials]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    dead = sum(trial.fate == Fate.KILLED for trial in trials)
    return "\n".join([*lines, f"{dead} of {len(trials)} mutants are dead"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
