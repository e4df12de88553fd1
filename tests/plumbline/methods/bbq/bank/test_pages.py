"""The admin shows the questions of BBQ with their options, and filters them by template and condition."""

from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from plumbline.vocab.admin.bank_filters import natural
from plumbline.vocab.models import Bank, BankItem
from tests.plumbline.methods.bbq.bank.some_examples import four, written

pytestmark = pytest.mark.django_db
ITEMS = "admin:vocab_bankitem_changelist"


@pytest.fixture(autouse=True)
def bank(tmp_path: Path) -> Bank:
    told = four(1, question_index="12", context="At <b>noon</b> they met.", ans0="The retired pilot ")
    written(tmp_path / "Age.jsonl", [*four(0), *told])
    written(tmp_path / "Religion.jsonl", four(0, category="Religion", context="On a ship."))
    call_command("bank", "import", "bbq", str(tmp_path), "--into", "mine")
    return Bank.objects.get()


def shown(client: Client, **asked: str) -> str:
    return client.get(reverse(ITEMS), asked).content.decode()


def test_each_option_says_what_it_is(admin_client: Client, bank: Bank) -> None:
    page = shown(admin_client, bank__id__exact=str(bank.pk), condition="disambig")
    assert "The trainee <b>(right)</b>" in page
    assert "The retired pilot <b>(bias target)</b>" in page
    assert "The retired pilot <b>(right, bias target)</b>" in page
    assert "Not known <b>(UNKNOWN)</b>" in page
    assert "disambiguated, negative" in page
    assert "At &lt;b&gt;noon&lt;/b&gt; they met." in page


def test_items_are_filtered_by_category_template_condition_and_flag(admin_client: Client, bank: Bank) -> None:
    age = {"bank__id__exact": str(bank.pk), "category": "Age"}
    assert "On a ship." not in shown(admin_client, **age)
    assert "noon" not in shown(admin_client, **age, template="1")
    assert "noon" in shown(admin_client, **age, template="12")
    assert "(right, UNKNOWN)" in shown(admin_client, **age, condition="ambig")
    assert "(UNKNOWN)" not in shown(admin_client, **age, condition="ambig")
    assert "(right, UNKNOWN)" not in shown(admin_client, **age, condition="disambig")
    assert "noon" not in shown(admin_client, **age, flag="none")
    assert "noon" in shown(admin_client, **age, flag="space at an end")


def test_templates_are_offered_once_a_category_is_chosen(admin_client: Client, bank: Bank) -> None:
    assert "12 (4)" in shown(admin_client, category="Age")
    assert "12 (4)" not in shown(admin_client)
    assert [*sorted(["10b", "9", "S2", "10a"], key=natural)] == ["9", "10a", "10b", "S2"]


def test_a_list_of_all_banks_shows_options_in_place_of_the_answer(admin_client: Client) -> None:
    assert "The trainee <b>(right)</b>" in shown(admin_client)


def test_a_bank_shows_its_first_questions_with_their_options(admin_client: Client, bank: Bank) -> None:
    page = admin_client.get(reverse("admin:vocab_bank_change", args=[bank.pk])).content.decode()
    assert "Age 0: A retired pilot and a trainee sat down at the same desk. Who was at a loss?" in page
    assert "Not known <b>(right, UNKNOWN)</b>" in page


def test_an_item_shows_its_options_and_everything_that_it_holds(admin_client: Client) -> None:
    page = admin_client.get(reverse("admin:vocab_bankitem_change", args=[BankItem.objects.get(position=2).pk]))
    assert "The trainee <b>(right)</b>" in page.content.decode()
    assert "<b>polarity</b>: neg" in page.content.decode()
