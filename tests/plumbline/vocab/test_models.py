from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from plumbline.vocab.models import (
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


@pytest.mark.parametrize("name", ["Anna", "", "  "])
def test_the_database_itself_refuses_duplicate_and_blank_names(three_names: NameList, name: str) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Name.objects.create(word_list=three_names, name=name)


@pytest.mark.parametrize("frequency", [-0.5, float("inf"), float("nan")])
def test_the_database_itself_refuses_frequencies_that_are_no_amounts(three_names: NameList, frequency: float) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Name.objects.create(word_list=three_names, name="Dora", frequency=frequency)


def test_names_are_compared_exactly(three_names: NameList) -> None:
    Name(word_list=three_names, name="anna").full_clean()


def test_names_are_stripped_before_they_are_compared(three_names: NameList) -> None:
    with pytest.raises(ValidationError, match="'Anna' appears twice in the list; keep one"):
        Name(word_list=three_names, name=" Anna ").full_clean()


def test_a_name_does_not_collide_with_itself_or_with_other_lists(three_names: NameList) -> None:
    three_names.rows()[0].full_clean()
    other = NameList.objects.create(slug="other", title="Other")
    Name(word_list=other, name="Anna").full_clean()


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        (Name(name="  "), "is blank"),
        (Name(name="An\u200bna"), "zero width space"),
        (Name(name="x" * 201), "at most 200 characters"),
        (Name(name="Anna", pronoun="xe"), "not a valid choice"),
        (Group(label="women", plural="wo\tmen"), r"U\+0009"),
        (TraitPair(left="cold", right="warm", left_extra=["aloof; unkind"]), "has a semicolon"),
        (TraitPair(left="cold", right="warm", left_extra=["al\u200boof"]), "zero width space"),
        (SentenceTemplate(template="{Group.plural} are [warm|cold."), "never closed"),
        (SentenceTemplate(template="{colour} are {attribute}."), "unknown slot"),
        (SentenceTemplate(template="Nothing to fill."), "no slot"),
    ],
)
def test_a_faulty_word_is_refused_with_the_fault(entry: Any, fault: str) -> None:
    with pytest.raises(ValidationError, match=fault):
        entry.clean_fields(exclude={"word_list"})


@pytest.mark.django_db
def test_a_trait_list_holds_an_adjective_once_on_either_side() -> None:
    traits = TraitList.objects.create(slug="traits", title="Traits")
    TraitPair.objects.create(word_list=traits, left="cold", right="warm")
    with pytest.raises(ValidationError, match="'cold' appears twice"):
        TraitPair(word_list=traits, left="hot", right="cold").full_clean()
    with pytest.raises(ValidationError, match="'dry' appears twice"):
        TraitPair(word_list=traits, left="dry", right="dry").full_clean()


@pytest.mark.django_db
def test_two_grammar_texts_may_not_share_a_template() -> None:
    templates = TemplateList.objects.create(slug="plural", title="Plural")
    SentenceTemplate.objects.create(word_list=templates, template="[All|Most] {group.plural} are {attribute}.")
    with pytest.raises(ValidationError, match=r"'All \{group\.plural\} are \{attribute\}\.' appears twice"):
        SentenceTemplate(word_list=templates, template="[All|Many] {group.plural} are {attribute}.").full_clean()


@pytest.mark.django_db
def test_trait_lists_and_attribute_sets_share_their_slugs() -> None:
    TraitList.objects.create(slug="abc", title="ABC")
    with pytest.raises(ValidationError, match="'abc' is a trait list already"):
        AttributeSet(slug="abc", title="ABC").full_clean()
    AttributeSet.objects.create(slug="jobs", title="Jobs")
    with pytest.raises(ValidationError, match="'jobs' is an attribute set already"):
        TraitList(slug="jobs", title="Jobs").full_clean()
    GroupList(slug="abc", title="Groups have slugs of their own").full_clean()


@pytest.mark.django_db
@pytest.mark.parametrize("slug", ["two words", "", "ünder"])
def test_a_slug_is_letters_digits_and_hyphens(slug: str) -> None:
    with pytest.raises(ValidationError, match="slug"):
        NameList(slug=slug, title="Names").full_clean()


def test_entries_without_a_position_come_last(three_names: NameList) -> None:
    Name.objects.create(word_list=three_names, name="Zoe")
    Name.objects.create(word_list=three_names, name="Abe", position=2)
    assert [name.name for name in three_names.rows()] == ["Anna", "Ben", "Abe", "Cleo", "Zoe"]
