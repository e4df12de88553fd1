import re
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from plumbline.vocab.kinds import KINDS
from plumbline.vocab.models import Name, NameList, TemplateList, TraitList, TraitPair

pytestmark = pytest.mark.django_db


def page(model: type[Any], action: str, *args: object) -> str:
    return reverse(f"admin:vocab_{model._meta.model_name}_{action}", args=args)


@pytest.fixture
def long_list() -> NameList:
    names = NameList.objects.create(slug="long", title="Long")
    Name.objects.bulk_create(Name(word_list=names, name=f"Name {number}") for number in range(779))
    return names


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_every_kind_has_pages_of_lists_and_of_entries(admin_client: Client, kind: Any) -> None:
    for model in (kind.list_model, kind.entry_model):
        assert admin_client.get(page(model, "changelist"), {"q": "some word"}).status_code == 200
        assert admin_client.get(page(model, "add")).status_code == 200


def test_a_stranger_is_sent_to_the_login(client: Client) -> None:
    assert client.get(page(NameList, "changelist")).status_code == 302


def test_a_short_list_is_edited_with_its_entries(admin_client: Client, three_names: NameList) -> None:
    address = page(NameList, "change", three_names.pk)
    assert 'href="?form=1"' in admin_client.get(address).content.decode()
    assert 'value="Cleo"' in admin_client.get(address, {"form": "1"}).content.decode()


def test_a_long_list_leads_to_its_entries_instead_of_holding_their_forms(
    admin_client: Client, long_list: NameList
) -> None:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        shown = admin_client.get(page(NameList, "change", long_list.pk)).content.decode()
    assert "Name 778" not in shown
    assert f"{page(Name, 'changelist')}?word_list__id__exact={long_list.pk}" in shown
    assert len(queries) < 12


def test_the_page_of_entries_asks_no_more_for_more_rows(admin_client: Client, three_names: NameList) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert admin_client.get(page(Name, "changelist")).status_code == 200
        return len(captured)

    few = queries()
    Name.objects.bulk_create(Name(word_list=three_names, name=f"Name {number}") for number in range(80))
    assert queries() == few


def test_entries_are_filtered_by_list_and_found_by_word(admin_client: Client, long_list: NameList) -> None:
    found = admin_client.get(page(Name, "changelist"), {"word_list__id__exact": str(long_list.pk), "q": '"Name 77"'})
    assert found.context["cl"].result_count == 10


def test_a_hostile_word_is_shown_as_text(admin_client: Client, three_names: NameList) -> None:
    Name.objects.create(word_list=three_names, name="<script>alert(1)</script>")
    shown = admin_client.get(page(Name, "changelist")).content.decode()
    assert "<script>alert(1)" not in shown
    assert "&lt;script&gt;alert(1)" in shown


def test_a_faulty_template_is_refused_with_the_fault(admin_client: Client) -> None:
    frames = TemplateList.objects.create(slug="frames", title="Frames")
    model = KINDS["templates"].entry_model
    shown = admin_client.post(
        page(model, "add"), {"word_list": frames.pk, "template": "{Group.plural} are [warm|{attribute}."}
    )
    assert "never closed" in shown.content.decode()
    assert not model.objects.exists()


def test_further_adjectives_are_typed_between_semicolons(admin_client: Client) -> None:
    traits = TraitList.objects.create(slug="traits", title="Traits")
    fields = {"word_list": traits.pk, "left": "cold", "right": "warm", "left_extra": "aloof; unkind"}
    assert admin_client.post(page(TraitPair, "add"), fields).status_code == 302
    assert TraitPair.objects.get().left_extra == ["aloof", "unkind"]


def test_editing_an_entry_dates_its_list(admin_client: Client, three_names: NameList) -> None:
    before = three_names.modified_at
    anna = Name.objects.get(name="Anna")
    fields = {"word_list": three_names.pk, "name": " Anne ", "position": 1}
    assert admin_client.post(page(Name, "change", anna.pk), fields).status_code == 302
    three_names.refresh_from_db()
    assert three_names.modified_at > before
    assert three_names.rows()[0].name == "Anne"


@pytest.mark.parametrize("query", ["", "?_changelist_filters=q%3DAn"], ids=["from its list", "from a filtered table"])
def test_a_saved_entry_leads_back_to_where_its_form_was_opened(
    admin_client: Client, three_names: NameList, query: str
) -> None:
    fields = {"word_list": three_names.pk, "name": "Dora", "position": 4}
    answer = admin_client.post(page(Name, "add") + query, fields)
    there = f"{page(Name, 'changelist')}?q=An" if query else page(NameList, "change", three_names.pk)
    assert answer["Location"] == there


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_the_button_add_of_a_filtered_page_offers_a_form_of_that_list(admin_client: Client, kind: Any) -> None:
    chosen = kind.list_model.objects.create(slug="chosen", title="Chosen")
    shown = admin_client.get(page(kind.entry_model, "changelist"), {"word_list__id__exact": str(chosen.pk)})
    button = re.search(rf'href="({page(kind.entry_model, "add")}[^"]*)"[^>]*addlink', shown.content.decode())
    assert button
    form = admin_client.get(unescape(button[1])).context["adminform"].form
    assert form["word_list"].value() == str(chosen.pk)


@pytest.mark.parametrize("filters", ["word_list__id__exact=none", "word_list__id__exact=²", "q=x", "%"])
def test_filters_that_name_no_list_leave_the_list_of_a_new_entry_empty(admin_client: Client, filters: str) -> None:
    shown = admin_client.get(page(Name, "add"), {"_changelist_filters": filters})
    assert not shown.context["adminform"].form["word_list"].value()
