"""Domain dominance: from which of two domains a pair takes its traits (Cao et al. 2022, 5.2, Q2; Tables A8, A9)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from plumbline.spec.measure import Measure
from workers.analyses.intersections.agreement import Agreement
from workers.analyses.intersections.members import Indices, Members
from workers.analyses.intersections.order import measure_of
from workers.statistics.crossed import Crossed, crossed_mean
from workers.statistics.resampling import Resampling
from workers.statistics.units import Floats

LEAST = 0.1
"""The smallest difference at which one domain dominates another."""
# Printed values have three digits. A difference of 0.1 must not be lost to rounding.
ROUNDING = 1e-9
COUNTED = "a count of domains: no sampling"


@dataclass(frozen=True, slots=True)
class Domains:
    """The pairs between two domains: taus with the component from each, [pairs], and the groups on both sides."""

    one: str
    other: str
    with_one: Floats
    with_other: Floats
    pairs: Crossed


def domain_dominance(domains: Sequence[str], members: Members, taus: Agreement, how: Resampling) -> list[Measure]:
    """Return the mean taus of each two domains with their difference, and how many domains each dominates.

    `domains` [groups] is the domain of each group of the run. Groups without a domain and pairs within a domain are
    left out.
    """
    found, differences = [], {}
    for between in _between(domains, members, taus):
        named = {"statistic": "domain_agreement", "condition": "model"}
        agreements = ((between.one, between.other, between.with_one), (between.other, between.one, between.with_other))
        for one, other, values in agreements:
            mean = crossed_mean(values, between.pairs, how)
            found.append(measure_of(mean, **named, group_a=one, group_b=other))
        difference = crossed_mean(between.with_one - between.with_other, between.pairs, how, test=True)
        differences[between.one, between.other] = difference.value
        key = {"statistic": "domain_dominance", "group_a": between.one, "group_b": between.other}
        found.append(measure_of(difference, **key, condition="model"))
    return found + _counts(differences)


def dominated(differences: Mapping[tuple[str, str], float]) -> dict[str, list[str]]:
    """Return the domains that each domain dominates, from mean tau(AB, A) - mean tau(AB, B) by (A, B)."""
    found: dict[str, list[str]] = {domain: [] for pair in differences for domain in pair}
    for (one, other), difference in differences.items():
        if difference >= LEAST - ROUNDING:
            found[one].append(other)
        elif -difference >= LEAST - ROUNDING:
            found[other].append(one)
    return found


def _between(domains: Sequence[str], members: Members, taus: Agreement) -> list[Domains]:
    """Return each two domains that have pairs, in the order of the run's groups."""
    names = list(dict.fromkeys(domain for domain in domains if domain))
    number = {domain: index for index, domain in enumerate(names)}
    strata = np.array([number.get(domain, len(names)) for domain in domains], dtype=np.intp)
    found = []
    for one, other in combinations(range(len(names)), 2):
        for_one = _component(members, strata, one, other)
        for_other = _component(members, strata, other, one)
        which = for_one >= 0
        if which.any():
            is_first = members.first[which] == for_one[which]
            with_one = np.where(is_first, taus.first[which], taus.second[which])
            with_other = np.where(is_first, taus.second[which], taus.first[which])
            pairs = Crossed(for_one[which], for_other[which], strata)
            found.append(Domains(names[one], names[other], with_one, with_other, pairs))
    return found


def _component(members: Members, strata: Indices, own: int, other: int) -> Indices:
    """Return the component in `own` of each pair between the two domains; -1 for all other pairs."""
    first, second = strata[members.first], strata[members.second]
    found = np.where((first == own) & (second == other), members.first, -1)
    return np.where((second == own) & (first == other), members.second, found)


def _counts(differences: Mapping[tuple[str, str], float]) -> list[Measure]:
    """Return how many domains each dominates and is dominated by (Table A8 as numbers)."""
    known = {pair: value for pair, value in differences.items() if not np.isnan(value)}
    beats = dominated(known)
    return [
        Measure(
            statistic="domains_dominated",
            unit="domain",
            n=(compared := sum(domain in pair for pair in known)),
            n_units=compared,
            value=float(count),
            group_a=domain,
            condition=condition,
            reason=COUNTED,
        )
        for domain, others in beats.items()
        for condition, count in (
            ("dominates", len(others)),
            ("dominated", sum(domain in theirs for theirs in beats.values())),
        )
    ]
