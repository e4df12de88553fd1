"""The live preview of templates in the admin."""

from typing import Any

import pytest
from django.contrib.auth.models import Group as Role
from django.contrib.auth.models import User
from django.test import Client

from plumbline.vocab.models import (
    Attribute,
    AttributeSet,
    Group,
    GroupList,
    Name,
    NameList,
    SentenceTemplate,
    TemplateList,
)

pytestmark = pytest.mark.django_db

ADDRESS = "/admin/vocab/templatelist/filled/"


@pytest.fixture
def curator(client: Client) -> Client:
    user = User.objects.create_user("curator")
    user.groups.add(Role.objects.get(name="curator"))
    client.force_login(user)
    return client


@pytest.fixture
def lists() -> dict[str, str]:
    women = GroupList.objects.create(slug="women-only", title="Women")
    Group.objects.create(word_list=women, label="<b>women", plural="<b>women")
    words = AttributeSet.objects.create(slug="words", title="Words")
    Attribute.objects.create(word_list=words, text="طيب")
    Name.objects.create(word_list=NameList.objects.create(slug="names", title="Names"), name="Anna")
    return {"groups": "women-only", "attributes": "words", "names": "names"}


def test_a_stranger_is_sent_to_the_login(client: Client) -> None:
    assert client.get(ADDRESS).status_code == client.post(ADDRESS).status_code == 302


def test_who_has_no_role_is_refused(client: Client) -> None:
    client.force_login(User.objects.create_user("nobody"))
    assert client.post(ADDRESS, {"template": "{group}"}).status_code == 302


def test_other_methods_are_refused(curator: Client) -> None:
    assert curator.put(ADDRESS).status_code == 405


def test_without_its_token_a_post_is_refused(curator: Client) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(User.objects.get(username="curator"))
    assert strict.post(ADDRESS, {"template": "{group}"}).status_code == 403


def test_the_choice_is_of_the_lists_with_words(curator: Client, lists: dict[str, str]) -> None:
    shown = curator.get(ADDRESS).content.decode()
    for name, slug in lists.items():
        assert f'<select data-fills="{name}"><option>{slug}</option></select>' in shown
    assert 'aria-live="polite"' in shown


def test_words_are_shown_literally(curator: Client, lists: dict[str, str], django_assert_max_num_queries: Any) -> None:
    with django_assert_max_num_queries(12):
        shown = curator.post(ADDRESS, {"template": "{group.plural} are {attribute}.", **lists}).content.decode()
    assert (
        '<mark title="group"><bdi>&lt;b&gt;women</bdi></mark> are <mark title="attribute"><bdi>طيب</bdi></mark>.'
        in shown
    )


def test_a_fault_is_shown_escaped(curator: Client, lists: dict[str, str]) -> None:
    shown = curator.post(ADDRESS, {"template": "<img> [a", **lists}).content.decode()
    assert "&lt;img&gt; [a&#x27;: &#x27;[&#x27; is never closed" in shown
    assert "<img>" not in shown


def test_a_text_that_is_too_long_is_refused_in_words(curator: Client) -> None:
    shown = curator.post(ADDRESS, {"template": "x" * 1001})
    assert "more than 1,000 characters" in shown.content.decode()


def test_the_fields_of_templates_ask_for_it(curator: Client) -> None:
    frames = TemplateList.objects.create(slug="frames", title="Frames")
    SentenceTemplate.objects.create(word_list=frames, template="{group} is {attribute}.")
    for page in ("/admin/vocab/sentencetemplate/add/", f"/admin/vocab/templatelist/{frames.pk}/change/?form=1"):
        shown = curator.get(page).content.decode()
        assert f'data-preview="{ADDRESS}"' in shown
        assert "admin-plumbline/template-preview.js" in shown
