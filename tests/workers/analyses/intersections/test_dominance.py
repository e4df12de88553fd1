"""Domain dominance, against the paper's printed tables and a case worked by hand."""

import csv
from pathlib import Path

import numpy as np
import pytest

from workers.analyses.intersections.agreement import Agreement
from workers.analyses.intersections.dominance import domain_dominance, dominated
from workers.analyses.intersections.members import Members
from workers.statistics.crossed import ONE_GROUP
from workers.statistics.resampling import Resampling

HOW = Resampling(seed=0, resamples=200, permutations=999, level=0.95)
# Cao et al. 2022, Table A8, the column "Dominates".
PRINTED = {
    "age": {"gender", "race", "nationality", "politics", "religion", "socio-economic"},
    "politics": {"nationality", "socio-economic", "disability"},
    "gender": {"race", "nationality"},
    "disability": {"race", "nationality"},
    "socio-economic": {"race", "nationality"},
    "religion": {"politics"},
    "race": set(),
    "nationality": set(),
}


def test_the_printed_correlations_give_the_printed_dominance_but_for_age_over_religion() -> None:
    with Path(__file__).with_name("table_a9.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    differences = {(row["one"], row["other"]): float(row["with_one"]) - float(row["with_other"]) for row in rows}
    assert differences["age", "religion"] == pytest.approx(0.053)
    found = {domain: set(others) for domain, others in dominated(differences).items()}
    assert found == PRINTED | {"age": PRINTED["age"] - {"religion"}}


def test_a_difference_of_exactly_the_threshold_dominates() -> None:
    assert dominated({("a", "b"): 0.433 - 0.333})["a"] == ["b"]


def test_both_orders_of_a_pair_count_for_the_domain_of_the_component() -> None:
    """Groups 0, 1 of Age and 2, 3 of Race; pairs take after Age by 0.6 and after Race by 0.2, wherever these stand."""
    pairs = [(0, 2), (2, 0), (1, 3), (3, 1), (0, 1)]
    first, second = (np.array(side) for side in zip(*pairs, strict=True))
    members = Members(
        np.arange(4, 9), first, second, np.array([1, 0, 3, 2, -1]), np.arange(4), (), np.zeros(5, dtype=bool)
    )
    with_first = np.where(first < 2, 0.6, 0.2)
    with_second = np.where(second < 2, 0.6, 0.2)
    taus = Agreement(with_first, with_second, np.full(5, np.nan), np.full(5, np.nan))
    found = domain_dominance(["Age", "Age", "Race", "Race", *[""] * 5], members, taus, HOW)
    told = {(one.statistic, one.group_a, one.group_b, one.condition): one for one in found}
    assert told["domain_agreement", "Age", "Race", "model"].value == pytest.approx(0.6)
    assert told["domain_agreement", "Race", "Age", "model"].value == pytest.approx(0.2)
    difference = told["domain_dominance", "Age", "Race", "model"]
    assert difference.value == pytest.approx(0.4)
    assert difference.p_value == 0.5
    # The pair within Age takes no part.
    assert (difference.n, difference.n_units, difference.unit) == (4, 4, "component group")
    assert told["domains_dominated", "Age", "", "dominates"].value == 1
    assert told["domains_dominated", "Race", "", "dominated"].value == 1
    assert len(found) == 7


def test_a_domain_of_one_group_has_no_interval() -> None:
    members = Members(
        np.array([2]), np.array([0]), np.array([1]), np.array([-1]), np.arange(2), (), np.zeros(1, dtype=bool)
    )
    taus = Agreement(np.array([0.5]), np.array([0.1]), np.array([np.nan]), np.array([np.nan]))
    found = domain_dominance(["Age", "Race", "Age x Race"], members, taus, HOW)
    assert {one.reason for one in found if one.statistic == "domain_dominance"} == {ONE_GROUP}
