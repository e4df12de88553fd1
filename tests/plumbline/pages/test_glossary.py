"""The glossary: one text for the page and for the documents."""

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from plumbline.pages.glossary import TERMS, as_markdown

DOCS = Path(__file__).resolve().parents[3] / "docs"
WORDS_OF_A_SENTENCE = 30


def test_the_document_holds_what_the_page_shows() -> None:
    assert (DOCS / "glossary.md").read_text(encoding="utf-8") == as_markdown()


def test_terms_are_in_order_and_each_has_an_anchor_of_its_own() -> None:
    names = [one.name for one in TERMS]
    assert names == sorted(names, key=str.casefold)
    assert len({one.anchor for one in TERMS}) == len(TERMS) >= 20


@pytest.mark.parametrize("meaning", [one.meaning for one in TERMS], ids=[one.name for one in TERMS])
def test_no_sentence_is_long(meaning: str) -> None:
    assert all(len(sentence.split()) <= WORDS_OF_A_SENTENCE for sentence in meaning.split(". "))


@pytest.mark.django_db
def test_every_page_leads_to_it_and_it_explains_a_verdict(client: Client, admin_user: User) -> None:
    client.force_login(admin_user)
    address = reverse("glossary")
    assert f'href="{address}"' in client.get(reverse("overview")).content.decode()
    assert '<dt id="verdict">Verdict</dt>' in client.get(address).content.decode()
