import pytest

from plumbline.audits.words import parts_of
from plumbline.spec.errors import InputError
from plumbline.vocab.models import (
    Attribute,
    AttributeSet,
    Group,
    GroupList,
    Name,
    NameList,
    TraitList,
    TraitPair,
)

pytestmark = pytest.mark.django_db


def test_names_are_parts_of_their_groups() -> None:
    names = NameList.objects.create(slug="firsts", title="Firsts")
    for name, group in (("Zoë", "women"), ("Anna", "")):
        Name.objects.create(word_list=names, name=name, group=group)
    assert parts_of("names", "firsts") == {"Zoë": "women", "Anna": ""}


def test_all_forms_of_a_group_are_its_words_each_once() -> None:
    people = GroupList.objects.create(slug="people", title="People")
    Group.objects.create(word_list=people, label="women", singular="woman", plural="women")
    assert parts_of("groups", "people") == {"women": "women", "woman": "women"}


def test_attributes_are_parts_of_their_category_and_traits_of_their_pole() -> None:
    jobs = AttributeSet.objects.create(slug="jobs", title="Jobs")
    Attribute.objects.create(word_list=jobs, text="nurse", plural="nurses", category="care")
    traits = TraitList.objects.create(slug="traits", title="Traits")
    TraitPair.objects.create(word_list=traits, left="cold", right="warm")
    assert parts_of("attributes", "jobs") == {"nurse": "care", "nurses": "care"}
    assert parts_of("attributes", "traits") == {"cold": "left", "warm": "right"}


def test_what_cannot_be_spelled_is_named() -> None:
    with pytest.raises(InputError, match="'templates' cannot be spelled word by word; choose one of names, groups"):
        parts_of("templates", "firsts")
    with pytest.raises(InputError, match="there is no names list 'firsts'"):
        parts_of("names", "firsts")
