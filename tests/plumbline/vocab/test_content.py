import json

import pytest

from plumbline.spec import content as spec_content
from plumbline.spec.digests import digest
from plumbline.spec.errors import InputError
from plumbline.vocab.content import frozen, version
from plumbline.vocab.models import (
    Attribute,
    AttributeSet,
    Group,
    GroupList,
    Name,
    NameList,
    SentenceTemplate,
    TemplateList,
    TraitList,
    TraitPair,
)


def test_names_freeze_with_the_list_they_come_from(three_names: NameList) -> None:
    assert frozen("names", "three") == {
        "kind": "names",
        "slug": "three",
        "title": "Three names",
        "source": "This test",
        "origin": "English, 2026",
        "entries": [{"name": name, "group": "readers", "pronoun": ""} for name in ("Anna", "Ben", "Cleo")],
    }


def test_names_freeze_with_their_frequency_where_it_is_known(three_names: NameList) -> None:
    before = version("names", "three")
    NameList.objects.update(frequency_source="births, in percent")
    assert version("names", "three") == before
    assert set(frozen("names", "three")["entries"][0]) == {"name", "group", "pronoun"}
    three_names.entries.update(frequency=0)
    assert version("names", "three") != before
    assert spec_content.Name.model_validate(frozen("names", "three")["entries"][0]).frequency == 0


@pytest.mark.django_db
def test_groups_freeze_with_their_forms_and_what_else_is_filled() -> None:
    groups = GroupList.objects.create(slug="pair", title="Pair")
    Group.objects.create(word_list=groups, label="women", singular="woman", plural="women", domain="Gender", pilot=True)
    entry = {"label": "women", "singular": "woman", "plural": "women", "pronoun": "", "domain": "Gender", "pilot": True}
    assert frozen("groups", "pair")["entries"] == [entry]
    assert spec_content.Group.model_validate(entry).plural == "women"


@pytest.mark.django_db
def test_article_and_group_of_an_attribute_freeze_where_they_are_filled() -> None:
    words = AttributeSet.objects.create(slug="places", title="Places", source="", origin="")
    words.entries.create(text="United States", article="the")
    words.entries.create(text="France", group="land")
    assert frozen("attributes", "places")["entries"] == [
        {"text": "United States", "plural": "", "article": "the"},
        {"text": "France", "plural": "", "group": "land"},
    ]


@pytest.mark.django_db
def test_a_curated_family_freezes_and_the_rule_for_others_does_not() -> None:
    jobs = AttributeSet.objects.create(slug="jobs", title="Jobs")
    nurse = jobs.entries.create(text="NURSE II")
    before = version("attributes", "jobs")
    assert frozen("attributes", "jobs")["entries"] == [{"text": "NURSE II", "plural": ""}]
    Attribute.objects.filter(pk=nurse.pk).update(family="care")
    (entry,) = frozen("attributes", "jobs")["entries"]
    assert entry == {"text": "NURSE II", "plural": "", "family": "care"}
    assert spec_content.Attribute.model_validate(entry).family == "care"
    assert version("attributes", "jobs") != before


@pytest.mark.django_db
def test_attributes_freeze_with_their_plural() -> None:
    jobs = AttributeSet.objects.create(slug="jobs", title="Jobs")
    Attribute.objects.create(word_list=jobs, text="nanny", plural="nannies")
    assert frozen("attributes", "jobs")["entries"] == [{"text": "nanny", "plural": "nannies"}]


@pytest.mark.django_db
def test_a_trait_list_freezes_as_its_adjectives_left_and_right_in_turn() -> None:
    traits = TraitList.objects.create(slug="traits", title="Traits")
    TraitPair.objects.create(
        word_list=traits, left="cold", right="warm", dimension="Communion", left_extra=["aloof"], position=1
    )
    TraitPair.objects.create(word_list=traits, left="poor", right="wealthy", dimension="Agency", position=2)
    frozen_traits = frozen("attributes", "traits")
    assert [entry["text"] for entry in frozen_traits["entries"]] == ["cold", "warm", "poor", "wealthy"]
    assert frozen_traits["entries"][0] == {
        "text": "cold",
        "plural": "",
        "pole": "left",
        "pair": "cold - warm",
        "dimension": "Communion",
        "extra": ["aloof"],
    }


@pytest.mark.django_db
def test_templates_freeze_as_grammar_texts() -> None:
    templates = TemplateList.objects.create(slug="plural", title="Plural")
    SentenceTemplate.objects.create(word_list=templates, template="[All|Most] {group.plural} are {attribute}.")
    assert frozen("templates", "plural")["entries"] == [{"template": "[All|Most] {group.plural} are {attribute}."}]


def test_frozen_content_is_plain_data_that_outlives_its_list(three_names: NameList) -> None:
    content, before = frozen("names", "three"), version("names", "three")
    three_names.delete()
    assert json.loads(json.dumps(content)) == content
    assert digest(content) == before


def test_the_version_follows_words_and_order_but_no_note(three_names: NameList) -> None:
    before = version("names", "three")
    ben = Name.objects.get(name="Ben")
    ben.note = "checked"
    ben.save()
    assert version("names", "three") == before
    ben.position = 9
    ben.save()
    reordered = version("names", "three")
    ben.name = "Benny"
    ben.save()
    assert len({before, reordered, version("names", "three")}) == 3


def test_an_unknown_list_is_refused_with_the_nearest_ones(three_names: NameList) -> None:
    with pytest.raises(InputError, match=r"no names list 'tree'; did you mean three\?.*vocab list"):
        frozen("names", "tree")
    with pytest.raises(InputError, match="no groups list 'three'; check its spelling"):
        frozen("groups", "three")


@pytest.mark.django_db
def test_the_nearest_attributes_may_be_a_trait_list() -> None:
    TraitList.objects.create(slug="abc-traits", title="ABC")
    with pytest.raises(InputError, match=r"did you mean abc-traits\?"):
        frozen("attributes", "abc-trait")


def test_an_empty_list_is_refused(three_names: NameList) -> None:
    three_names.entries.all().delete()
    with pytest.raises(InputError, match="'three' is empty; add entries"):
        frozen("names", "three")


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(InputError, match="unknown kind of list 'colours'"):
        frozen("colours", "red")
