"""Words of a list edited in place, by keyboard, and an import undone as a whole."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from plumbline.pages.roles import write_roles
from plumbline.vocab.models import Group, GroupList, Name, NameList
from tests.browser.house import SCRIPTS_FIRST
from tests.plumbline.vocab.test_exchange import person

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(live_server: LiveServer, browser: Browser, client: Client) -> Iterator[Page]:
    """A curator's page. Chromium reports each refused edit in the console, which the whole installation forbids."""
    write_roles()
    person(client, role="curator")
    context = browser.new_context(base_url=live_server.url)
    context.add_init_script(path=SCRIPTS_FIRST)
    for name, cookie in client.cookies.items():
        context.add_cookies([{"name": name, "value": cookie.value, "url": live_server.url}])
    yield context.new_page()
    context.close()


def picture(page: Page, name: str) -> None:
    """Take the page at both widths, light and dark, if PICTURES names a folder."""
    if not (folder := os.environ.get("PICTURES")):
        return
    for scheme in ("light", "dark"):
        for width in (1280, 390):
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": 900})
            page.wait_for_timeout(300)
            page.screenshot(path=Path(folder) / f"{name}-{scheme}-{width}.png")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 900})


def test_words_are_edited_by_keyboard_added_removed_and_brought_back(page: Page) -> None:
    guild = NameList.objects.create(slug="guild", title="Guild")
    for position, name in enumerate(("Anna", "Ben", "Cleo"), start=1):
        Name.objects.create(word_list=guild, name=name, group="weavers", position=position)
    page.goto(f"/admin/vocab/namelist/{guild.pk}/change/")
    table = page.get_by_role("region", name="Words of the list")
    ben = table.locator(f'tr[data-entry="{Name.objects.get(word_list=guild, name="Ben").pk}"]')

    # Open the cell, revert, then move to the next cell and write there.
    ben.get_by_role("cell", name="Ben", exact=True).click()
    page.keyboard.type("Benno")
    page.keyboard.press("Escape")
    expect(ben.get_by_role("cell", name="Ben", exact=True)).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.keyboard.type("potters")
    page.keyboard.press("Enter")
    expect(ben.get_by_role("cell", name="potters")).to_be_focused()
    assert Name.objects.get(word_list=guild, name="Ben").group == "potters"
    expect(page.get_by_role("status").get_by_text("Changed weavers to potters.")).to_be_visible()

    # A word that is there already is refused at its cell. Somebody else's edit is told, and replaced by a second Enter.
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    page.keyboard.type("Cleo")
    page.keyboard.press("Enter")
    expect(ben.get_by_role("alert")).to_contain_text("'Cleo' appears twice in the list")
    page.keyboard.press("Escape")
    Name.objects.filter(word_list=guild, name="Ben").update(group="smiths")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.keyboard.type("tailors")
    page.keyboard.press("Enter")
    expect(ben.get_by_role("alert")).to_contain_text("changed this to 'smiths' after you opened the page")
    picture(page, "words")
    table.get_by_label("New: name").focus()
    page.wait_for_load_state("networkidle")
    assert Name.objects.get(word_list=guild, name="Ben").group == "smiths"
    ben.get_by_label("group").focus()
    page.keyboard.press("Enter")
    expect(ben.get_by_role("cell", name="tailors")).to_be_focused()

    table.get_by_label("New: name").fill("Dora")
    page.keyboard.press("Enter")
    expect(table.get_by_role("cell", name="Dora", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="4 names")).to_be_visible()
    expect(page.get_by_role("link", name="Which plans ask it?")).to_be_visible()
    table.get_by_role("button", name="Remove Anna").click()
    expect(page.get_by_role("heading", name="3 names")).to_be_visible()
    expect(page.get_by_text("Removed Anna.")).to_be_visible()
    expect(page.get_by_role("link", name="Which plans asked it?")).to_be_visible()
    assert [one.name for one in guild.rows()] == ["Ben", "Cleo", "Dora"]
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    expect(table.get_by_role("cell", name="Anna", exact=True)).to_be_visible()
    assert [one.name for one in guild.rows()] == ["Anna", "Ben", "Cleo", "Dora"]


def test_without_javascript_each_word_leads_to_its_form(page: Page) -> None:
    guild = GroupList.objects.create(slug="plain-guild", title="Guild")
    group = Group.objects.create(word_list=guild, label="weavers", singular="weaver")
    page.route("**/words-table.js", lambda route: route.fulfill(content_type="text/javascript", body=""))
    page.goto(f"/admin/vocab/grouplist/{guild.pk}/change/")
    page.get_by_role("region", name="Words of the list").get_by_role("link", name="weavers").click()
    page.get_by_label("Plural", exact=True).fill("weavers")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("was changed successfully")).to_be_visible()
    group.refresh_from_db()
    assert group.plural == "weavers"


def test_an_import_that_skips_duplicates_is_undone_and_redone(page: Page) -> None:
    choir = NameList.objects.create(slug="small-choir", title="Choir")
    Name.objects.create(word_list=choir, name="Ada")
    page.goto("/admin/vocab/namelist/import/?list=small-choir")
    file = "name,group\nAda,choir\nBéla,choir\nBéla,choir\n".encode()
    page.locator("input[type=file]").set_input_files({"name": "choir.csv", "mimeType": "text/csv", "buffer": file})
    page.get_by_label("Skip duplicates").check()
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Import", exact=True).click()
    page.get_by_text("2 duplicate rows skipped").click()
    expect(page.get_by_text("line 4: 'Béla' is on line 3 already")).to_be_visible()
    picture(page, "imported")
    page.get_by_role("button", name="Undo import").click()
    expect(page.get_by_role("button", name="Redo import")).to_be_visible()
    assert [one.name for one in choir.rows()] == ["Ada"]
    page.get_by_role("button", name="Redo import").click()
    expect(page.get_by_role("button", name="Undo import")).to_be_visible()
    assert [one.name for one in choir.rows()] == ["Ada", "Béla"]
    page.locator(".exchange-link").filter(has_text="History").click()
    expect(page.get_by_role("region", name="Imports")).to_contain_text("choir.csv")
    picture(page, "history")
