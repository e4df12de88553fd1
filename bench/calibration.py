"""Do verdicts hold at the rate that they claim? Simulations of the tests and intervals behind them.

    python bench/calibration.py [--csv FILE] [--simulations 4000] [--seed 0]

Scores are simulated with the variance components that the bundled models had in the starter plans, at the sizes of
these plans. One row a verdict and scenario: the share of true nulls that are rejected, with the margin off
(type_1_error), how often the 95% interval holds the truth (coverage), how often an effect of two smallest effects is
found (power), and how often `present` is printed for true effects of 0, half, one and two smallest effects. `exempt`
says why a row may cover more than 0.97. The bounds stand in docs/methods.md, "How conclusions are drawn".
"""

import argparse
import csv
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy import stats

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / part) for part in ("platform", ".")]

from plumbline.spec.verdicts import SMALLEST_EFFECTS, Scale, Verdict  # noqa: E402
from workers.statistics import estimate_cells  # noqa: E402
from workers.statistics.crossed_means import crossed_mean_of_table  # noqa: E402
from workers.statistics.verdicts import Effects, judge  # noqa: E402

Floats = npt.NDArray[np.float64]
MARGIN = SMALLEST_EFFECTS[Scale.LOG]
FACTORS = (0.0, 0.5, 1.0, 2.0)
FEWEST = 4000


@dataclass(frozen=True)
class Components:
    """Standard deviations of a difference between two groups, in natural logarithms."""

    kind: float
    frame: float
    word: float
    word_kind: float


@dataclass(frozen=True)
class Row:
    probe: str
    verdict: str
    scenario: str
    simulations: int
    type_1_error: float | None
    coverage: float | None
    power: float | None
    exempt: str
    present_at_0: float | None = None
    present_at_half: float | None = None
    present_at_1: float | None = None
    present_at_2: float | None = None
    absent_at_margin: float | None = None


@dataclass(frozen=True)
class Found:
    """Arrays [simulations]."""

    p_value: Floats
    equivalence_p: Floats
    value: Floats
    low: Floats
    high: Floats
    units: int
    least_p: float


Simulate = Callable[[float, np.random.Generator, int], Found]
"""Of a true effect."""


def of_words(parts: Components, kinds: Sequence[int]) -> Simulate:
    """One word in each simulation: `kinds` has the number of frames of each kind of sentence."""
    numbers = np.repeat(np.arange(len(kinds)), kinds)

    def simulate(effect: float, random: np.random.Generator, size: int) -> Found:
        spread = np.hypot(parts.kind, parts.word_kind)
        values = effect + spread * random.normal(size=(size, len(kinds)))[:, numbers]
        values += parts.frame * random.normal(size=values.shape)
        found = estimate_cells(values, numbers, seed=0, family=np.arange(size), margin=MARGIN)
        least = float(found.least_p[0])
        return Found(found.p_value, found.equivalence_p, found.value, found.ci_low, found.ci_high, len(kinds), least)

    return simulate


def of_lists(parts: Components, words: int, kinds: int) -> Simulate:
    """One list of words in each simulation, all in the same kinds of sentence."""

    def simulate(effect: float, random: np.random.Generator, size: int) -> Found:
        rows = []
        for _ in range(size):
            table = effect + parts.word * random.normal(size=(words, 1)) + parts.kind * random.normal(size=(1, kinds))
            table += np.hypot(parts.word_kind, parts.frame) * random.normal(size=(words, kinds))
            one = crossed_mean_of_table(table, margin=MARGIN)
            rows.append((one.p_value, one.equivalence_p, one.value, one.ci_low, one.ci_high))
        p, equivalence, value, low, high = np.array(rows).T
        return Found(p, equivalence, value, low, high, min(words, kinds), 0.0)

    return simulate


def of_shares(words: int, kinds: int, spread: float) -> Simulate:
    """A preference share: whether a word leans to the first target in a kind; the effect is added to one half."""

    def simulate(effect: float, random: np.random.Generator, size: int) -> Found:
        rows = []
        for _ in range(size):
            latent = spread * (random.normal(size=(words, 1)) + random.normal(size=(1, kinds)))
            scale = np.sqrt(1 + 2 * spread**2)
            # The threshold that gives a share of 1/2 + effect over words and kinds.
            table = (latent + random.normal(size=(words, kinds)) > scale * stats.norm.isf(0.5 + effect)).astype(float)
            one = crossed_mean_of_table(table, null=0.5, margin=0.05)
            rows.append((one.p_value, one.equivalence_p, one.value - 0.5, one.ci_low - 0.5, one.ci_high - 0.5))
        p, equivalence, value, low, high = np.array(rows).T
        return Found(p, equivalence, value, low, high, min(words, kinds), 0.0)

    return simulate


def verdicts(found: Found, margin: float) -> list[Verdict]:
    """Each simulation judged alone."""
    size = len(found.value)
    effects = Effects(
        found.value,
        found.p_value,
        found.equivalence_p,
        np.full(size, found.least_p),
        np.full(size, margin),
        np.full(size, found.units),
        np.arange(size).astype(str),
    )
    return list(judge(effects).verdict)


def row(
    probe: str, verdict: str, scenario: str, simulate: Simulate, size: int, random: np.random.Generator,
    margin: float = MARGIN, exempt: str = "",
) -> Row:  # fmt: skip
    by_factor = {factor: simulate(factor * margin, random, size) for factor in FACTORS}
    null, at_margin = by_factor[0.0], by_factor[1.0]
    present = {
        factor: float(np.mean([one == Verdict.PRESENT for one in verdicts(found, margin)]))
        for factor, found in by_factor.items()
    }
    covered = [
        np.mean((found.low <= factor * margin) & (factor * margin <= found.high)) for factor, found in by_factor.items()
    ]
    return Row(
        probe,
        verdict,
        scenario,
        size,
        float(np.mean(null.p_value < 0.05)),
        float(np.mean(covered)),
        present[2.0],
        exempt,
        present[0.0],
        present[0.5],
        present[1.0],
        present[2.0],
        float(np.mean([one == Verdict.ABSENT for one in verdicts(at_margin, margin)])),
    )


def family_row(parts: Components, kinds: int, members: int, size: int, random: np.random.Generator) -> Row:
    """The false discovery rate where one member in ten is real, filtered by the margin before the correction."""
    real = max(1, members // 10)
    truth = np.zeros(members)
    truth[:real] = 3 * MARGIN
    false, found_real = [], []
    for _ in range(size):
        spread = np.hypot(parts.kind, parts.word_kind)
        values = truth[:, None] + spread * random.normal(size=(members, kinds))
        one = estimate_cells(values, seed=0, margin=MARGIN)
        effects = Effects(
            one.value, one.p_value, one.equivalence_p, one.least_p, np.full(members, MARGIN), one.n_units,
            np.full(members, ""),
        )  # fmt: skip
        present = np.array([verdict == Verdict.PRESENT for verdict in judge(effects).verdict])
        false.append(present[real:].sum() / max(present.sum(), 1))
        found_real.append(present[:real].mean())
    told = f"{members} words, {kinds} kinds, one in ten real"
    return Row(
        "log_probability", "present in its family", told, size,
        float(np.mean(false)), None, float(np.mean(found_real)), "",
    )  # fmt: skip


def rows(size: int, seed: int) -> Iterator[Row]:
    random = np.random.default_rng(seed)
    published = [5, 3, 1, 3, 16, 5, 1, 2]
    for model, parts in MEASURED.items():
        yield row(
            "log_probability", "difference on a word", f"{model}, 12 kinds", of_words(parts, [1] * 12), size, random
        )
        yield row(
            "ilps_chain, set", "difference on a word", f"{model}, 26 kinds of the ABC plans",
            of_words(parts, [*published, *[1] * 18]), size, random,
        )  # fmt: skip
        for words, kinds in ((32, 12), (7, 7)):
            told = f"{model}, {words} words, {kinds} kinds"
            yield row("association", "difference over a list", told, of_lists(parts, words, kinds), size, random)
        yield family_row(parts, 12, 96, size, random)
    yield row(
        "log_probability", "preference share", "96 families, 12 kinds", of_shares(96, 12, 0.5), size, random,
        margin=SMALLEST_EFFECTS[Scale.RATE],
    )  # fmt: skip


MEASURED = {
    "masked-demo": Components(kind=0.15, frame=0.12, word=0.37, word_kind=0.16),
    "smollm2-135m": Components(kind=0.70, frame=0.85, word=0.43, word_kind=0.39),
}
"""Of women minus men in the plans "gender over occupations and ABC adjectives", means over their two lists."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--simulations", type=int, default=FEWEST)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    found = []
    for one in rows(asked.simulations, asked.seed):
        found.append(one)
        figures = "  ".join(f"{name} {value:.3f}" for name, value in asdict(one).items() if isinstance(value, float))
        print(f"{one.probe}: {one.verdict} ({one.scenario}): {figures}", flush=True)
    if asked.csv:
        with asked.csv.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, [field.name for field in fields(Row)])
            writer.writeheader()
            writer.writerows(asdict(one) for one in found)


if __name__ == "__main__":
    main()
