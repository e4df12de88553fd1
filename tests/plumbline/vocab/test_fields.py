"""The fields of pages take and refuse what imports do."""

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from plumbline.vocab.fields import AmountField
from plumbline.vocab.models import Name, NameList, Rating, RatingList
from plumbline.vocab.scale import ScaleField
from tests.plumbline.vocab.test_optimistic_locking import fields_of, send, told


def read(field: Any, text: str) -> Any:
    """What a field makes of a text, or how it refuses it."""
    try:
        return field.to_python(text)
    except ValidationError as error:
        return error.messages


@pytest.mark.django_db
@pytest.mark.parametrize("wrong", ["1_000", "٣", "nan", "often"])
def test_a_page_refuses_an_amount_that_an_import_refuses(
    admin_client: Client, three_names: NameList, wrong: str
) -> None:
    address = reverse("admin:vocab_name_change", args=[three_names.entries.get(name="Anna").pk])
    refused = send(admin_client, address, fields_of(admin_client.get(address)) | {"frequency": wrong})
    assert refused.status_code == 200
    assert f"is '{wrong}'; write a number with a decimal point" in told(refused)
    assert Name.objects.get(name="Anna").frequency is None


@pytest.mark.django_db
def test_a_page_takes_an_amount_or_nothing(admin_client: Client, three_names: NameList) -> None:
    address = reverse("admin:vocab_name_change", args=[three_names.entries.get(name="Anna").pk])
    for text, amount in (("0.25", 0.25), ("", None)):
        fields = fields_of(admin_client.get(address)) | {"frequency": text}
        assert send(admin_client, address, fields).status_code == 302
        assert Name.objects.get(name="Anna").frequency == amount


@given(st.text("0123456789.eE_+-", min_size=1))
def test_pages_and_imports_read_an_amount_alike(text: str) -> None:
    field = AmountField(null=True, blank=True)
    assert read(field.formfield(), text) == read(field, text)


@pytest.mark.django_db
def test_a_page_reads_a_rating_as_an_import_does(admin_client: Client) -> None:
    asked = RatingList.objects.create(slug="asked", title="Asked")
    key = {"annotator": "a", "group": "women", "left": "cold", "right": "warm"}
    row = Rating.objects.create(word_list=asked, position=1, rating=50, **key)
    address = reverse("admin:vocab_rating_change", args=[row.pk])
    for wrong in ("1_0", "٣", "nan", "101"):
        refused = send(admin_client, address, fields_of(admin_client.get(address)) | {"rating": wrong})
        assert refused.status_code == 200, wrong
        assert "write a number from 0 to 100" in told(refused)
    assert send(admin_client, address, fields_of(admin_client.get(address)) | {"rating": "57,5"}).status_code == 302
    row.refresh_from_db()
    assert row.rating == 57.5


@given(st.text("0123456789.,eE_+-", min_size=1))
def test_pages_and_imports_read_a_rating_alike(text: str) -> None:
    field = ScaleField()
    assert read(field.formfield(), text) == read(field, text)
