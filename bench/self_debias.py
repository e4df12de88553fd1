"""What asking with Self-Debias costs, against asking the same model plainly.

    PYTHONPATH=platform:. python bench/self_debias.py [--threads 2] [--rounds 9]

CPU seconds count, because other work may share the machine. Both ways are asked by turns, and the median of the ratios
of neighbours counts.
"""

import argparse
import csv
import os
import statistics
from pathlib import Path

from bench.debiasing import MODEL, asked, loaded, queries_of
from plumbline.spec.self_debias import DECAY, PLACE, SelfDebiasing
from workers.engine.loading import locate, use_threads
from workers.engine.masked import MaskedModel, MaskedQuery
from workers.engine.self_debiased import self_debiased

STARTER = Path(__file__).parents[1] / "platform/plumbline/vocab/starter"


def main() -> None:
    """Print the ratio for one description and for all of a starter list."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, usual in {"threads": 2, "rounds": 9}.items():
        parser.add_argument(f"--{name}", type=int, default=usual)
    options = parser.parse_args()
    use_threads(options.threads)
    print(f"{MODEL}, {options.threads} threads, load {os.getloadavg()[0]:.1f}")
    self_debias(options.rounds)


def self_debias(rounds: int) -> None:
    """Print how many times as long the same queries take with Self-Debias, for one description and for all."""
    rows = csv.DictReader((STARTER / "templates/self-descriptions-gender.csv").open(encoding="utf-8"))
    texts = [row["template"].removesuffix(PLACE).rstrip() for row in rows]
    model = loaded(locate(MODEL))
    for some in (texts[:1], texts):
        other = self_debiased(model, SelfDebiasing(tuple(some), DECAY))
        found = ratio(model, other, queries_of(model), rounds)
        print(f"Self-Debias with {len(some)} descriptions takes {found:.1f} times as long as asking plainly")


def ratio(model: MaskedModel, other: MaskedModel, queries: list[MaskedQuery], rounds: int) -> float:
    """Return how many times as much CPU time the other model takes for the same queries."""
    pairs = [(asked(model, queries), asked(other, queries)) for _ in range(rounds + 1)]
    ratios = [of_other / of_model for of_model, of_other in pairs]  # the first one warms up
    return statistics.median(ratios[1:])


if __name__ == "__main__":
    main()
