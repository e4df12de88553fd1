"""Costs of a mitigation: changes per token of texts of different lengths, and of accuracies by template."""

from collections.abc import Iterator

import numpy as np

from bench.simulations.outcomes import Found, found_of
from bench.simulations.scenarios import COST, Scenario, Simulate, Simulated
from workers.statistics.jackknife import Jackknifed
from workers.statistics.ratio_of_sums import ratio_of_sums
from workers.statistics.units import Floats

TEXTS = (100, 300)
TOKENS = 20
"""The mean length of a text; lengths are log-normal, as those of sentences."""
SKEW = 2.0
"""The shape of the changes of texts: Gamma, as a mitigation hurts some texts much and most of them little."""
BETWEEN = 0.1
"""The standard deviation of the change of a text's log perplexity."""
TEMPLATES, ANSWERS = 20, 40
LOST, PER_TEMPLATE = 0.1, 0.05
"""Answers that a variant changes to the worse or the better, and how far templates differ in it."""


def scenarios() -> Iterator[Simulated]:
    for texts in TEXTS:
        yield Scenario("perplexity", "change of log perplexity", f"{texts} texts", of_texts(texts), COST)
        yield Scenario("perplexity", "change of top-1 accuracy", f"{texts} texts", of_tokens(texts), COST)
    told = f"{TEMPLATES} templates of {ANSWERS} answers"
    yield Scenario("bbq", "change of accuracy", told, of_answers(), COST)


def of_texts(texts: int) -> Simulate:
    """Each text has a change of its own per token, skewed to the worse, and noise that its tokens share."""

    def simulate(effect: float, random: np.random.Generator, runs: int) -> Found:
        sizes = np.ceil(random.lognormal(np.log(TOKENS), 0.5, (runs, texts)))
        skewed = (random.gamma(SKEW, 1.0, (runs, texts)) - SKEW) / np.sqrt(SKEW)
        return _found(sizes * (effect + BETWEEN * skewed), sizes, effect)

    return simulate


def of_tokens(texts: int) -> Simulate:
    """Tokens of a text become right or wrong at the text's own rate."""

    def simulate(effect: float, random: np.random.Generator, runs: int) -> Found:
        sizes = np.ceil(random.lognormal(np.log(TOKENS), 0.5, (runs, texts)))
        own = effect + PER_TEMPLATE * random.normal(size=sizes.shape)
        better, worse = (random.binomial(sizes.astype(int), np.clip(LOST + s * own / 2, 0, 1)) for s in (1, -1))
        return _found((better - worse).astype(np.float64), sizes, effect)

    return simulate


def of_answers() -> Simulate:
    """Answers of a template change to the better or the worse at the template's own rate."""

    def simulate(effect: float, random: np.random.Generator, runs: int) -> Found:
        own = effect + PER_TEMPLATE * random.normal(size=(runs, TEMPLATES))
        better = random.binomial(ANSWERS, np.clip(LOST + own / 2, 0, 1))
        worse = random.binomial(ANSWERS, np.clip(LOST - own / 2, 0, 1))
        return _found((better - worse).astype(np.float64), np.full((runs, TEMPLATES), float(ANSWERS)), effect)

    return simulate


def _found(values: Floats, sizes: Floats, effect: float) -> Found:
    found = [ratio_of_sums(one, size, margin=COST) for one, size in zip(values, sizes, strict=True)]
    value, low, high, p_value, equivalence_p = np.array([_figures(one) for one in found]).T
    return found_of(value, low, high, p_value, equivalence_p, units=values.shape[1], truth=effect)


def _figures(one: Jackknifed) -> tuple[float, ...]:
    return one.value, one.low, one.high, one.p_value, one.equivalence_p
