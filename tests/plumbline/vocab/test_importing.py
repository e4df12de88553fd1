from collections.abc import Callable
from pathlib import Path

import pytest
from openpyxl import Workbook  # type: ignore[import-untyped]

from plumbline.spec.errors import InputError
from plumbline.vocab.content import frozen, version
from plumbline.vocab.faults import FaultyFileError
from plumbline.vocab.importing import import_file
from plumbline.vocab.kinds import KINDS
from plumbline.vocab.models import AttributeSet, Group, Name, NameList, TraitList, TraitPair
from plumbline.vocab.replacing import compare, write

WriteFile = Callable[..., Path]
NAMES = KINDS["names"]

pytestmark = pytest.mark.django_db


def test_a_new_list_takes_its_title_from_the_command_or_else_its_slug(write_file: WriteFile) -> None:
    path = write_file("name,group\nO'Brien,Irish\n")
    assert str(import_file(NAMES, path, "irish").changes[0]) == "irish: new, 1 entry"
    import_file(NAMES, path, "irish-2", {"title": "Irish names", "origin": "Ireland, English, 2026"})
    assert frozen("names", "irish")["title"] == "irish"
    assert frozen("names", "irish-2")["title"] == "Irish names"
    assert frozen("names", "irish")["entries"] == [{"name": "O'Brien", "group": "Irish", "pronoun": ""}]


def test_the_file_replaces_the_list_and_leaves_equal_rows_alone(three_names: NameList, write_file: WriteFile) -> None:
    anna = Name.objects.get(name="Anna").pk
    change = import_file(NAMES, write_file("name,group\nDora,readers\nAnna,readers\nBen,writers\n"), "three").changes[0]
    assert str(change) == "three: 3 entries (1 added, 1 changed, 1 removed)"
    assert [(name.name, name.group) for name in three_names.rows()] == [
        ("Dora", "readers"),
        ("Anna", "readers"),
        ("Ben", "writers"),
    ]
    assert Name.objects.get(name="Anna").pk == anna


def test_the_title_of_a_list_stays_when_a_file_says_nothing_of_it(three_names: NameList, write_file: WriteFile) -> None:
    import_file(NAMES, write_file("name\nAnna\n"), "three")
    assert frozen("names", "three")["title"] == "Three names"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("group\nreaders\n", "words.csv: line 1: the header has no column 'name'"),
        ("name,group\n", "words.csv: there is no row"),
        ("name,group\nDora,x\n ,x\n", "words.csv: line 3: name is blank; fill it in"),
        ("name\nDora\nEve\nDora\n", "words.csv: line 4: 'Dora' appears on line 2 already; keep one."),
        ("name\nDora\n Dora \n", "words.csv: line 3: 'Dora' appears on line 2 already"),
        ("name\nDora\nEv\u200be\n", r"words.csv: line 3: name has the invisible character U\+200B"),
        ("name,pronoun\nDora,her\n", "words.csv: line 2: pronoun Value 'her' is not a valid choice"),
        ("name\nDora\n=cmd()\n", "words.csv: line 3: '=cmd\\(\\)' would be a formula"),
        (f"name\nDora\n{'x' * 201}\n", "words.csv: line 3: name .*at most 200 characters"),
    ],
)
def test_one_bad_line_changes_nothing(three_names: NameList, write_file: WriteFile, text: str, fault: str) -> None:
    before = version("names", "three")
    with pytest.raises(InputError, match=fault) as refused:
        import_file(NAMES, write_file(text), "three")
    assert "\n" not in str(refused.value)
    assert version("names", "three") == before


def test_all_faulty_lines_are_reported_at_once(three_names: NameList, write_file: WriteFile) -> None:
    before = version("names", "three")
    text = "name,pronoun\nDora,she\nEve,her\n=1,she\nDora,\n,she\nFay\n"
    with pytest.raises(FaultyFileError) as refused:
        import_file(NAMES, write_file(text), "three")
    assert [fault.line for fault in refused.value.faults] == [3, 4, 5, 6, 7]
    assert str(refused.value).startswith("words.csv: line 3: pronoun Value 'her' is not a valid choice. And 4 more")
    assert version("names", "three") == before


def test_faults_of_all_lists_of_a_file_are_reported(write_file: WriteFile) -> None:
    with pytest.raises(FaultyFileError) as refused:
        import_file(NAMES, write_file("list,name\na,Anna\na,Anna\nb,\nc d,Ben\n"))
    assert [fault.line for fault in refused.value.faults] == [0, 3, 4]
    assert not NameList.objects.exists()


def test_an_update_adds_and_changes_and_leaves_the_rest(three_names: NameList, write_file: WriteFile) -> None:
    Name.objects.filter(name="Ben").update(race="blue", note="ask Ben")
    change = import_file(NAMES, write_file("name,group\nDora,new\nBen,writers\n"), "three", update=True).changes[0]
    assert str(change) == "three: 4 entries (1 added, 1 changed, 0 removed)"
    assert [(name.name, name.group, name.race, name.note) for name in three_names.rows()] == [
        ("Anna", "readers", "", ""),
        ("Ben", "writers", "blue", "ask Ben"),
        ("Cleo", "readers", "", ""),
        ("Dora", "new", "", ""),
    ]


def test_an_update_may_not_repeat_a_word_that_stays(write_file: WriteFile) -> None:
    import_file(KINDS["traits"], write_file("left,right\ncold,warm\npoor,wealthy\n"), "traits")
    with pytest.raises(InputError, match="line 2: 'cold' appears in the list already; keep one"):
        import_file(KINDS["traits"], write_file("left,right\ncold,friendly\n"), "traits", update=True)


def test_an_update_of_nothing_makes_a_list(write_file: WriteFile) -> None:
    change = import_file(NAMES, write_file("name\nAnna\n"), "fresh", update=True).changes[0]
    assert str(change) == "fresh: new, 1 entry"


def test_one_bad_list_of_several_changes_none(three_names: NameList, write_file: WriteFile) -> None:
    before = version("names", "three")
    with pytest.raises(InputError, match="line 4: 'Eve' appears on line 3 already"):
        import_file(NAMES, write_file("list,name\nthree,Dora\nfour,Eve\nfour,Eve\n"))
    assert version("names", "three") == before
    assert not NameList.objects.filter(slug="four").exists()


def test_a_file_may_hold_several_lists(write_file: WriteFile) -> None:
    changes = import_file(NAMES, write_file("list,list_title,name\na,A,Anna\nb,,Ben\na,,Abe\nb,B,Anna\n")).changes
    assert [(change.slug, change.total) for change in changes] == [("a", 2), ("b", 2)]
    assert [frozen("names", slug)["title"] for slug in "ab"] == ["A", "B"]


@pytest.mark.parametrize(
    ("text", "slug", "metadata", "fault"),
    [
        ("name\nAnna\nBen\n", "", {}, r"^words.csv: no list is named; choose one \(--list SLUG\)[^.]*\.$"),
        ("list,name\na,Anna\n,Ben\n", "", {}, "line 3: no list is named"),
        ("list,name\na,Anna\nb,Ben\n", "c", {}, "holds 2 lists, which cannot all be 'c'"),
        ("list,name\na,Anna\nb,Ben\n", "", {"title": "T"}, "holds 2 lists; a title or source goes with one"),
        ("list,list_title,name\na,A,Anna\na,B,Ben\n", "", {}, "line 3: list_title differs"),
        ("name\nAnna\n", "two words", {}, "list 'two words': slug"),
        ("name\nAnna\n", "a", {"title": " "}, "list 'a': title is blank"),
    ],
)
def test_it_must_be_clear_which_list_is_meant(
    write_file: WriteFile, text: str, slug: str, metadata: dict[str, str], fault: str
) -> None:
    with pytest.raises(InputError, match=fault):
        import_file(NAMES, write_file(text), slug, metadata)
    assert not NameList.objects.exists()


def test_excel_files_of_german_and_western_computers_are_read(write_file: WriteFile) -> None:
    german = write_file("name;group\r\nJürgen;Männer\r\n", encoding="utf-8-sig")
    assert import_file(NAMES, german, "german").notices == []
    western = write_file("name;group\r\nJürgen;Männer\r\n", encoding="cp1252")
    assert "cp1252" in import_file(NAMES, western, "western").notices[0]
    assert frozen("names", "german")["entries"] == frozen("names", "western")["entries"]


def test_groups_traits_and_templates_are_imported_too(write_file: WriteFile) -> None:
    import_file(KINDS["groups"], write_file("label,singular,plural,pilot\nnurses,nurse,nurses,yes\n"), "jobs")
    import_file(KINDS["traits"], write_file("left,right,left_extra\ncold,warm,aloof; unkind\n"), "traits")
    import_file(KINDS["templates"], write_file("template\n{Group.plural} [are|seem] {attribute}.\n"), "frames")
    assert Group.objects.get().pilot is True
    assert TraitPair.objects.get().left_extra == ["aloof", "unkind"]
    assert frozen("templates", "frames")["entries"][0]["template"] == "{Group.plural} [are|seem] {attribute}."


def test_a_faulty_template_is_refused_with_its_line(write_file: WriteFile) -> None:
    path = write_file("template\n{Group.plural} are {attribute}.\n{Group.plural} are [a|b.\n")
    with pytest.raises(InputError, match=r"line 3: template .*never closed"):
        import_file(KINDS["templates"], path, "frames")


def test_adjectives_may_change_sides_and_pairs(write_file: WriteFile) -> None:
    traits = KINDS["traits"]
    import_file(traits, write_file("left,right\ncold,warm\npoor,wealthy\n"), "traits")
    import_file(traits, write_file("left,right\nwarm,cold\npoor,warmer\n"), "traits")
    entries = frozen("attributes", "traits")["entries"]
    assert [entry["text"] for entry in entries] == ["warm", "cold", "poor", "warmer"]


def test_a_pair_of_equal_adjectives_is_refused(write_file: WriteFile) -> None:
    with pytest.raises(InputError, match="line 2: 'cold' appears twice on it"):
        import_file(KINDS["traits"], write_file("left,right\ncold,cold\n"), "traits")


def test_attributes_may_not_take_the_slug_of_a_trait_list(write_file: WriteFile) -> None:
    TraitList.objects.create(slug="abc", title="ABC")
    with pytest.raises(InputError, match="'abc' is a trait list already; choose another slug"):
        import_file(KINDS["attributes"], write_file("text\nnurse\n"), "abc")


def test_an_empty_frequency_is_unknown_and_zero_is_a_number(write_file: WriteFile) -> None:
    import_file(NAMES, write_file("name,frequency\nAnna,0.932\nBen,\nCleo,0\nDora, 1e-3\n"), "counted")
    assert [name.frequency for name in NameList.objects.get().rows()] == [0.932, None, 0.0, 0.001]


def test_numbers_of_a_workbook_are_frequencies(write_file: WriteFile, tmp_path: Path) -> None:
    book = Workbook()
    for row in (["name", "frequency"], ["Anna", 0.932], ["Ben", None], ["Cleo", 12]):
        book.active.append(row)
    book.save(tmp_path / "names.xlsx")
    import_file(NAMES, tmp_path / "names.xlsx", "counted")
    assert [name.frequency for name in NameList.objects.get().rows()] == [0.932, None, 12.0]


@pytest.mark.parametrize("wrong", ["often", "0,93", "1.234,5", "1_000", "nan", "inf", "1e999", "٣", "0x1"])
def test_a_frequency_that_is_no_number_is_refused_with_its_line(write_file: WriteFile, wrong: str) -> None:
    """A decimal comma is not guessed: 1,234 may be a thousand."""
    with pytest.raises(InputError, match=r"line 3: frequency is .*; write a number"):
        import_file(NAMES, write_file(f"name;frequency\nAnna;0.5\nBen;{wrong}\n"), "counted")
    assert not NameList.objects.exists()


@pytest.mark.parametrize(
    ("file", "content", "where"),
    [
        ("names.csv", "name,frequency\nAnna,'-0.5\n", "line 2"),
        ("a.json", '[{"name": "A", "frequency": -0.5}]', "entry 1"),
    ],
)
def test_a_negative_frequency_is_refused(tmp_path: Path, file: str, content: str, where: str) -> None:
    (tmp_path / file).write_text(content)
    with pytest.raises(InputError, match=f"{where}: frequency is -0.5; write a number from 0"):
        import_file(NAMES, tmp_path / file, "counted")


def test_frequencies_stay_where_an_update_does_not_name_them(three_names: NameList, write_file: WriteFile) -> None:
    three_names.entries.update(frequency=0.5)
    import_file(NAMES, write_file("name,group\nAnna,writers\n"), "three", update=True)
    assert set(three_names.entries.values_list("frequency", flat=True)) == {0.5}


def test_a_set_is_sensitive_when_its_file_says_so(write_file: WriteFile) -> None:
    import_file(KINDS["attributes"], write_file("list_sensitive,text\nyes,Black\n,White\n"), "races")
    assert AttributeSet.objects.get().sensitive is True


def test_a_row_that_only_moves_keeps_what_was_edited_meanwhile(three_names: NameList) -> None:
    ben, anna = (Name(name=name, group="readers") for name in ("Ben", "Anna"))
    difference = compare(KINDS["names"], "three", {}, [ben, anna])
    Name.objects.filter(name="Anna").update(note="seen")
    write(difference)
    assert list(Name.objects.order_by("position").values_list("name", "note")) == [("Ben", ""), ("Anna", "seen")]
