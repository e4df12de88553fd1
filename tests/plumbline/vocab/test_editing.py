import pytest

from plumbline.spec.errors import InputError
from plumbline.vocab.editing import fill, move
from plumbline.vocab.kinds import KINDS
from plumbline.vocab.models import Name, NameList, TraitList, TraitPair

pytestmark = pytest.mark.django_db

NAMES = KINDS["names"]


def pks(*names: str) -> list[int]:
    return list(Name.objects.filter(name__in=names).values_list("pk", flat=True))


@pytest.fixture
def other(db: None) -> NameList:
    other = NameList.objects.create(slug="other", title="Other")
    Name.objects.create(word_list=other, name="Dora", position=1)
    return other


def test_entries_move_to_the_end_of_another_list(three_names: NameList, other: NameList) -> None:
    assert move(NAMES, pks("Cleo", "Anna"), other) == 2
    assert [name.name for name in other.rows()] == ["Dora", "Anna", "Cleo"]
    assert [name.name for name in three_names.rows()] == ["Ben"]


def test_what_is_there_already_stays_and_dates_nothing(three_names: NameList) -> None:
    before = three_names.modified_at
    assert move(NAMES, pks("Anna"), three_names) == 0
    three_names.refresh_from_db()
    assert three_names.modified_at == before
    assert Name.objects.get(name="Anna").position == 1


def test_a_word_that_would_occur_twice_stops_the_whole_move(three_names: NameList, other: NameList) -> None:
    Name.objects.create(word_list=other, name="Ben")
    with pytest.raises(InputError, match="'Ben' would stand twice in 'other'"):
        move(NAMES, list(three_names.entries.values_list("pk", flat=True)), other)
    assert len(three_names.rows()) == 3


def test_both_lists_are_dated_by_a_move(three_names: NameList, other: NameList) -> None:
    before = [three_names.modified_at, other.modified_at]
    move(NAMES, pks("Anna"), other)
    for names in (three_names, other):
        names.refresh_from_db()
    assert all(now > then for now, then in zip([three_names.modified_at, other.modified_at], before, strict=True))


def test_a_column_gets_one_value_and_the_others_stay(three_names: NameList) -> None:
    Name.objects.filter(name="Anna").update(group="writers")
    assert fill(NAMES, pks("Anna", "Ben", "Cleo"), "group", " writers ") == 2
    assert set(Name.objects.values_list("group", "name")) == {
        ("writers", "Anna"),
        ("writers", "Ben"),
        ("writers", "Cleo"),
    }


def test_an_empty_value_clears_a_column(three_names: NameList) -> None:
    fill(NAMES, pks("Anna"), "group", "")
    assert Name.objects.get(name="Anna").group == ""


@pytest.mark.parametrize(
    ("column", "value", "fault"),
    [
        ("pronoun", "xe", "pronoun: Value 'xe' is not a valid choice"),
        ("group", "a\u200bb", "invisible character"),
        ("group", "x" * 201, "at most 200"),
        ("name", "Anna", "cannot be set for many"),
        ("word_list", "1", "cannot be set for many"),
        ("id", "1", "cannot be set for many"),
    ],
)
def test_what_the_column_does_not_take_changes_nothing(
    three_names: NameList, column: str, value: str, fault: str
) -> None:
    before = list(Name.objects.order_by("pk").values())
    with pytest.raises(InputError, match=fault):
        fill(NAMES, pks("Anna", "Ben"), column, value)
    assert list(Name.objects.order_by("pk").values()) == before


def test_lists_of_words_are_written_with_semicolons(db: None) -> None:
    traits = TraitList.objects.create(slug="traits", title="Traits")
    pair = TraitPair.objects.create(word_list=traits, left="cold", right="warm")
    fill(KINDS["traits"], [pair.pk], "left_extra", "aloof; unkind")
    pair.refresh_from_db()
    assert pair.left_extra == ["aloof", "unkind"]
