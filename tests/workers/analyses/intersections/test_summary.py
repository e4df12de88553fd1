"""Identity order and emergent traits of small runs worked out by hand."""

from typing import cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.spec.association import AssociationSpec
from plumbline.spec.audit import parse
from plumbline.spec.content import Attribute, Group
from plumbline.spec.materials import Materials
from plumbline.spec.measure import Measure
from plumbline.spec.registry import PROBES
from plumbline.spec.verdicts import Verdict
from workers.analyses.intersections.agreement import greater_of_two
from workers.analyses.intersections.members import is_lexical
from workers.analyses.intersections.order import LEXICAL
from workers.analyses.intersections.summary import intersections
from workers.statistics.units import Floats

NAN = np.nan
SPEC = cast(
    "AssociationSpec",
    parse(
        {
            "name": "test",
            "probe": "ilps_chain",
            "model": "path:./model",
            "groups": {"inline": ["a"]},
            "prior": {"mask": "one"},
            "attributes": {"inline": ["b"]},
            "templates": {"inline": ["{Group} are {attribute}."]},
            "params": {"resamples": 100, "permutations": 99},
        }
    ),
)
WORDS = tuple(
    Attribute(text=text, pole=pole, pair=pair, dimension=dimension)
    for pair, dimension in (("weak - strong", "Agency"), ("cold - warm", "Communion"), ("sly - honest", "Communion"))
    for text, pole in zip(pair.split(" - "), ("left", "right"), strict=True)
)
SINGLES = tuple(
    Group(label=label, domain=domain) for label, domain in (("A", "One"), ("B", "Other"), ("C", "One"), ("D", "Other"))
)


def pair(*components: str, emergent: tuple[str, ...] = ()) -> Group:
    return Group(label="".join(components), plural=" ".join(components), components=components, emergent=emergent)


def measures(groups: tuple[Group, ...], scores: Floats, words: tuple[Attribute, ...] = WORDS) -> list[Measure]:
    """Scores [groups, attributes], the same in each of eight kinds of sentence."""
    materials = Materials(tuple("abcdefgh"), groups, words, ("traits",) * len(words))
    return intersections(SPEC, materials, np.repeat(scores[None], 8, axis=0), np.arange(8))


def one(found: list[Measure], **labels: str) -> Measure:
    matching = [measure for measure in found if all(getattr(measure, key) == label for key, label in labels.items())]
    assert len(matching) == 1
    return matching[0]


def right_poles(*rows: tuple[float, float, float]) -> Floats:
    """Scores in which the left poles are 0, so that a pair of opposites has the score of its right pole."""
    return np.array([[value for right in row for value in (0.0, right)] for row in rows])


ORDER = right_poles((1, 2, 3), (3, 2, 1), (1, 3, 2), (2, 1, 3), (1, 2, 4), (3, 1, 2))
"""A, B, C, D, then AB, which has A's order, and BA, which differs from B by one swap."""


def test_a_run_without_pairs_has_no_such_measures() -> None:
    assert measures(SINGLES, np.zeros((4, 6))) == []


def test_a_pair_is_compared_with_its_components_and_its_other_order() -> None:
    found = measures((*SINGLES, pair("A", "B"), pair("B", "A")), ORDER)
    taus = {(m.group_a, m.group_b): m.value for m in found if m.statistic == "identity_order" and m.group_a}
    expected = {("AB", "A"): 1, ("AB", "B"): -1, ("BA", "B"): 1 / 3, ("BA", "A"): -1 / 3}
    expected |= {("AB", "BA"): -1 / 3, ("BA", "AB"): -1 / 3}
    assert taus == pytest.approx(expected)
    overall = {(m.category, m.condition): m.value for m in found if m.statistic == "identity_order" and not m.group_a}
    assert overall["nearer component", "model"] == pytest.approx((1 + 1 / 3) / 2)
    assert overall["first component", "model"] == pytest.approx((1 + 1 / 3) / 2)
    assert overall["second component", "model"] == pytest.approx((-1 - 1 / 3) / 2)
    assert overall["second - first component", "model"] == pytest.approx(-4 / 3)
    # AB has tau 1/3 with C and with D; BA has -1 with C and 1/3 with D: the greater is 1/3 for both.
    assert overall["nearer component", "chance"] == pytest.approx(1 / 3)


def test_comparisons_of_orders_use_pairs_with_both_orders() -> None:
    found = measures((*SINGLES, pair("A", "B")), ORDER[:5])
    for category in ("first component", "second component", "second - first component", "other order"):
        missing = one(found, statistic="identity_order", category=category, group_a="")
        assert (missing.value, missing.reason) == (None, "no pair stands in the run in both orders")
    nearer = one(found, statistic="identity_order", category="nearer component", condition="model")
    assert (nearer.value, nearer.n, nearer.n_units, nearer.unit) == (1.0, 1, 2, "component group")


def test_a_pair_with_a_word_of_its_own_has_no_order_and_counts_elsewhere() -> None:
    own = Group(label="Latinas", singular="Latina", components=("A", "B"))
    found = measures((*SINGLES, own, pair("B", "A")), ORDER)
    for category in ("first component", "second component", "second - first component", "other order"):
        assert one(found, statistic="identity_order", category=category, group_a="").value is None
    assert one(found, category="nearer component", condition="model").n == 2
    assert one(found, statistic="domain_dominance").n == 2
    (told,) = (m for m in found if m.statistic == "identity_order" and m.group_a == "Latinas")
    assert (told.value, told.reason) == (None, LEXICAL)


@pytest.mark.parametrize(
    ("label", "first", "second", "own"),
    [
        ("Asian women", ("Asian people", "Asian person"), ("women", "woman"), False),
        ("teenagers with disabilities", ("teenagers", "teenager"), ("people with disabilities", ""), False),
        ("gay Christians", ("gay men", "gay man"), ("Christians", "Christian"), False),
        ("Latinas", ("Hispanic people", "Hispanic person"), ("women", "woman"), True),
        ("businesswomen", ("businesspeople", ""), ("women", "woman"), True),
    ],
)
def test_a_word_of_its_own_holds_neither_component(
    label: str, first: tuple[str, str], second: tuple[str, str], own: bool
) -> None:
    components = (Group(label=name, singular=singular) for name, singular in (first, second))
    assert is_lexical(Group(label=label), *components) == own


def test_a_pair_without_its_components_is_reported_with_the_reason() -> None:
    found = measures((SINGLES[0], pair("A", "B")), np.zeros((2, 6)))
    told = one(found, group_a="AB")
    assert (told.value, told.n, told.reason) == (None, 0, "the run has no group B")
    assert not [measure for measure in found if measure.statistic == "emergent_trait"]


def test_an_emergent_trait_is_beyond_both_components() -> None:
    scores = np.zeros((5, 6))
    scores[0, :3], scores[1, :3], scores[4, :3] = (1, 1, 5), (2, 3, 2), (5, 2, 1)
    found = [m for m in measures((*SINGLES, pair("A", "B")), scores) if m.statistic == "emergent_trait"]
    assert [(m.condition, m.attribute, m.value, m.group_b) for m in found] == [
        ("above", "weak", 3.0, "B"),
        ("below", "cold", 1.0, "B"),
    ]
    above = found[0]
    assert (above.p_value, above.n, above.n_units, above.unit) == (2**-7, 8, 8, "kind of sentence")
    assert (above.ci_low, above.ci_high) == (None, None)  # all kinds of sentence agree


def test_q_is_over_all_cells_and_not_only_the_reported_ones() -> None:
    scores = np.zeros((5, 6))
    scores[4, 0] = 1.0
    above = one(measures((*SINGLES, pair("A", "B")), scores), statistic="emergent_trait")
    assert above.q_value == pytest.approx(6 * 2**-7)
    assert above.verdict == Verdict.PRESENT


def test_emergent_traits_are_held_against_the_curated_list() -> None:
    """Listed: weak and both left poles of Communion. Above: weak, cold and honest. Two of three, either way."""
    scores = np.zeros((5, 6))
    scores[4] = (1, -1, 1, -1, -1, 1)
    found = measures((*SINGLES, pair("A", "B", emergent=("Weak", "low communion", "shiny"))), scores)
    told = {(m.statistic, m.condition): m for m in found if m.statistic.startswith("emergent_") and not m.group_a}
    assert told["emergent_precision", "model"].value == pytest.approx(2 / 3)
    assert told["emergent_recall", "model"].value == pytest.approx(2 / 3)
    assert told["emergent_precision", "chance"].value == pytest.approx(3 / 6)
    assert told["emergent_recall", "chance"].value == pytest.approx(3 / 6)
    assert all("shiny" in measure.reason for measure in told.values())


def test_a_list_is_asked_about_the_dimensions_that_it_names() -> None:
    scores = np.zeros((5, 6))
    scores[4] = (1, 1, 1, 1, 1, 1)
    found = measures((*SINGLES, pair("A", "B", emergent=("weak",))), scores)
    assert one(found, statistic="emergent_precision", condition="model").value == pytest.approx(1 / 2)


def test_attributes_that_are_no_opposites_are_traits_by_themselves() -> None:
    words = tuple(Attribute(text=text) for text in "pqr")
    scores = np.array([(1, 2, 3), (3, 2, 1), (1, 3, 2), (2, 1, 3), (1, 2, 4)], dtype=float)
    found = measures((*SINGLES, pair("A", "B")), scores, words)
    assert one(found, group_a="AB", group_b="A", statistic="identity_order").value == 1.0


def test_what_cannot_be_scored_takes_no_part() -> None:
    scores = ORDER[:5].copy()
    scores[4] = NAN
    found = measures((*SINGLES, pair("A", "B")), scores)
    assert one(found, group_a="AB", group_b="A").value is None
    assert not [measure for measure in found if measure.statistic == "emergent_trait"]


def test_every_measure_is_on_the_card() -> None:
    found = measures((*SINGLES, pair("A", "B", emergent=("weak",)), pair("B", "A")), ORDER)
    named = {statistic.name for statistic in PROBES["ilps_chain"].card.statistics}
    assert {measure.statistic for measure in found} <= named
    assert all(measure.reason for measure in found if measure.p_value is None)


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=7))
def test_the_greater_of_two_is_the_mean_over_all_twos(values: list[float]) -> None:
    twos = [max(a, b) for at, a in enumerate(values) for b in values[at + 1 :]]
    assert greater_of_two(np.array([[*values, NAN]]))[0] == pytest.approx(np.mean(twos))
