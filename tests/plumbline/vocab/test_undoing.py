from collections.abc import Callable
from typing import Any

import pghistory
import pytest

from plumbline.spec.errors import InputError
from plumbline.vocab import history
from plumbline.vocab.content import version
from plumbline.vocab.fields import WordField
from plumbline.vocab.kinds import KINDS, Kind
from plumbline.vocab.models import Name, NameList, TraitList, TraitPair
from plumbline.vocab.undoing import Done, find, undo

pytestmark = pytest.mark.django_db

NAMES = KINDS["names"]


def undo_latest(kind: Kind = NAMES, back: int = 0, word: str = "") -> Done:
    place = history.Reference(*history.references(kind, None, None, word)[back])
    return undo(kind, find(kind, place.number, of_list=bool(place.of_list)), of_list=bool(place.of_list))


def rename(names: NameList) -> None:
    Name.objects.filter(word_list=names, name="Anna").update(name="Anne", group="writers", pronoun="she")


def move_away(names: NameList) -> None:
    other = NameList.objects.create(slug="other", title="Other")
    Name.objects.filter(word_list=names, name="Anna").update(word_list=other)


CHANGES: dict[str, Callable[[NameList], Any]] = {
    "a name": rename,
    "a place": lambda names: Name.objects.filter(name="Anna").update(position=9),
    "no place": lambda names: Name.objects.filter(name="Anna").update(position=None),
    "added": lambda names: Name.objects.create(word_list=names, name="Dora", position=2),
    "removed": lambda names: Name.objects.get(name="Ben").delete(),
    "moved away": move_away,
    "the list": lambda names: NameList.objects.update(title="Another title", source="Elsewhere", slug="three"),
    "list removed": lambda names: names.delete(),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=list(CHANGES))
def test_a_change_and_its_undoing_give_the_same_content(three_names: NameList, change: Any) -> None:
    before, rows = version("names", "three"), list(Name.objects.order_by("pk").values())
    with pghistory.context(test="one change"):
        change(three_names)
    undo_latest()
    assert version("names", "three") == before
    assert list(Name.objects.order_by("pk").values()) == rows


@pytest.mark.parametrize("change", CHANGES.values(), ids=list(CHANGES))
def test_an_undoing_can_be_undone(three_names: NameList, change: Any) -> None:
    with pghistory.context(test="one change"):
        change(three_names)
    rows = list(Name.objects.order_by("pk").values())
    lists = list(NameList.objects.values_list("pk", "slug", "title"))
    undo_latest()
    if change is CHANGES["list removed"]:
        with pytest.raises(InputError, match="has entries by now"):
            undo_latest(word="Three names")
        return
    undo_latest()
    assert list(Name.objects.order_by("pk").values()) == rows
    assert list(NameList.objects.values_list("pk", "slug", "title")) == lists


@pytest.mark.parametrize(
    ("kind", "column"),
    [(kind, column) for kind in KINDS.values() for column in kind.columns],
    ids=lambda each: getattr(each, "name", each),
)
def test_each_column_of_each_kind_is_put_back(kind: Kind, column: str) -> None:
    field = kind.entry_model._meta.get_field(column)
    # In a column of text a template may stand too.
    other: Any = "{Group.plural} are {attribute}."
    if not isinstance(field, WordField):
        others = {"pilot": True, "in_order": True, "pronoun": "they", "frequency": 0.25, "rating": 75.0}
        other = others.get(column, ["one", "two"])
    word_list = kind.list_model.objects.create(slug="some", title="Some")
    key = {name: f"All {{group}} are {name}." for name in kind.columns[: kind.entry_model.KEY]}
    needed = {"rating": 25.0} if "rating" in kind.columns else {}
    entry = kind.entry_model.objects.create(word_list=word_list, position=1, **key, **needed)
    before = list(kind.entry_model.objects.values())
    kind.entry_model.objects.filter(pk=entry.pk).update(**{column: other})
    assert list(kind.entry_model.objects.values()) != before
    undo_latest(kind)
    assert list(kind.entry_model.objects.values()) == before


def test_lists_of_adjectives_come_back_whole() -> None:
    traits = TraitList.objects.create(slug="traits", title="Traits")
    TraitPair.objects.create(word_list=traits, left="cold", right="warm", left_extra=["aloof", "unkind"], position=1)
    before = version("attributes", "traits")
    TraitPair.objects.get().delete()
    undo_latest(KINDS["traits"])
    assert version("attributes", "traits") == before


def test_an_earlier_change_of_another_field_is_undone_alone(three_names: NameList) -> None:
    Name.objects.filter(name="Anna").update(group="writers")
    Name.objects.filter(name="Anna").update(pronoun="she")
    undo_latest(back=1)
    anna = Name.objects.get(name="Anna")
    assert (anna.group, anna.pronoun) == ("readers", "she")


def test_what_has_changed_since_is_not_undone(three_names: NameList) -> None:
    Name.objects.filter(name="Anna").update(name="Anne")
    Name.objects.filter(name="Anne").update(name="Annette")
    with pytest.raises(InputError, match="'Annette' has changed since; undo the later change first"):
        undo_latest(back=1)
    assert Name.objects.filter(name="Annette").exists()


def test_a_word_that_is_in_another_list_by_now_is_not_restored(three_names: NameList) -> None:
    Name.objects.filter(name="Anna").update(name="Anne")
    Name.objects.create(word_list=three_names, name="Anna")
    with pytest.raises(InputError, match="'Anna' cannot be put back"):
        undo_latest(back=1)
    assert sorted(Name.objects.values_list("name", flat=True)) == ["Anna", "Anne", "Ben", "Cleo"]


def test_an_entry_whose_list_went_comes_back_with_the_list(three_names: NameList) -> None:
    Name.objects.get(name="Ben").delete()
    with pghistory.context(test="the list goes"):
        three_names.delete()
    with pytest.raises(InputError, match="its name list was removed; bring that back first"):
        undo_latest(word="Ben")
    undo_latest(word="Three names")
    assert sorted(Name.objects.values_list("name", flat=True)) == ["Anna", "Cleo"]
    undo_latest(word="Ben")
    assert Name.objects.get(name="Ben").position == 2


def test_nothing_is_undone_twice(three_names: NameList) -> None:
    Name.objects.get(name="Ben").delete()
    number = history.Reference(*history.references(NAMES, None, None, "Ben")[0]).number
    event = find(NAMES, number, of_list=False)
    undo(NAMES, event, of_list=False)
    with pytest.raises(InputError, match="back already"):
        undo(NAMES, event, of_list=False)


def test_the_undoing_is_marked_as_one(three_names: NameList) -> None:
    Name.objects.filter(name="Anna").update(name="Anne")
    undo_latest()
    latest, changed, *_ = history.changes(NAMES, list(history.references(NAMES, three_names.pk, None, "Anna")))
    assert (latest.undoes, changed.undoes) == (True, False)


def test_an_undoing_dates_the_list(three_names: NameList) -> None:
    Name.objects.filter(name="Anna").update(name="Anne")
    undo_latest()
    before = three_names.modified_at
    three_names.refresh_from_db()
    assert three_names.modified_at > before


def test_an_undoing_of_a_lists_own_change_dates_it_too(three_names: NameList) -> None:
    NameList.objects.update(title="Another title")
    before = three_names.modified_at
    undo_latest()
    three_names.refresh_from_db()
    assert three_names.modified_at > before


def test_an_undoing_dates_the_list_that_a_word_leaves_and_the_one_it_goes_back_to(three_names: NameList) -> None:
    move_away(three_names)
    before = dict(NameList.objects.values_list("slug", "modified_at"))
    undo_latest()
    after = dict(NameList.objects.values_list("slug", "modified_at"))
    assert [slug for slug in after if after[slug] > before[slug]] == ["other", "three"]


def test_an_unknown_change_is_refused() -> None:
    with pytest.raises(InputError, match="no such change"):
        find(NAMES, 12345, of_list=False)
