"""The page of pairs of groups: identity order, dominance, emergent traits."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape
from pytest_django import DjangoAssertNumQueries

from plumbline.analyses.intersections.tables import Pair, chosen, dominance, emergent, joined, pairs_of_run
from plumbline.audits.models import Run
from plumbline.spec.measure import Measure
from tests.plumbline.methods.conftest import MARKED, PAIRS, MakeRun, See, measured

ORDER = [
    measured("identity_order", 0.7, category="nearer component", condition="model"),
    measured("identity_order", 0.3, category="nearer component", condition="chance"),
    measured("identity_order", 0.4, category="nearer component", condition="model - chance", q_value=0.01),
    measured("identity_order", 0.1, category="second - first component", condition="model", q_value=0.6),
    measured("identity_order", None, group_a="lost pair", reason="the run has no group lost"),
]
DOMAINS = [
    measured("domain_dominance", 0.1, group_a="Gender", group_b="Class", condition="model", q_value=0.01),
    measured("domain_dominance", -0.05, group_a="Gender", group_b="Race", condition="model", q_value=0.5),
    *(
        measured("domains_dominated", count, group_a=domain, condition=condition)
        for domain, dominates, dominated in (("Gender", 1.0, 0.0), ("Class", 0.0, 1.0), ("Race", 0.0, 0.0))
        for condition, count in (("dominates", dominates), ("dominated", dominated))
    ),
]
EMERGENT = [
    measured(
        "emergent_trait", 0.5, group_a="poor men", group_b=MARKED, attribute="warm", condition="above", q_value=0.01
    ),
    measured(
        "emergent_trait", 0.9, group_a="Black men", group_b=MARKED, attribute="cold", condition="above", q_value=0.4
    ),
    measured(
        "emergent_trait", 0.2, group_a="poor men", group_b=MARKED, attribute="cold", condition="below", q_value=0.9
    ),
    measured("ilps", 1.25, group_a=MARKED, attribute="warm"),
    measured("ilps", 7.0, group_a=MARKED, attribute="warm", template="another"),
]
CURATED = [
    measured("emergent_precision", 0.4, condition="model"),
    measured("emergent_precision", 0.3, condition="chance", reason="a guess"),
]


@pytest.fixture
def run(make_run: MakeRun) -> Run:
    return make_run(PAIRS, [*ORDER, *DOMAINS, *EMERGENT, *CURATED])


def test_identity_order_is_a_sentence_with_its_chance_level(run: Run, see: See) -> None:
    text = " ".join(see("run_intersections", run).split())
    assert "Over 12 pairs, a pair's traits agree with those of its nearer component by a tau of <b>+0.70</b>" in text
    assert "gives +0.30: more than by chance." in text
    assert "Neither the first nor the second component has significantly more weight." in text
    assert "lost pair</bdi>: the run has no group lost" in text


def test_dominance_is_read_from_either_side_and_its_sign_without_colour() -> None:
    rows = dominance([Measure(**one) for one in DOMAINS])
    assert [row.domain for row in rows] == ["Gender", "Class", "Race"]
    gender, class_, race = rows
    assert gender.cells[0] is None
    ours, theirs = gender.cells[1], class_.cells[0]
    assert ours is not None
    assert theirs is not None
    assert (ours.measure.value, ours.lean.mark, ours.outlined) == (0.1, "▲", True)
    assert (theirs.measure.value, theirs.lean.mark, theirs.outlined) == (-0.1, "▼", True)
    assert (theirs.measure.ci_low, theirs.measure.ci_high) == (-0.6, 0.4)
    assert class_.cells[2] is None  # no pair joins them
    assert race.cells[0] is not None
    assert not race.cells[0].outlined
    assert [(row.dominates, row.dominated) for row in rows] == [(1, 0), (0, 1), (0, 0)]


def test_a_domain_with_one_group_has_no_outline_and_says_that_it_is_not_testable(make_run: MakeRun, see: See) -> None:
    """Its figure is beyond the threshold of the paper, but rests on one group."""
    labels = {"group_a": "Gender", "group_b": "Class", "condition": "model"}
    untested = measured("domain_dominance", -0.4, verdict="not testable", **labels)
    text = see("run_intersections", make_run(PAIRS, [*ORDER, untested])).partition('id="dominance"')[2]
    assert "not testable" in text
    assert 'lean less-3 outlined"' not in text
    assert "This is the paper's convention and no test." in text


def test_a_cell_of_the_matrix_links_to_its_pairs(make_run: MakeRun, see: See) -> None:
    taus = [
        measured("identity_order", value, group_a="poor men", group_b=component, category=category, condition="model")
        for value, component, category in (
            (0.3, "poor people", "first component"),
            (0.8, MARKED, "second component"),
        )
    ]
    run = make_run(PAIRS, [*ORDER, *DOMAINS, *EMERGENT, *taus])
    address = f"{reverse('run_intersections', args=[run.pk])}?domain=Gender&amp;with=Class#pairs"
    assert address in see("run_intersections", run)
    (pair,) = joined(run.pk, pairs_of_run(run), "Gender", "Class")
    assert pair.label == "poor men"
    assert pair.difference == pytest.approx(0.5)
    shown = see("run_intersections", run, domain="Gender", **{"with": "Class"})
    assert "tau with its <bdi>Class</bdi>" in shown
    assert "+0.50" in shown
    assert "<bdi>poor men</bdi>" in shown
    assert "<bdi>Black men</bdi>" not in shown


def test_a_pair_without_taus_of_its_own_is_in_the_cells_list_all_the_same(run: Run, see: See) -> None:
    assert "Not listed separately" in see("run_intersections", run, domain="Race", **{"with": "Gender"})


def test_a_pair_has_the_domains_of_its_components(run: Run) -> None:
    assert pairs_of_run(run)["poor men"] == Pair(("poor people", MARKED), ("Class", "Gender"))


def test_the_largest_emergent_traits_come_first_with_the_score_of_the_nearer_component(run: Run) -> None:
    found = chosen(emergent(run, pairs_of_run(run)), "above", "", "", "value")
    assert [(one.measure.group_a, one.score) for one in found] == [("Black men", None), ("poor men", 1.25)]


@pytest.mark.parametrize(
    ("domain", "trait", "order", "expected"),
    [
        ("", "", "q", ["poor men", "Black men"]),
        ("", "", "trait", ["Black men", "poor men"]),
        ("", "", "pair", ["Black men", "poor men"]),
        ("", "", "score", ["poor men", "Black men"]),
        ("Race", "", "value", ["Black men"]),
        ("", "WAR", "value", ["poor men"]),
        ("Class", "cold", "value", []),
    ],
)
def test_emergent_traits_are_filtered_and_sorted(
    run: Run, domain: str, trait: str, order: str, expected: list[str]
) -> None:
    found = chosen(emergent(run, pairs_of_run(run)), "above", domain, trait, order)
    assert [one.measure.group_a for one in found] == expected


def test_each_row_leads_to_the_items_of_the_pair_and_of_its_components(run: Run, see: See) -> None:
    text = see("run_intersections", run, trait="warm")
    items = reverse("items", args=[run.pk])
    for group in ("poor%20men", "poor%20people", "%3Cb%3Emen%3C%2Fb%3E"):
        assert f"{items}?attribute=warm&amp;group={group}" in text
    assert escape(MARKED) in text
    assert MARKED not in text


def test_precision_is_next_to_that_of_a_guess(run: Run, see: See) -> None:
    text = see("run_intersections", run)
    assert text.index("the model</td>") < text.index("a guess</td>")


def test_each_table_is_a_file(run: Run, see: See, viewer: Client) -> None:
    text = see("run_intersections_csv", run, "emergent")
    assert "nearer_component_score" in text
    assert "poor people + <b>men</b>,Class + Gender,1.25" in text
    assert "domain_dominance" in see("run_intersections_csv", run, "dominance")
    assert "model - chance" in see("run_intersections_csv", run, "identity-order")
    assert "emergent_precision" in see("run_intersections_csv", run, "curated")
    assert viewer.get(reverse("run_intersections_csv", args=[run.pk, "other"])).status_code == 404


def test_the_run_page_shows_what_pairs_show(run: Run, see: See) -> None:
    text = see("run", run)
    assert "agree more with those of its nearer component" in text
    assert "The traits of pairs of Gender and Class agree more with those of their component of Gender than" in text
    assert "links poor men with “warm” more strongly than either of its components" in text
    assert reverse("run_intersections", args=[run.pk]) in text


def test_a_run_without_pairs_has_no_such_page_to_go_to(make_run: MakeRun, see: See) -> None:
    plain = make_run(PAIRS, [measured("ilps", 1.0, group_a=MARKED, attribute="warm")])
    assert reverse("run_intersections", args=[plain.pk]) not in see("run", plain)
    assert "no pairs of groups" in see("run_intersections", plain)
    assert "# title" in see("run_intersections_csv", plain, "emergent")


def test_more_traits_need_no_more_queries(
    run: Run, see: See, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(18):
        see("run_intersections", run)
