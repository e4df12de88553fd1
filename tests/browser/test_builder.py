"""A plan is built at the desk, by mouse and keyboard, from nothing to a run that is done."""

import re

import pytest
from playwright.sync_api import Page, expect

from plumbline.audits.models import Plan
from plumbline.vocab.models import Attribute, AttributeSet, Group, GroupList, SentenceTemplate, TemplateList
from tests.browser.house import House

pytestmark = pytest.mark.slow

VERBS = ("are", "seem", "look", "were", "feel", "stay", "become")


def made_lists() -> None:
    guilds = GroupList.objects.create(slug="built-guilds", title="Guilds of the town")
    for label in ("weavers", "bakers", "smiths"):
        Group.objects.create(word_list=guilds, label=label, plural=label)
    traits = AttributeSet.objects.create(slug="built-traits", title="Two traits")
    for text in ("poor", "warm"):
        Attribute.objects.create(word_list=traits, text=text)
    frames = TemplateList.objects.create(slug="built-frames", title="Seven frames")
    for verb in VERBS:
        SentenceTemplate.objects.create(word_list=frames, template=f"All {{group.plural}} {verb} {{attribute}}.")


def found(page: Page, field: str, title: str) -> None:
    """Find a list by its title among those of a field, and tick it."""
    box = page.get_by_role("group", name=field, exact=True)
    box.get_by_label("Find a list or word").fill(title)
    with page.expect_response("**/plans/new/**"):
        box.get_by_label(title).check()
    expect(box.get_by_label(title)).to_be_checked()


def test_an_auditor_builds_a_plan_from_nothing_and_launches_it(house: House) -> None:
    made_lists()
    page = house.page("auditor")
    page.goto("/plans/")
    page.get_by_role("link", name="New plan").click()
    page.get_by_label("Name of the plan").fill("built at the desk")
    page.get_by_text("Choose another").click()
    with page.expect_response("**/plans/new/**"):
        page.get_by_role("radio", name="Increased log probability score").check()
    page.get_by_label("or another reference").fill(house.model)
    found(page, "Groups", "Guilds of the town")
    found(page, "Attributes", "Two traits")
    found(page, "Templates", "Seven frames")
    page.get_by_label("In place of the group stands").select_option("a neutral word, such as person and people")
    page.get_by_label("Neutral singular").fill("person")
    page.get_by_label("Neutral plural").fill("people")
    before = page.get_by_role("region", name="Before the launch")
    expect(before).to_contain_text("42 items")
    expect(before).to_contain_text("All weavers are poor.")

    groups = page.get_by_role("group", name="Groups", exact=True)
    groups.get_by_label("bakers").focus()
    page.keyboard.press("Space")
    groups.get_by_label("smiths").check()
    expect(before).to_contain_text("28 items")
    # Figures of the plan before an edit are marked as such until those of the edited one come.
    edit = "(box) => { box.dispatchEvent(new Event('input', {bubbles: true})); return at().ariaBusy; }"
    at = "const at = () => document.querySelector('[data-part=estimate]');"
    assert page.evaluate(f"() => {{ {at} return ({edit})(document.querySelector('#name, [name=name]')); }}") == "true"
    expect(before).to_have_attribute("aria-busy", "false")
    yaml = page.get_by_label("YAML of the plan")
    yaml.fill(yaml.input_value().replace("bakers", "weavers") + "seed: 5  # mine\n")
    expect(groups.get_by_label("weavers")).to_be_checked()
    expect(groups.get_by_label("bakers")).not_to_be_checked()
    expect(page.get_by_label("Seed", exact=True)).to_have_value("5")
    expect(yaml).to_have_value(re.compile("# mine"))

    page.get_by_role("button", name="Save and launch").click()
    expect(page.get_by_role("region", name="State and progress")).to_contain_text("done 28 items")
    plan = Plan.objects.get(name="built at the desk")
    assert plan.spec["groups"] == {"list": "built-guilds", "only": ["weavers", "smiths"]}
    assert plan.spec["seed"] == 5
    assert plan.runs.get().state == "done"
