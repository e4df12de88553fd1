"""Undo and redo of a whole import."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pghistory
import pytest

from plumbline.spec.errors import InputError
from plumbline.vocab.content import version
from plumbline.vocab.import_undoing import undo_import
from plumbline.vocab.importing import import_file
from plumbline.vocab.kinds import KINDS, Kind
from plumbline.vocab.models import Import, Name, NameList, TraitList

pytestmark = pytest.mark.django_db

Write = Callable[..., Path]
NAMES = KINDS["names"]
MIXED = "name,group,list_title\nDora,new,Four\nAnna,writers,\nBen,readers,\n"
"""Adds Dora, changes Anna, removes Cleo, moves Ben, and gives the list another title."""


def bring(path: Path, kind: Kind = NAMES, slug: str = "three", **options: Any) -> Import:
    """Import the file in a context of its own, as a page or a command does."""
    with pghistory.context(test="import"):
        import_file(kind, path, slug, **options)
    return Import.objects.latest("pk")


def undo(record: Import, kind: Kind = NAMES) -> Import:
    with pghistory.context(test="undo"):
        return undo_import(kind, record)


def edit() -> Any:
    """A change by somebody else: the test's one transaction would otherwise keep the context of the import."""
    return pghistory.context(test="edit")


def state() -> list[Any]:
    lists = NameList.objects.order_by("pk").values_list("pk", "slug", "title", "source")
    return [list(lists), list(Name.objects.order_by("pk").values())]


def test_an_undo_puts_everything_back_and_a_redo_brings_it_again(three_names: NameList, write_file: Write) -> None:
    before = state()
    record = bring(write_file(MIXED))
    after = state()
    undone = undo(record)
    assert state() == before
    assert (undone.added, undone.changed, undone.removed) == (1, 1, 1)
    redone = undo(undone)
    assert state() == after
    undo(redone)
    assert state() == before
    assert [one.pk for one in record.chain()][:3] == [record.pk, undone.pk, redone.pk]


def test_an_undo_of_a_new_list_removes_it_and_a_redo_brings_it_back(write_file: Write) -> None:
    record = bring(write_file("name\nAnna\nBen\n"), slug="new")
    made = version("names", "new")
    undone = undo(record)
    assert not NameList.objects.filter(slug="new").exists()
    undo(undone)
    assert version("names", "new") == made


def test_words_that_somebody_edited_since_are_named_and_nothing_is_undone(
    three_names: NameList, write_file: Write
) -> None:
    record = bring(write_file(MIXED))
    with edit():
        Name.objects.filter(name="Anna").update(group="editors")
    after = state()
    with pytest.raises(InputError, match=r"later edits changed 'Anna'\. Undo these edits first"):
        undo(record)
    assert state() == after


@pytest.mark.parametrize("removed", ["Dora", "Anna"])
def test_a_word_that_somebody_removed_since_is_named(three_names: NameList, write_file: Write, removed: str) -> None:
    record = bring(write_file(MIXED))
    with edit():
        Name.objects.get(name=removed).delete()
    with pytest.raises(InputError, match=f"later edits changed '{removed}'"):
        undo(record)


def test_a_removed_word_that_somebody_added_again_is_named(three_names: NameList, write_file: Write) -> None:
    record = bring(write_file(MIXED))
    with edit():
        Name.objects.create(word_list=three_names, name="Cleo")
    with pytest.raises(InputError, match=r"in this very moment|'Cleo' was added since"):
        undo(record)
    assert Name.objects.filter(name="Dora").exists()


def test_words_that_the_import_did_not_touch_keep_later_edits(three_names: NameList, write_file: Write) -> None:
    record = bring(write_file("name\nDora\n"), update=True)
    with edit():
        Name.objects.filter(name="Ben").update(group="writers")
        Name.objects.create(word_list=three_names, name="Eve")
    undo(record)
    assert sorted(Name.objects.values_list("name", "group")) == [
        ("Anna", "readers"),
        ("Ben", "writers"),
        ("Cleo", "readers"),
        ("Eve", ""),
    ]


def test_words_added_to_a_new_list_since_are_named(write_file: Write) -> None:
    record = bring(write_file("name\nAnna\n"), slug="new")
    with edit():
        Name.objects.create(word_list=NameList.objects.get(slug="new"), name="Zoe")
    with pytest.raises(InputError, match="later edits changed 'Zoe'"):
        undo(record)


def test_an_import_is_undone_once(three_names: NameList, write_file: Write) -> None:
    record = bring(write_file(MIXED))
    undo(record)
    with pytest.raises(InputError, match="somebody undid it meanwhile"):
        undo(record)


def test_a_word_that_moved_between_pairs_goes_back(write_file: Write) -> None:
    traits = KINDS["traits"]
    bring(write_file("left,right,left_extra\ncalm,tense,quiet\nkind,cruel,\n"), traits, "moods")
    before = version("attributes", "moods")
    record = bring(write_file("left,right,left_extra\ncalm,tense,\nkind,cruel,quiet\n"), traits, "moods")
    undo(record, traits)
    assert version("attributes", "moods") == before
    assert TraitList.objects.count() == 1


def test_an_import_that_changes_nothing_leaves_no_record(three_names: NameList, write_file: Write) -> None:
    import_file(NAMES, write_file("name\nAnna\n"), "three", update=True)
    assert not Import.objects.exists()
