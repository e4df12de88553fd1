"""Do verdicts hold at the rate that they claim? Simulations of the tests and intervals behind them.

    python bench/calibration.py [--csv FILE] [--simulations 4000] [--only PROBE ...] [--seed 0] [--processes 1]

Data are simulated at the sizes of the starter plans, and what the product's own functions find in them is compared with
the truth. One row a verdict and scenario: the share of true nulls that are rejected, with the margin off
(type_1_error; of families the false discovery rate), how often the 95% interval holds the truth (coverage: that of the
true effect where it is farthest from 0.95), how often an effect of two smallest effects is found (power), and how often
`present` is printed for true effects of 0, half, one and two smallest effects, and `absent` for one. `exempt` says why
a row may cover more than 0.97. The bounds are in docs/methods.md, "How conclusions are drawn"; a row that breaks one
is named on stderr. `--only` takes modules of bench/simulations. Rows do not depend on `--processes`; each of them
computes with one thread, since threads would wait for one another over matrices as small as these.
"""

import argparse
import csv
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, fields
from functools import partial
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / part) for part in ("platform", ".")]

from bench.simulations import (  # noqa: E402
    alignment,
    association,
    bbq,
    before_after,
    changes,
    families,
    gap,
    indirect,
    intersections,
    method_agreement,
    pairs,
    perplexity,
    question_accuracy,
    sodapop,
    sodapop_changes,
    word_sets,
)
from bench.simulations.bounds import faults  # noqa: E402
from bench.simulations.scenarios import Row, Simulated, random_of  # noqa: E402
from workers.statistics.threads import one_thread  # noqa: E402

PROBES = {
    one.__name__.rpartition(".")[2]: one.scenarios
    for one in (
        association,
        bbq,
        sodapop,
        sodapop_changes,
        indirect,
        gap,
        pairs,
        perplexity,
        before_after,
        changes,
        question_accuracy,
        alignment,
        word_sets,
        intersections,
        method_agreement,
        families,
    )
}
FEWEST = 4000


def rows(probes: Sequence[str], size: int, seed: int, processes: int = 1) -> Iterator[Row]:
    """The rows of these probes; each has random numbers of its own, so that a row is the same in any selection."""
    places = [(probe, place) for probe in probes for place, _ in enumerate(PROBES[probe]())]
    row = partial(_row_at, size=size, seed=seed)
    if processes == 1:
        yield from map(row, places)
    else:
        with ProcessPoolExecutor(processes) as pool:
            yield from pool.map(row, places)


def _row_at(place: tuple[str, int], size: int, seed: int) -> Row:
    """The row of one of a probe's scenarios, as any process can make it: a scenario itself cannot be sent to one."""
    probe, number = place
    with one_thread():
        return _row(list(PROBES[probe]())[number], size, seed)


def _row(scenario: Simulated, size: int, seed: int) -> Row:
    """A row, and a line about it on stderr."""
    began = time.process_time()
    row = scenario.row(size, random_of(scenario.name, seed))
    figures = "  ".join(f"{name} {value:.3f}" for name, value in row.figures.items())
    broken = "".join(f"  OUT OF BOUNDS: {fault}" for fault in faults(row))
    print(f"{time.process_time() - began:6.1f} s  {scenario.name}: {figures}{broken}", file=sys.stderr, flush=True)
    return row


def write(file: Path, found: Iterable[Row]) -> Iterator[Row]:
    """Pass the rows on, and write each into a CSV table when it comes; what does not apply is empty."""
    with file.open("w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, [field.name for field in fields(Row)])
        writer.writeheader()
        for row in found:
            writer.writerow(asdict(row) | {name: f"{value:.4f}" for name, value in row.figures.items()})
            out.flush()
            yield row


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status 0 if all rows keep their bounds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--simulations", type=int, default=FEWEST)
    parser.add_argument("--only", nargs="+", choices=PROBES, default=list(PROBES), metavar="PROBE")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=1)
    asked = parser.parse_args(arguments)
    found = rows(asked.only, asked.simulations, asked.seed, asked.processes)
    kept = [not faults(row) for row in (write(asked.csv, found) if asked.csv else found)]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    raise SystemExit(main())
