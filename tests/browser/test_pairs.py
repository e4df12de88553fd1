"""From pairs of groups, made in the admin, to what a run tells of them and of two sets of words."""

import csv
import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from plumbline.audits.models import Plan, Run
from plumbline.results.models import Measure
from plumbline.spec.numbers import number
from plumbline.vocab.models import Group, GroupList
from tests.browser.house import House

pytestmark = pytest.mark.slow

WIDE = "document.documentElement.scrollWidth"
GROUPS = [
    {"label": "women", "plural": "women", "domain": "Gender"},
    {"label": "men", "plural": "men", "domain": "Gender"},
    {"label": "poor people", "plural": "poor people", "domain": "Class"},
    {"label": "warm people", "plural": "warm people", "domain": "Class"},
    *(
        {"label": f"{first} {second}", "plural": f"{first} {second}", "components": [f"{first} people", second]}
        for first in ("poor", "warm")
        for second in ("women", "men")
    ),
]
FAITHS = (("Catholic", "Catholic", "Religion"), ("Muslim", "Muslim", "Religion"), ("teenager", "teenage", "Age"))
TEMPLATES = ["All {group.plural} are {attribute}.", "Most {group.plural} should be {attribute}."]
WEAT = {
    "probe": "weat",
    "targets": {"x": {"inline": ["women", "warm", "kind"]}, "y": {"inline": ["men", "poor"]}},
    "attributes": {"a": {"inline": ["people", "be"]}, "b": {"inline": ["person", "all"]}},
    "templates": {"inline": ["{target} are {attribute}."]},
    "params": {"subwords": "last"},
}


def launched(house: House, page: Page, name: str, spec: dict[str, object]) -> Run:
    """A plan of this spec, launched on its page and done by the worker."""
    plan = Plan.objects.create(name=name, spec={**spec, "name": name})
    page.goto(f"/plans/{plan.pk}/")
    page.get_by_role("button", name=f"Launch {name}").click()
    state = page.get_by_role("region", name="State and progress")
    expect(state).to_contain_text(re.compile(r"done\s+[\d,]+\s+items"))
    return plan.runs.get()


def rows_of(page: Page, link: int = 0) -> list[dict[str, str]]:
    """What a table's file says, without the lines about the run."""
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").nth(link).click()
    lines = [line for line in Path(download.value.path()).read_text().splitlines() if not line.startswith("#")]
    return list(csv.DictReader(io.StringIO("\n".join(lines))))


def test_a_curator_pairs_groups_sees_what_is_left_out_and_makes_the_list(house: House) -> None:
    faiths = GroupList.objects.create(slug="walked-faiths", title="Walked faiths")
    for position, (noun, modifier, domain) in enumerate(FAITHS, start=1):
        forms = {"singular": noun, "plural": f"{noun}s", "modifier": modifier}
        Group.objects.create(word_list=faiths, position=position, label=f"{noun}s", domain=domain, **forms)
    page = house.page("curator")
    page.goto(f"/admin/vocab/grouplist/{faiths.pk}/change/")
    page.get_by_role("link", name=re.compile(r"\bPair$")).click()
    page.get_by_label("Into a new list called").fill("walked-pairs")
    page.get_by_role("button", name="Show the pairs").press("Enter")
    expect(page.get_by_role("heading", name="4 pairs")).to_be_visible()
    expect(page.get_by_role("region", name="Made").get_by_role("row")).to_have_count(1 + 4)
    left_out = page.get_by_role("region", name="Left out").get_by_role("row")
    expect(left_out.filter(has_text="contradict each other")).to_have_count(2)
    assert not GroupList.objects.filter(slug="walked-pairs").exists()
    page.get_by_role("button", name="Make the list").press("Enter")
    expect(page.get_by_text("Made walked-pairs")).to_be_visible()
    made = GroupList.objects.get(slug="walked-pairs").entries.values_list("label", flat=True)
    assert sorted(made) == ["Catholic teenagers", "Muslim teenagers", "teenage Catholics", "teenage Muslims"]


def test_an_auditor_walks_from_a_run_of_pairs_to_the_matrix_a_cell_its_pairs_and_their_items(house: House) -> None:
    page = house.page("auditor")
    changes = {"groups": {"inline": GROUPS}, "templates": {"inline": TEMPLATES}}
    words = {"attributes": {"inline": ["poor", "warm", "kind", "rich"]}}
    run = launched(house, page, "walked", house.spec(**changes, **words))
    page.get_by_role("link", name="Intersections", exact=True).click()
    expect(page.get_by_role("heading", name="Identity order")).to_be_visible()
    figure = Measure.objects.get(run=run.pk, statistic="domain_dominance")
    cell = page.get_by_role("link", name=f"The pairs of {figure.group_a} and {figure.group_b}")
    expect(cell).to_contain_text(number(figure.value))
    cell.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"domain={figure.group_a}&with={figure.group_b}#pairs$"))
    pairs = page.get_by_role("region", name=f"Pairs of {figure.group_a} and {figure.group_b}")
    expect(pairs.get_by_role("row")).to_have_count(1 + 4)
    expect(page.get_by_role("combobox", name=re.compile("^Domain"))).to_have_value(figure.group_a)

    assert {row["group_a"] for row in rows_of(page)} >= {"poor women", "warm men"}
    page.evaluate("document.querySelector('#pairs').scrollIntoView()")
    link = pairs.get_by_role("link", name="poor women")
    link.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("combobox", name="Group")).to_have_value("poor women")
    expect(page.get_by_role("row")).to_have_count(1 + 4 * len(TEMPLATES))

    page = house.page("viewer", width=390, dark=True)
    page.goto(f"/runs/{run.pk}/intersections/?domain={figure.group_a}&with={figure.group_b}")
    assert page.evaluate(WIDE) <= 390


def test_an_auditor_walks_from_an_effect_to_its_words_and_their_items(house: House) -> None:
    page = house.page("auditor")
    run = launched(house, page, "effects", {**WEAT, "model": house.model})
    page.get_by_role("link", name="Effects", exact=True).click()
    effect = Measure.objects.get(run=run.pk, statistic="effect_size", variant="last subword", template="")
    expect(page.get_by_role("cell", name=number(effect.value)).first).to_be_visible()
    expect(page.get_by_text("Over 100 random cuts of the larger set")).to_be_visible()
    assert {row["statistic"] for row in rows_of(page)} == {"effect_size", "effect_size_of_cuts"}
    page.get_by_role("link", name="kind").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("combobox", name="Group")).to_have_value("kind")
    expect(page.get_by_role("row")).to_have_count(1 + 4)
    phone = house.page("viewer", width=390)
    phone.goto(f"/runs/{run.pk}/effects/")
    assert phone.evaluate(WIDE) <= 390
