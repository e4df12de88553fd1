"""The admin shows the questions of banks by bank, question and flag, and changes nothing."""

import json
from pathlib import Path

import pytest
from django.contrib.auth.models import Permission, User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from plumbline.vocab.models import Bank, BankItem
from tests.plumbline.vocab.banks.test_socialiqa_import import LINE

pytestmark = pytest.mark.django_db
ITEMS = "admin:vocab_bankitem_changelist"


@pytest.fixture(autouse=True)
def _bank(tmp_path: Path) -> None:
    asked = {"question": "Why did Kim do this?", "context": "Kim sang <b>loudly</b>.", "answerB": "be heard"}
    path = tmp_path / "dev.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in (LINE, LINE | asked)))
    call_command("bank", "import", "socialiqa", str(path), "--into", "mine")


@pytest.fixture
def viewer(client: Client) -> Client:
    user = User.objects.create_user("viewer", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    client.force_login(user)
    return client


def shown(client: Client, **asked: str) -> str:
    return client.get(reverse(ITEMS), asked).content.decode()


def test_questions_are_filtered_by_what_they_ask(viewer: Client) -> None:
    page = shown(viewer, question="Why did {name} do this?")
    assert "{name} sang &lt;b&gt;loudly&lt;/b&gt;." in page
    assert "lost their bag" not in page
    assert "How would you describe {name}? (1)" in page


def test_questions_are_filtered_by_what_was_flagged(viewer: Client) -> None:
    page = shown(viewer, flag="gendered word")
    assert "lost their bag" in page
    assert "sang" not in page
    assert "sang" in shown(viewer, flag="none")
    assert "lost their bag" not in shown(viewer, flag="none")
    assert "lost their bag" not in shown(viewer, flag='" || true')


def test_a_bank_leads_to_its_items(viewer: Client) -> None:
    page = viewer.get(reverse("admin:vocab_bank_changelist")).content.decode()
    assert f"{reverse(ITEMS)}?bank__id__exact={Bank.objects.get().pk}" in page
    assert "lost their bag" in shown(viewer, bank__id__exact=str(Bank.objects.get().pk))
    assert viewer.get(reverse(ITEMS), {"bank__id__exact": "x"}).status_code in (200, 302)


def test_an_item_is_looked_at_and_not_changed(admin_client: Client) -> None:
    page = reverse("admin:vocab_bankitem_change", args=[BankItem.objects.get(position=1).pk])
    assert "kind to their sister" in admin_client.get(page).content.decode()
    assert admin_client.post(page, {"position": "9"}).status_code == 403
    delete = reverse("admin:vocab_bankitem_delete", args=[BankItem.objects.get(position=1).pk])
    assert admin_client.post(delete, {"post": "yes"}).status_code == 403
