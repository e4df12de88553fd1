"""What an import says about names without a group, moved to another group, or of a group new to the list."""

import pytest
from django.test import Client

from plumbline.vocab.models import Name, NameList
from plumbline.vocab.name_notices import WITHOUT_GROUP, name_notices, new_group_notices
from tests.plumbline.vocab.test_exchange import confirm, names, person, upload

FILE = "name,group\nAnna,writers\nBen,readers\nCleo,\nDora,\n"


def test_names_without_a_group_are_counted_and_the_first_are_named() -> None:
    many = [Name(name=f"N{number}") for number in range(7)]
    assert name_notices(many, []) == [
        f"7 names have no group: 'N0', 'N1', 'N2', 'N3', 'N4' and 2 more. {WITHOUT_GROUP}"
    ]
    assert name_notices([Name(name="Anna", group=" ")], []) == [f"1 name has no group: 'Anna'. {WITHOUT_GROUP}"]


def test_a_name_that_changes_its_group_is_named_with_both_groups() -> None:
    moved = [(Name(name="Anna", group="readers"), Name(name="Anna", group="writers"))]
    assert name_notices([], moved) == ["1 name changes its group: 'Anna' from 'readers' to 'writers'."]
    moved.append((Name(name="Ben"), Name(name="Ben", group="writers")))
    assert name_notices([], moved) == [
        "2 names change their groups: 'Anna' from 'readers' to 'writers', 'Ben' from no group to 'writers'."
    ]


def test_names_that_keep_their_group_have_no_notice() -> None:
    kept = [(Name(name="Anna", group="readers"), Name(name="Anna", group="readers", note="coded by hand"))]
    assert name_notices([Name(name="Ben", group="readers")], kept) == []


@pytest.mark.django_db
def test_the_preview_says_it_before_the_import_and_the_page_of_the_import_after_it(
    client: Client, three_names: NameList
) -> None:
    shown = upload(person(client, role="curator"), FILE, word_list="three")
    done = confirm(client, shown)
    for page in (shown, done):
        text = page.content.decode()
        assert f"2 names have no group: &#x27;Dora&#x27;, &#x27;Cleo&#x27;. {WITHOUT_GROUP}" in text
        assert "2 names change their groups: &#x27;Anna&#x27; from &#x27;readers&#x27; to &#x27;writers&#x27;," in text
    assert names(three_names) == ["Anna", "Ben", "Cleo", "Dora"]


@pytest.mark.django_db
def test_a_group_that_is_new_to_the_list_is_named_beside_those_that_it_has(three_names: NameList) -> None:
    known = three_names.entries.order_by("pk")
    known.filter(name__in=["Anna", "Ben"]).update(group="women")
    (told,) = new_group_notices(three_names, [Name(name=name, group="wemen") for name in ("Eve", "Fay")])
    assert told.startswith("This list had no name of 'wemen' (2 names; did you mean 'women'?) before.")
    assert told.endswith("the list has 'readers', 'women'.")
    assert new_group_notices(three_names, [Name(name="Eve", group="women"), Name(name="Fay")]) == []
    known.update(group="")
    assert new_group_notices(three_names, [Name(name="Eve", group="women")]) == []
