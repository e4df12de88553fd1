"""Words with a history: starter lists, imports by command and by page, edits, a proposal, and what was undone."""

import json
from pathlib import Path
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from plumbline.vocab.banks.importing import create
from plumbline.vocab.banks.reading import Questions
from plumbline.vocab.models import Attribute, AttributeSet, BankItem, Name, NameList
from tests.release.making.passages import write_passages
from tests.release.making.people import GONE, browser

WORDS = Path(__file__).parent / "words"
SETS = (0, 1, 2, 8, 9, 10)
"""Of the starter questions about age: three sets of four of each of two templates."""


def bring_in_words() -> None:
    """What every installation begins with, then lists and banks of this one's own."""
    call_command("vocab", "starter", verbosity=0)
    call_command("plans", "starter", verbosity=0)
    for kind, file in (("groups", "groups.csv"), ("traits", "traits.csv"), ("ratings", "ratings.json")):
        slug = f"release-{kind}"
        call_command("vocab", "import", kind, str(WORDS / f"release-{file}"), "--list", slug, "--title", f"Our {kind}")
    call_command("vocab", "pair", "release-groups", "--into", "release-pairs", "--title", "Pairs of our groups")
    _make_questions()
    call_command("bank", "import", "gap", str(write_passages()), "--into", "release-passages", "--title", "Passages")


def _make_questions() -> None:
    """A bank of a few of the starter's questions."""
    starter = BankItem.objects.filter(bank__slug="bbq-starter", content__category="Age", content__set__in=SETS)
    items = list(starter.order_by("position").values_list("content", flat=True))
    about = {"title": "A few of our questions"}
    create("bbq", "the starter questions", "release-questions", Questions(items, "the starter questions", about))


def edit_words() -> None:
    """Curators at the admin's pages: an import, changes, an import that is undone again, a proposal."""
    cleo, carl = browser("cleo"), browser(GONE)
    import_file(cleo, "attributeset", "release-words.csv", new_slug="release-words", new_title="Our words")
    import_file(carl, "namelist", "births.csv", content=b"name,group\nAnna,readers\nBen,readers\n", new_slug="readers")
    _rename(carl)
    _undo_the_latest(cleo, "namelist")
    _remove_and_bring_back(cleo)
    _propose(cleo)


def edit_words_later() -> None:
    """Between two runs of a plan: two words come, one goes."""
    import_file(browser("cleo"), "attributeset", "release-words-later.csv", word_list="release-words")


def import_file(client: Client, model: str, file: str, content: bytes = b"", **fields: Any) -> None:
    """Choose a file, look at its preview, confirm."""
    data = content or (WORDS / file).read_bytes()
    sent = {"mode": "replace", "file": SimpleUploadedFile(file, data), **fields}
    shown = client.post(reverse(f"admin:vocab_{model}_import"), sent, follow=True)
    seen = {"seen": shown.context["seen"]}
    assert client.post(reverse(f"admin:vocab_{model}_preview"), seen, follow=True).status_code == 200


def _rename(client: Client) -> None:
    anna = Name.objects.get(word_list__slug="readers", name="Anna")
    fields = {"word_list": anna.word_list_id, "name": "Anne", "group": "readers", "position": 1}
    assert client.post(reverse("admin:vocab_name_change", args=[anna.pk]), fields).status_code == 302


def _undo_the_latest(client: Client, model: str) -> None:
    change = client.get(reverse(f"admin:vocab_{model}_changes")).context["changes"][0]
    fields = {"of_list": int(change.reference.of_list), "number": change.reference.number}
    assert "Undone" in client.post(reverse(f"admin:vocab_{model}_undo"), fields, follow=True).content.decode()


def _remove_and_bring_back(client: Client) -> None:
    """An imported list is removed whole, which is what undoing an import is; and an entry that comes back."""
    import_file(client, "attributeset", "release-words.csv", new_slug="by-mistake", new_title="By mistake")
    mistake = AttributeSet.objects.get(slug="by-mistake")
    client.post(reverse("admin:vocab_attributeset_delete", args=[mistake.pk]), {"post": "yes"})
    brave = Attribute.objects.get(word_list__slug="release-words", text="brave")
    client.post(reverse("admin:vocab_attribute_delete", args=[brave.pk]), {"post": "yes"})
    _undo_the_latest(client, "attributeset")


def _propose(client: Client) -> None:
    table = SimpleUploadedFile("births.csv", (WORDS / "births.csv").read_bytes())
    client.post(reverse("admin:vocab_namelist_table"), {"file": table}, follow=True)
    sent = {"name": ["Minh"], "into": "proposed-names", "title": "Names that a table of births proposes"}
    client.post(reverse("admin:vocab_namelist_propose"), sent, follow=True)
    assert NameList.objects.filter(slug="proposed-names").exists()


def predictions(folder: Path, answered: list[str]) -> Path:
    """A file of somebody else's answers to these items, always the first option."""
    path = folder / "first-option.jsonl"
    path.write_text("".join(json.dumps({"item": item, "chosen": 0}) + "\n" for item in answered), encoding="utf-8")
    return path
