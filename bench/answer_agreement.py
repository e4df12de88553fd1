"""How often the interval of people's agreement on answers holds the true alpha, by simulation.

    python bench/answer_agreement.py [SIMULATIONS]

Each person names what an answer says, and with a small chance another thing. In the whole population of answers alpha
is 1 - P(two people differ on an answer) / P(two people differ on two answers).
"""

import sys
from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "platform"))

from plumbline.findings.answers.reliability import alpha

PEOPLE, ANSWERS = (2, 3), (10, 20, 50, 100)
SLIPS = (0.002, 0.005, 0.01, 0.02, 0.03, 0.05)
"""The chance that a person names another thing."""
SAID = np.array([0.4, 0.3, 0.2, 0.1])
"""How often answers say each thing."""
Floats = npt.NDArray[np.float64]


def main(simulations: int) -> None:
    print("people answers  alpha  coverage  without a figure")
    lowest = 1.0
    for people, answers, slip in product(PEOPLE, ANSWERS, SLIPS):
        true, (held, undefined) = true_alpha(slip), simulated(people, answers, slip, simulations)
        lowest = min(lowest, held)
        print(f"{people:6} {answers:7} {true:6.3f} {held:9.3f} {undefined:17.3f}", flush=True)
    print(f"lowest coverage {lowest:.3f}, {simulations} simulations of each")


def true_alpha(slip: float) -> float:
    """Return alpha in the population."""
    named = _named(slip)
    differ = 1 - float((SAID[:, None] * named**2).sum())
    return 1 - differ / (1 - float(((SAID @ named) ** 2).sum()))


def simulated(people: int, answers: int, slip: float, simulations: int) -> tuple[float, float]:
    """Return the share of intervals that hold the true alpha, and of samples in which all said the same."""
    random, true = np.random.default_rng(answers), true_alpha(slip)
    found = [alpha(_sample(people, answers, slip, random)) for _ in range(simulations)]
    held = [one.low <= true <= one.high for one in found if one and one.low is not None and one.high is not None]
    return float(np.mean(held)), found.count(None) / simulations


def _sample(people: int, answers: int, slip: float, random: np.random.Generator) -> list[list[int]]:
    named = _named(slip)
    truth = random.choice(len(SAID), size=answers, p=SAID)
    return [random.choice(len(SAID), size=people, p=named[one]).tolist() for one in truth]


def _named(slip: float) -> Floats:
    """Return the chance of each named thing for each thing that an answer says, [said, named]."""
    things = len(SAID)
    return np.full((things, things), slip / (things - 1)) + np.eye(things) * (1 - slip - slip / (things - 1))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
