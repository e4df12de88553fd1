"""Kinds of bank: those of the vocabulary and those that methods bring."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from plumbline.spec.errors import InputError
from plumbline.spec.registry import FOLDERS, Folders
from plumbline.vocab.banks.kinds import bank_kind, bank_kinds, kind_labels
from plumbline.vocab.models import Bank

RIDDLES = """
from plumbline.vocab.banks.kinds import BankKind
from plumbline.vocab.banks.reading import Questions

def read(path):
    items = [{"id": str(place), "text": line} for place, line in enumerate(path.read_text().splitlines())]
    return Questions(items, path.name, {"title": "Riddles", "source": "", "licence": "", "origin": ""})

BANK_KINDS = {"riddles": BankKind("Riddles: one per line", read)}
"""


@pytest.fixture
def riddles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Register a method whose folder holds nothing but a kind of bank, and return a file of two riddles."""
    package = tmp_path / "riddle_method"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "bank_kinds.py").write_text(RIDDLES, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(FOLDERS, "riddle", Folders("riddle_method", "riddle_method"))
    file = tmp_path / "riddles.txt"
    file.write_text("What has keys but no locks?\nWhat gets wet while it dries?\n", encoding="utf-8")
    yield file
    for name in [name for name in sys.modules if name.partition(".")[0] == "riddle_method"]:
        del sys.modules[name]


def test_every_kind_has_a_label_that_begins_with_a_capital_and_says_what_it_holds() -> None:
    assert set(kind_labels()) == {*bank_kinds(), "answers"}
    assert not [label for label in kind_labels().values() if not label[0].isupper() or ": " not in label]


def test_an_unknown_kind_is_refused_with_the_kinds_that_exist() -> None:
    with pytest.raises(InputError, match=r"unknown kind of bank 'riddles'; the kinds are socialiqa, contexts, .*gap"):
        bank_kind("riddles")


@pytest.mark.django_db
def test_a_method_brings_a_kind_of_bank_without_a_change_of_shared_code(riddles: Path) -> None:
    call_command("bank", "import", "riddles", str(riddles))
    bank = Bank.objects.get()
    bank.full_clean()
    assert (bank.slug, bank.kind, bank.entries.count()) == ("riddles", "riddles", 2)
    assert bank.get_kind_display() == "Riddles: one per line"


@pytest.mark.django_db
def test_the_admin_shows_the_label_of_the_kind(riddles: Path, client: Client, admin_user: User) -> None:
    call_command("bank", "import", "riddles", str(riddles))
    client.force_login(admin_user)
    assert "Riddles: one per line" in client.get(reverse("admin:vocab_bank_changelist")).content.decode()
