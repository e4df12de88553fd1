"""The history of words, plans and schedules is there after migrating, and its pages tell who changed what."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import NoReverseMatch, reverse

from tests.release import fingerprints
from tests.release.conftest import As, Release

pytestmark = [pytest.mark.database, pytest.mark.xdist_group("release")]


def test_each_recorded_change_is_there(release: Release) -> None:
    expected = release.expected["history"]
    found = fingerprints.of_history({model: one["last"] for model, one in expected.items()})
    assert {model: found[model] for model in expected} == expected


def test_a_curator_reads_who_changed_what(release: Release, as_: As) -> None:
    authors = {change.who for page in _pages_of_changes(as_("ada")) for change in page.context["changes"]}
    assert authors >= set(release.expected["authors"])


def _pages_of_changes(client: Client) -> Iterator[Any]:
    """Of each kind the first, the second and the last page."""
    for address in _histories():
        first = client.get(address)
        assert first.status_code == 200, address
        yield first
        for number in {2, first.context["page"].paginator.num_pages}:
            page = client.get(address, {"page": number})
            assert page.status_code == 200, f"{address}, page {number}"
            yield page


def _histories() -> Iterator[str]:
    """The page of changes of each model that has one in the admin."""
    found = 0
    for model in admin.site._registry:
        try:
            yield reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changes")
        except NoReverseMatch:
            continue
        found += 1
    assert found > 2, "no page of changes was found: are they called otherwise now?"


def test_a_change_of_then_can_be_undone_now(release: Release, as_: As) -> None:
    """Undoing checks the row against the event, so both must have come through alike."""
    cleo, changes = as_("cleo"), reverse("admin:vocab_attributeset_changes")
    latest = cleo.get(changes).context["changes"][0]
    fields = {"of_list": int(latest.reference.of_list), "number": latest.reference.number}
    answer = cleo.post(reverse("admin:vocab_attributeset_undo"), fields, follow=True)
    assert "Undone" in answer.content.decode()
    newest = cleo.get(changes).context["changes"][0]
    assert (newest.who, newest.undoes) == ("cleo", True)
