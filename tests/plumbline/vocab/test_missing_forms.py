"""Groups that lack a form which templates need say so when they are saved, and are saved."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from plumbline.vocab.importing import import_file
from plumbline.vocab.kinds import KINDS
from plumbline.vocab.missing_forms import missing_form_notices
from plumbline.vocab.models import Group, GroupList, SentenceTemplate, TemplateList
from tests.plumbline.vocab.test_exchange import person

pytestmark = pytest.mark.django_db

NO_PLURAL = "'potters' has no plural. Templates that need it: frames (2)."


@pytest.fixture
def guilds() -> GroupList:
    """A list of groups, and two lists of templates, of which one needs the plural."""
    frames = TemplateList.objects.create(slug="frames", title="Frames")
    for text in ("All {group.plural} are {attribute}.", "[Most|Many] {group.plural} are {attribute}."):
        SentenceTemplate.objects.create(word_list=frames, template=text)
    plain = TemplateList.objects.create(slug="plain", title="Plain")
    SentenceTemplate.objects.create(word_list=plain, template="The {group.singular} is {attribute}.")
    return GroupList.objects.create(slug="guilds", title="Guilds")


def test_a_form_that_no_template_needs_is_not_mentioned(guilds: GroupList) -> None:
    assert missing_form_notices([Group(label="potters", singular="potter")]) == [NO_PLURAL]
    assert missing_form_notices([Group(label="potters", singular="potter", plural="potters")]) == []


def test_a_form_of_many_groups_is_one_sentence(guilds: GroupList) -> None:
    groups = [Group(label=f"g{number}", plural="x") for number in range(7)]
    assert missing_form_notices(groups) == [
        "'g0', 'g1', 'g2', 'g3', 'g4' and 2 more have no singular. Templates that need it: plain (1)."
    ]


def test_the_page_of_a_group_warns_and_saves(client: Client, guilds: GroupList) -> None:
    curator = person(client, role="curator")
    fields = {"word_list": guilds.pk, "label": "potters", "singular": "potter", "pronoun": ""}
    saved = curator.post("/admin/vocab/group/add/", fields, follow=True)
    assert NO_PLURAL in [str(message) for message in get_messages(saved.wsgi_request)]
    assert guilds.entries.count() == 1


@pytest.mark.parametrize(
    ("changed", "is_told"),
    [({"plural": "makers of pots"}, True), ({"singular": "maker"}, True), ({"note": "x"}, False)],
)
def test_other_words_of_a_group_lead_to_the_plans_that_ask_them(
    client: Client, guilds: GroupList, changed: dict[str, str], is_told: bool
) -> None:
    curator = person(client, role="curator")
    words = {"label": "potters", "singular": "potter", "plural": "potters"}
    group = Group.objects.create(word_list=guilds, **words)
    fields = {"word_list": guilds.pk, **words, **changed}
    page = curator.post(f"/admin/vocab/group/{group.pk}/change/", fields, follow=True).content.decode()
    address = f"{reverse('dependents', args=['groups', 'guilds'])}?entry={group.pk}"
    link = f'<a class="message-button" href="{address}">Which plans ask it?</a>'
    told = f"Figures of earlier runs stay; where a word changed, those of later runs are not compared with them. {link}"
    assert (told in page) is is_told
    assert curator.get(address).status_code == 200


def test_a_new_group_is_no_change(client: Client, guilds: GroupList) -> None:
    curator = person(client, role="curator")
    fields = {"word_list": guilds.pk, "label": "potters", "singular": "potter", "plural": "potters"}
    assert "Later runs" not in curator.post("/admin/vocab/group/add/", fields, follow=True).content.decode()


@pytest.mark.parametrize("action", ["add", "set"])
def test_the_table_of_a_list_warns_and_saves(client: Client, guilds: GroupList, action: str) -> None:
    curator = person(client, role="curator")
    fields: dict[str, Any] = {"text-label": "potters", "text-singular": "potter"}
    if action == "set":
        group = Group.objects.create(word_list=guilds, label="potters", singular="potter", plural="potters")
        fields = {"entry": group.pk, "column": "plural", "text": "", "shown": "potters"}
    answer = curator.post(f"/admin/vocab/grouplist/{guilds.pk}/words/", {"action": action, **fields})
    assert answer.json()["notice"].startswith(NO_PLURAL)
    assert guilds.entries.get().plural == ""


@pytest.mark.parametrize(("column", "is_told"), [("plural", True), ("domain", False)])
def test_a_cell_with_another_form_says_which_runs_ask_it(
    client: Client, guilds: GroupList, column: str, is_told: bool
) -> None:
    group = Group.objects.create(word_list=guilds, label="potters", singular="potter", plural="potters")
    fields = {"action": "set", "entry": group.pk, "column": column, "text": "clay people", "shown": vars(group)[column]}
    answer = person(client, role="curator").post(f"/admin/vocab/grouplist/{guilds.pk}/words/", fields).json()
    assert ("Later runs ask with the new words" in answer["notice"]) is is_told
    assert ("/groups/" in answer.get("plans", "")) is is_told


def test_an_import_warns_of_what_it_writes_and_of_nothing_else(
    guilds: GroupList, write_file: Callable[..., Path]
) -> None:
    Group.objects.create(word_list=guilds, label="weavers", singular="weaver")
    done = import_file(KINDS["groups"], write_file("label,singular\npotters,potter\n"), "guilds", update=True)
    assert done.notices == [NO_PLURAL]
