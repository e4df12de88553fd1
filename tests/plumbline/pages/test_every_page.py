"""Every page has one heading and a sentence that says what it is for. An empty list names the next step.

The addresses come from the resolver, so a new page is held to this, too. tests/browser walks pages of runs.
"""

import re
from collections.abc import Iterator

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from plumbline.analyses.alignment.tabs import TABS as ALIGNMENT
from plumbline.analyses.intersections.tabs import TABS as INTERSECTIONS
from plumbline.analyses.word_sets.tabs import TABS as WORD_SETS
from plumbline.desk.admin_purposes import PURPOSES
from plumbline.pages import tabs
from plumbline.pages.tabs import Tab, method_pages
from plumbline.spec.registry import PROBES
from tests.plumbline.pages.addresses import SAMPLES, all_addresses

pytestmark = [pytest.mark.django_db, pytest.mark.any_server]

LISTS = {
    *("overview", "runs", "queue", "findings", "inbox", "models", "plans", "compare", "before_after", "people"),
    *("annotation", "survey_list", "bbq"),
}
"""The desk's pages that are lists, by the names of their addresses."""
OF_PROGRAMS, LOGOUTS = ("/api/v1/", "/metrics", "/health/"), ("/logout/", "/admin/logout/")
NEXT_STEP = re.compile(r"<a |<button|<code>|form")
SENTENCE = re.compile(r'<p class="purpose[^"]*">(.+?)</p>', re.DOTALL)
EMPTY = re.compile(r'<div class="empty.*?</div>', re.DOTALL)
LONGEST_SENTENCE = 25


def pages() -> Iterator[tuple[str, str]]:
    """Each address without a parameter, after its part of the site: one of each part is opened on a change."""
    samples = set(SAMPLES.values())
    for address in sorted(set(all_addresses())):
        steps = address.split("/")
        if samples.isdisjoint(steps) and not address.startswith(OF_PROGRAMS + LOGOUTS):
            yield ("/".join(steps[:3]) if steps[1] == "admin" else address), address


def opened(client: Client, address: str) -> str:
    """The page at an address, or "" for what is no page: a file, a part of one, an action, what nobody may add."""
    answer = client.get(address)
    assert answer.status_code in (200, 302, 403, 404, 405)
    whole = answer.status_code == 200 and answer["Content-Type"].startswith("text/html")
    text = answer.content.decode() if whole else ""
    return text if "<html" in text else ""


@pytest.fixture
def client(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("ada"))
    return client


@pytest.mark.sampled(by=["part"])
@pytest.mark.parametrize(("part", "address"), list(pages()))
def test_a_page_has_one_heading_and_says_what_it_is_for(client: Client, part: str, address: str) -> None:
    if not (text := opened(client, address)):
        return
    assert len(re.findall("<h1[ >]", text)) == 1
    found = SENTENCE.search(text)
    assert found, f"{address} has no sentence of the class purpose"
    _check_sentences(re.sub("<[^>]+>", " ", found[1]))


def test_the_walk_finds_pages_of_the_desk_and_of_the_admin() -> None:
    found = {address for _, address in pages()}
    assert {reverse(name) for name in LISTS} <= found
    tables = (model._meta for model in admin.site._registry)
    assert {reverse(f"admin:{one.app_label}_{one.model_name}_changelist") for one in tables} <= found


@pytest.mark.parametrize("name", sorted(LISTS))
def test_an_empty_list_of_the_desk_names_the_next_step(client: Client, name: str) -> None:
    found = EMPTY.search(opened(client, reverse(name)))
    assert found
    assert NEXT_STEP.search(found[0])


def test_each_table_of_the_admin_says_what_it_is_for_and_what_to_do_while_it_is_empty() -> None:
    assert {model._meta.label_lower for model in admin.site._registry} == PURPOSES.keys()
    for purpose in PURPOSES.values():
        _check_sentences(purpose.for_what)
        _check_sentences(purpose.next_step)


@pytest.mark.parametrize("table", ["audits_plan", "vocab_namelist", "results_measure"])
def test_an_empty_table_of_the_admin_says_what_to_do_next_and_a_filtered_one_how_to_see_all(
    client: Client, table: str
) -> None:
    address = reverse(f"admin:{table}_changelist")
    assert PURPOSES[table.replace("_", ".")].next_step.replace("'", "&#x27;") in opened(client, address)
    if table != "results_measure":
        assert "Nothing matches." in opened(client, f"{address}?q=zebra")


def test_each_tab_of_a_run_says_what_it_is_for() -> None:
    shared = [one for one in vars(tabs).values() if isinstance(one, Tab)]
    own = [method_pages(probe) for probe in PROBES]
    added = [tab for pages_ in own for tab in (*pages_.tabs, *([pages_.items] if pages_.items else []))]
    for tab in (*shared, *ALIGNMENT, *INTERSECTIONS, *WORD_SETS, *added):
        assert tab.purpose, tab.name
        _check_sentences(tab.purpose)


def _check_sentences(text: str) -> None:
    sentences = re.split(r"(?<=[.?!])\s+", " ".join(text.split()))
    assert text.strip().endswith((".", "?"))
    assert all(len(sentence.split()) <= LONGEST_SENTENCE for sentence in sentences), text
