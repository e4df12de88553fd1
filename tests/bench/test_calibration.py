"""The calibration table: every probe has its rows, its columns are as documented, and a bad test is found out."""

import csv
from pathlib import Path

import numpy as np
import pytest

from bench.calibration import PROBES, main, rows
from bench.simulations import alignment
from bench.simulations.bounds import faults
from bench.simulations.outcomes import Found, found_of
from bench.simulations.scenarios import Row, Scenario
from plumbline.methods.pairs.scores import OF_KIND
from plumbline.spec.registry import PROBES as METHODS
from workers.statistics.correlations.rank_agreement import kendall_tau
from workers.statistics.permutation_tests.exchanged_rows import exchanged_taus

COLUMNS = ["probe", "verdict", "scenario", "simulations", "type_1_error", "coverage", "power", "exempt"]
DOCS = Path(__file__).parents[2] / "docs" / "methods.md"


@pytest.mark.parametrize("probe", PROBES)
def test_every_probe_has_rows_of_shares(probe: str) -> None:
    found = list(rows([probe], 4, seed=0))
    assert len({(row.probe, row.verdict, row.scenario) for row in found}) == len(found) > 0
    for row in found:
        assert row.simulations == 4
        assert row.figures
        assert all(0 <= one <= 1 for one in row.figures.values())


def test_the_table_begins_with_the_documented_columns(tmp_path: Path) -> None:
    main(["--only", "intersections", "--simulations", "8", "--csv", str(tmp_path / "table.csv")])
    with (tmp_path / "table.csv").open(encoding="utf-8") as file:
        header, *table = csv.reader(file)
    assert header[: len(COLUMNS)] == COLUMNS
    assert {row[0] for row in table} == {"intersections"}
    assert f"`{', '.join(COLUMNS)}`" in DOCS.read_text(encoding="utf-8")


def test_a_row_is_the_same_in_any_selection() -> None:
    alone, beside = (list(rows(probes, 8, seed=1)) for probes in (["intersections"], ["word_sets", "intersections"]))
    assert beside[-len(alone) :] == alone


def test_equal_seeds_give_equal_rows_and_others_do_not() -> None:
    first, again, other = (list(rows(["intersections"], 8, seed)) for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize("groups", [2, 7])
def test_the_excess_of_tables_without_ties_is_that_of_the_product(groups: int) -> None:
    scores, ratings = np.random.default_rng(groups).normal(size=(2, groups, 5))
    tau, _ = kendall_tau(scores, ratings)
    (exchanged,) = exchanged_taus(scores, ratings, np.ones((groups, 1)))
    assert alignment.excess(scores, ratings) == pytest.approx(tau - exchanged, abs=1e-6)


def _mean_of_ten(reach: float) -> Scenario:
    """Ten normal values with an interval of so many standard errors, and the p that belongs to it."""

    def simulate(effect: float, random: np.random.Generator, size: int) -> Found:
        values = effect + random.normal(size=(size, 10))
        value, error = values.mean(axis=1), values.std(axis=1, ddof=1) / np.sqrt(10)
        p_value = np.where(np.abs(value) > reach * error, 0.01, 0.5)
        low, high = value - reach * error, value + reach * error
        return found_of(value, low, high, p_value, units=10, truth=effect)

    return Scenario("none", "mean", "ten values", simulate, 0.22)


def test_a_sound_test_keeps_the_bounds_and_a_normal_quantile_for_ten_values_does_not() -> None:
    sound, broken = (_mean_of_ten(reach).row(4000, np.random.default_rng(0)) for reach in (2.262, 1.645))
    assert faults(sound) == []
    assert {fault.split()[0] for fault in faults(broken)} == {"type_1_error", "coverage", "present_at_0"}
    assert sound.coverage == pytest.approx(0.95, abs=0.015)


@pytest.mark.parametrize(
    ("figures", "broken"),
    [
        ({"type_1_error": 0.061}, ["type_1_error 0.061"]),
        ({"type_1_error": 0.02}, ["type_1_error 0.020"]),
        ({"type_1_error": 0.02, "coverage": 0.99, "exempt": "conservative: few successes"}, []),
        ({"coverage": 0.92, "exempt": "conservative: few successes"}, ["coverage 0.920"]),
        ({"coverage": 0.98}, ["coverage 0.980"]),
        ({"absent_at_margin": 0.07}, ["absent_at_margin 0.070"]),
        ({"power": 0.1, "present_at_2": 0.1}, []),
    ],
)
def test_the_bounds(figures: dict[str, float | str], broken: list[str]) -> None:
    assert faults(Row("p", "v", "s", 4000, **figures)) == broken  # type: ignore[arg-type]


def test_a_family_may_be_better_than_its_level() -> None:
    assert faults(Row("p", "present in its family", "s", 4000, type_1_error=0.001)) == []


A_WORD = "difference on a word"
ROWS = {
    **dict.fromkeys(
        (
            *("increased_log_probability", "log_probability_bias", "log_probability_bias_centred", "pair_score"),
            *(
                f"{one}{what}"
                for one in ("ilps", "ilps_chain", "set")
                for what in ("", "_difference", "_difference_centred")
            ),
        ),
        A_WORD,
    ),
    "effect_size": "effect size of two sets",
    "attribute_preference": "preference share",
    "kendall_tau_excess": "agreement with people, T - T0",
    "identity_order": "identity order",
    "domain_dominance": "dominance of a domain",
    "emergent_trait": "emergent trait",
    "ceat": "effect size of a group",
    "ceat_difference": "group against others",
    "combined_effect_size": "combined effect size",
    "p_neither_difference": "difference of P(neither)",
    "p_neither_excess_difference": "difference of the excess",
    "topic_bias_correlation": "correlation with topics",
    "relative_difference": "RD of a word",
    "success_rate_difference": "difference of a word",
    "kmeans_accuracy": "clusters of names",
    "s_amb": "bias score",
    "s_dis": "bias score",
    "accuracy_cost": "accuracy cost",
    "paired_preference": "paired preference",
    "indirect_log_probability_bias": "r, names without groups",
    "within_group_correlation": "within-group r",
    "direct_indirect_correlation": "direct and indirect scores",
    **dict.fromkeys((f"{one}_share" for scores in OF_KIND.values() for one in scores), "share of pairs"),
    "gest_log_g_s": "test of log g_s",
}
"""The row of each statistic with a smallest effect, by its verdict in the table."""
UNTESTED = {"topic_bias"}
"""Statistics with a smallest effect that have no test, and so no verdict."""


def test_every_statistic_with_a_verdict_has_a_row() -> None:
    stated = {one.name for method in METHODS.values() for one in method.card.statistics if one.scale}
    assert stated - UNTESTED == set(ROWS)
    simulated = {scenario.name.partition(": ")[2].partition(" (")[0] for one in PROBES.values() for scenario in one()}
    assert set(ROWS.values()) <= simulated
