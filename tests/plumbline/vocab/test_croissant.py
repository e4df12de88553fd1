"""A list as a Croissant data set: the archive's parts fit each other, and limits are stated without invention."""

import csv
import json
from hashlib import sha256
from io import BytesIO, StringIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from plumbline.spec.errors import InputError
from plumbline.vocab.croissant import VERSIONS, croissant_archive
from plumbline.vocab.kinds import KINDS
from plumbline.vocab.models import GroupList, NameList

pytestmark = pytest.mark.django_db
NAMES = KINDS["names"]


def parts(kind: str, slug: str) -> tuple[dict[str, Any], bytes]:
    with ZipFile(BytesIO(croissant_archive(KINDS[kind], slug))) as archive:
        assert sorted(archive.namelist()) == sorted(["croissant.json", f"{slug}.csv"])
        return json.loads(archive.read("croissant.json")), archive.read(f"{slug}.csv")


def test_the_description_names_the_file_by_its_digest_and_all_its_columns(three_names: NameList) -> None:
    described, table = parts("names", "three")
    (file,) = described["distribution"]
    assert (file["contentUrl"], file["sha256"]) == ("three.csv", sha256(table).hexdigest())
    (records,) = described["recordSet"]
    columns = [field["source"]["extract"]["column"] for field in records["field"]]
    header, *rows = csv.reader(StringIO(table.decode()))
    assert columns == header
    assert "Anna" in rows[0]
    assert len(rows) == 3
    assert {field["source"]["fileObject"]["@id"] for field in records["field"]} == {file["@id"]}


def test_it_conforms_to_both_specifications_and_uses_only_declared_prefixes(three_names: NameList) -> None:
    described, _ = parts("names", "three")
    assert described["conformsTo"] == list(VERSIONS)
    prefixes = {key.partition(":")[0] for key in described if ":" in key}
    assert prefixes == {"rai"} <= set(described["@context"])


def test_limits_state_the_origin_or_that_nobody_stated_one(three_names: NameList) -> None:
    described, _ = parts("names", "three")
    assert "The list has 3 entries. The words are those of: English, 2026." in described["rai:dataLimitations"]
    assert "A name is a weak sign of a group" in described["rai:personalSensitiveInformation"]
    assert "license" not in described
    NameList.objects.update(origin="", licence="CC-BY-4.0", source="")
    described, _ = parts("names", "three")
    assert "Nobody has stated the place, language and year" in described["rai:dataLimitations"]
    assert described["license"] == "CC-BY-4.0"
    assert "citeAs" not in described


def test_equal_lists_give_equal_archives(three_names: NameList) -> None:
    assert croissant_archive(NAMES, "three") == croissant_archive(NAMES, "three")


@pytest.mark.parametrize(("slug", "told"), [("", "name it"), ("threee", "did you mean three"), ("empty", "is empty")])
def test_a_list_that_cannot_be_described_is_refused(three_names: NameList, slug: str, told: str) -> None:
    NameList.objects.create(slug="empty", title="Empty")
    with pytest.raises(InputError, match=told):
        croissant_archive(NAMES, slug)


def test_the_export_page_offers_the_archive(three_names: NameList, client: Client) -> None:
    client.force_login(User.objects.create(username="root", is_staff=True, is_superuser=True))
    address = reverse("admin:vocab_namelist_export")
    assert "Croissant 1.1" in client.get(address).content.decode()
    response = client.get(address, {"format": "croissant.zip", "list": "three"})
    assert response["Content-Disposition"] == 'attachment; filename="three.croissant.zip"'
    assert ZipFile(BytesIO(response.content)).testzip() is None
    assert "name it" in client.get(address, {"format": "croissant.zip"}).content.decode()
    assert not GroupList.objects.exists()
