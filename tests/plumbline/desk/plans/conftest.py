"""Lists for the builder of plans, people of each role, and the form of a page as a browser would send it."""

from html.parser import HTMLParser
from typing import Any

import pytest
from django.http import HttpResponse

from plumbline.audits.models import ModelUnderAudit
from plumbline.vocab.models import Attribute, AttributeSet, Group, GroupList, SentenceTemplate, TemplateList
from tests.plumbline.desk.runs.conftest import as_, auditor, viewer

__all__ = ["as_", "auditor", "viewer"]

Fields = dict[str, list[str]]


@pytest.fixture
def lists(db: None) -> None:
    """Two lists of groups, of which one group lacks its plural, one of traits, one of templates, and a model."""
    genders = GroupList.objects.create(slug="genders", title="Genders")
    for label in ("women", "men", "girls"):
        Group.objects.create(word_list=genders, label=label, plural=label)
    guilds = GroupList.objects.create(slug="guilds", title="Guilds")
    Group.objects.create(word_list=guilds, label="weaver", singular="weaver")
    traits = AttributeSet.objects.create(slug="warmth", title="Warmth")
    for text in ("kind", "cold", "fair"):
        Attribute.objects.create(word_list=traits, text=text)
    frames = TemplateList.objects.create(slug="frames", title="Frames")
    for verb in ("are", "seem", "look", "were"):
        SentenceTemplate.objects.create(word_list=frames, template=f"{{Group.plural}} {verb} {{attribute}}.")
    ModelUnderAudit.objects.update_or_create(reference="bundled:masked-demo", defaults={"title": "The small one"})


class _Form(HTMLParser):
    """The fields of the builder's form."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: Fields = {}
        self._text: str | None = None
        self._select = ""
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {key: value or "" for key, value in attrs}
        if tag == "form":
            self._inside = "data-builder" in given
        if not self._inside or not (name := given.get("name", self._select)):
            return
        if tag == "textarea":
            self._text, self._begun = name, ""
        elif tag == "select":
            self._select, self.fields[name] = name, []
        elif tag == "option" and ("selected" in given or not self.fields[name]):
            self.fields[name] = [given.get("value", "")]
        elif tag == "input" and (given.get("type") not in ("checkbox", "radio") or "checked" in given):
            self.fields.setdefault(name, []).append(given.get("value", ""))

    def handle_data(self, data: str) -> None:
        if self._text:
            self._begun += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea" and self._text:
            self.fields[self._text] = [self._begun.removeprefix("\n")]
            self._text = None
        elif tag == "select":
            self._select = ""
        elif tag == "form":
            self._inside = False


def fields_of(page: Any) -> Fields:
    """Return what a browser would send of the page's form."""
    assert isinstance(page, HttpResponse)
    assert page.status_code == 200, page.status_code
    parser = _Form()
    parser.feed(page.content.decode())
    return parser.fields
