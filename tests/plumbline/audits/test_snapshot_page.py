"""The page of a snapshot shows a part of its entries, however many it has."""

import pytest
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import Snapshot

pytestmark = pytest.mark.django_db


@pytest.fixture
def address() -> str:
    """The page of a snapshot with 250 entries."""
    entries = [{"name": f"Name {number}", "note": "<b>"} for number in range(1, 251)]
    content = {"kind": "names", "slug": "staff", "title": "The staff", "entries": entries}
    Snapshot.objects.create(sha256="a" * 64, content=content)
    return reverse("admin:audits_snapshot_change", args=["a" * 64])


def test_the_first_entries_are_shown_with_a_link_to_the_later_ones(admin_client: Client, address: str) -> None:
    shown = admin_client.get(address).content.decode()
    assert "Entries 1 to 100 of 250." in shown
    assert "Name 100&quot;" in shown
    assert "Name 101&quot;" not in shown
    assert 'href="?from=100"' in shown
    assert "The staff" in shown
    assert "&lt;b&gt;" in shown


@pytest.mark.parametrize(
    ("asked", "told"),
    [("200", "Entries 201 to 250 of 250."), ("x", "Entries 1 to 100 of 250."), ("9" * 30, "1 to 100")],
)
def test_the_address_says_where_the_entries_begin(admin_client: Client, address: str, asked: str, told: str) -> None:
    assert told in admin_client.get(address, {"from": asked}).content.decode()
