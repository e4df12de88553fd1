"""Bias scores of answers: whole templates are the units, and of few errors little is known."""

from collections.abc import Callable, Iterator

import numpy as np

from bench.simulations.measured import ANSWERS, ASKED, CHOICE, Answers
from bench.simulations.outcomes import Found, batches, found_of, found_of_estimates, joined
from bench.simulations.scenarios import LOG, RATE, Scenario, Simulate, Simulated
from workers.statistics import estimate_cells
from workers.statistics.rates.bias_scores import AnswerCounts, s_amb, s_dis, score_tests
from workers.statistics.rates.rate_differences import RateDifference, mean_over_strata, rate_differences
from workers.statistics.rates.rate_intervals import rate_interval
from workers.statistics.resampling import Resampling
from workers.statistics.units import Blocks, Floats

HOW = Resampling(resamples=1000)
"""As a plan has it: with fewer resamples the intervals of few templates cover up to 0.02 less."""
FEWER = Resampling(resamples=1000, permutations=199)
"""With fewer flips, which changes no error rate: p counts the observed one among them."""
FEW_EVENTS = "conservative: fewer than five templates with more answers on one side have the limits of their share"
TIES = "conservative: sums of few templates tie, so no test of this size rejects more than 0.025 of true nulls"
ONE_SIDED = "conservative: one-sided, at half of the level"
CHANCE = 1 / 3


def scenarios() -> Iterator[Simulated]:
    for reference, measured in ANSWERS.items():
        for templates in (8, 25):
            told = f"{reference.removeprefix('bundled:')}, {templates} templates"
            exempt = TIES if templates == 8 and not measured.lean_deviation else ""
            yield Scenario("bbq", "bias score", told, of_scores(templates, measured), RATE, exempt)
            simulate = of_preferences(templates, measured.preference_deviation)
            yield Scenario("bbq", "paired preference", told, simulate, LOG)
    for templates in (8, 25):
        told = f"mcq-demo, {templates} templates, disambiguated"
        yield Scenario("bbq", "bias score", told, of_scores(templates, ANSWERS[CHOICE], s_dis), RATE)
    for templates in (25, 80):
        told = f"{templates} templates, few answers name a person"
        yield Scenario("bbq", "bias score", told, of_scores(templates, None), RATE, FEW_EVENTS)
    told = "mcq-demo, 11 categories of 25 templates"
    yield Scenario("bbq", "mean bias score over categories", told, of_categories(11, 25), RATE)
    for told, differ in (("alike", 0.0), ("that differ", 1.0)):
        for templates in (8, 25):
            scenario = f"{templates} templates {told}"
            exempt = TIES if templates == 8 else ""
            yield Scenario("bbq", "accuracy cost", scenario, of_costs(templates, differ), RATE, exempt)
            simulate = of_accuracies(templates, differ)
            yield Scenario("bbq", "accuracy above chance", scenario, simulate, RATE, ONE_SIDED)


def answers(
    random: np.random.Generator, shape: tuple[int, ...], lean: float, measured: Answers | None
) -> tuple[Floats, Floats]:
    """Biased and opposite answers of each template, whose expected score is `lean`.

    Without measured spreads next to all answers are UNKNOWN, and the others sit in a few templates.
    """
    named, first, deviation = 0.02 + lean, 0.1, 0.2
    if measured:
        named, deviation = measured.named, measured.lean_deviation
        first = named * (named * (1 - named) / measured.named_deviation**2 - 1)
    people = random.binomial(ASKED, random.beta(first, first * (1 - named) / named, shape))
    # A Beta distribution on [-1, 1], so that no template leans by more than all of its answers.
    towards = _between(random, lean / named, deviation * (1 - lean / named), shape)
    biased = random.binomial(people, (1 + towards) / 2)
    return biased.astype(np.float64), (people - biased).astype(np.float64)


def _between(random: np.random.Generator, mean: float, deviation: float, shape: tuple[int, ...]) -> Floats:
    """Numbers from -1 to 1 with this mean and deviation."""
    if not deviation:
        return np.full(shape, mean)
    half = (mean + 1) / 2
    parameters = 4 * half * (1 - half) / deviation**2 - 1
    return np.asarray(2 * random.beta(half * parameters, (1 - half) * parameters, shape) - 1)


def of_scores(templates: int, measured: Answers | None, score_of: Callable[[AnswerCounts], Blocks] = s_amb) -> Simulate:
    """Batches, since random flips grow in number with the cells that are tested together."""

    def batch(effect: float, random: np.random.Generator, size: int) -> Found:
        # The score of disambiguated contexts is a share of those that name a person.
        of_all = effect * measured.named if measured and score_of is s_dis else effect
        biased, other = answers(random, (size, templates), of_all, measured)
        score = score_of(AnswerCounts(biased, other, ASKED - biased - other))
        one = score_tests(score, RATE, HOW)
        return found_of(
            score.means, one.ci_low, one.ci_high, one.p_value, one.equivalence_p,
            least_p=one.least_p, units=templates, truth=effect,
        )  # fmt: skip

    def simulate(effect: float, random: np.random.Generator, size: int) -> Found:
        return joined([batch(effect, random, some) for some in batches(size, 240)])

    return simulate


def of_categories(categories: int, templates: int) -> Simulate:
    """The plain mean over categories, each with templates of its own."""

    def one(effect: float, random: np.random.Generator) -> RateDifference:
        biased, other = answers(random, (categories, templates), effect, ANSWERS[CHOICE])
        rows = zip(biased - other, np.full(biased.shape, float(ASKED)), strict=True)
        return mean_over_strata([(Blocks(sums[None], counts[None]),) for sums, counts in rows], FEWER, RATE)

    def simulate(effect: float, random: np.random.Generator, size: int) -> Found:
        return _rates([one(effect, random) for _ in range(size)], effect)

    return simulate


def of_costs(templates: int, differ: float) -> Simulate:
    """Accuracy where the gold is not the biased answer minus that where it is.

    Templates of the bundled models do not differ beyond counting; those that do are an assumption.
    """
    mean = ANSWERS[CHOICE].accuracy

    def simulate(effect: float, random: np.random.Generator, size: int) -> Found:
        shape = (size, templates)
        accuracy = mean + differ * random.uniform(0, 0.4, shape)
        difference = effect + differ * random.uniform(-0.15, 0.15, shape)
        sides = [random.binomial(ASKED // 2, accuracy + half * difference) for half in (0.5, -0.5)]
        first, second = (Blocks(side.astype(np.float64), np.full(shape, ASKED / 2)) for side in sides)
        return _rates(rate_differences(first, second, FEWER, RATE), effect)

    return simulate


def _rates(found: list[RateDifference], effect: float) -> Found:
    numbers = [(one.value, one.ci_low, one.ci_high, one.p_value, one.equivalence_p) for one in found]
    return found_of(*np.array(numbers).T, least_p=found[0].least_p, units=found[0].n_units, truth=effect)


def of_preferences(templates: int, deviation: float) -> Simulate:
    """Leanings in nats with heavy tails."""
    scale = deviation / np.sqrt(5 / 3)  # the deviation of Student's t with 5 degrees of freedom

    def simulate(effect: float, random: np.random.Generator, size: int) -> Found:
        values = effect + scale * random.standard_t(5, size=(size, templates))
        one = estimate_cells(values, seed=0, family=np.arange(size), margin=LOG)
        return found_of_estimates(one, units=templates, truth=effect)

    return simulate


def of_accuracies(templates: int, differ: float) -> Simulate:
    """Whether the lower limit of the accuracy is above chance: that takes the place of a p."""

    def simulate(effect: float, random: np.random.Generator, size: int) -> Found:
        mean, spread = CHANCE + effect, 10.0
        drawn = random.beta(spread * mean, spread * (1 - mean), (size, templates))
        often = mean + differ * (drawn - mean)
        right = Blocks(random.binomial(ASKED, often).astype(np.float64), np.full(often.shape, float(ASKED)))
        low, high = rate_interval(right, seed=0, resamples=HOW.resamples)
        p_value = np.where(low > CHANCE, 0.0, 1.0)
        return found_of(right.means - CHANCE, low - CHANCE, high - CHANCE, p_value, units=templates, truth=effect)

    return simulate
