"""How pages name models."""

import pytest
from django.test import RequestFactory
from pytest_django import DjangoAssertNumQueries

from plumbline.audits.models import ModelUnderAudit
from plumbline.pages.model_names import ModelNames, model_names

pytestmark = pytest.mark.django_db


def titled(**models: str) -> ModelNames:
    for name, title in models.items():
        ModelUnderAudit.objects.create(reference=f"hub:org/{name}@1", title=title)
    return ModelNames()


def test_a_title_replaces_the_reference_also_without_its_revision() -> None:
    names = titled(a="Support chat", b="")
    assert names.name("hub:org/a@1") == names.name("hub:org/a") == "Support chat"
    assert names.name("hub:org/b@1") == "hub:org/b@1"
    assert names.name("path:/srv/c") == "path:/srv/c"


def test_two_models_with_one_title_also_show_their_references() -> None:
    names = titled(a="Chat", b="Chat")
    assert names.name("hub:org/a@1") == "Chat (hub:org/a@1)"


def test_two_revisions_leave_the_bare_reference_without_a_title() -> None:
    ModelUnderAudit.objects.create(reference="hub:org/a@2", title="Second")
    assert titled(a="First").name("hub:org/a") == "hub:org/a"


def test_a_request_reads_the_titles_once(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    titled(a="Chat")
    request = RequestFactory().get("/")
    with django_assert_num_queries(1):
        assert {model_names(request).name("hub:org/a@1") for _ in range(5)} == {"Chat"}
