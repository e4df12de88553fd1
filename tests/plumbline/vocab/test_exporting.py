from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from plumbline.spec.clean_text import fault_in, tidy
from plumbline.spec.errors import InputError
from plumbline.vocab.content import version
from plumbline.vocab.exporting import FORMATS, export_bytes, export_text
from plumbline.vocab.importing import import_file
from plumbline.vocab.kinds import KINDS, Kind
from plumbline.vocab.models import Attribute, AttributeSet, NameList, TraitList, TraitPair

NAMES = KINDS["names"]
WORDS = st.text(min_size=1, max_size=30).map(tidy).filter(lambda word: word != "" and not fault_in(word))
AWKWARD = st.sampled_from(["O'Brien", "=1+1", "'=1", "-", "@x", "a,b", "a;b", 'the "Kid"', "ليلى", "'Abd", "+1"])

pytestmark = pytest.mark.django_db


def round_trip(kind: Kind, slug: str, path: Path) -> None:
    """Export in the format of the path's ending, delete, import."""
    path.write_bytes(export_bytes(kind, path.suffix[1:], slug))
    kind.list_model.objects.filter(slug=slug).delete()
    import_file(kind, path)


@pytest.mark.parametrize("ending", FORMATS)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(words=st.lists(WORDS | AWKWARD, min_size=1, max_size=8, unique=True), title=WORDS | AWKWARD)
def test_an_exported_list_comes_back_with_the_same_version(
    tmp_path: Path, ending: str, words: list[str], title: str
) -> None:
    assume(ending != "xlsx" or not any(one in "\ufffe\uffff" for word in (*words, title) for one in word))
    AttributeSet.objects.filter(slug="words").delete()
    words_set = AttributeSet.objects.create(slug="words", title=title, source=title, sensitive=True)
    Attribute.objects.bulk_create(
        Attribute(word_list=words_set, text=word, plural=title, article=title, group=title, family=title)
        for word in words
    )
    before = version("attributes", "words")
    round_trip(KINDS["attributes"], "words", tmp_path / f"words.{ending}")
    assert version("attributes", "words") == before
    assert AttributeSet.objects.get().sensitive is True


@pytest.mark.parametrize("ending", FORMATS)
def test_trait_pairs_come_back_with_their_further_adjectives(tmp_path: Path, ending: str) -> None:
    traits = TraitList.objects.create(slug="traits", title="Traits", description="Two lines,\nthe second.")
    TraitPair.objects.create(word_list=traits, left="cold", right="warm", left_extra=["aloof", "un, kind"], note="seen")
    before = version("attributes", "traits")
    round_trip(KINDS["traits"], "traits", tmp_path / f"traits.{ending}")
    assert version("attributes", "traits") == before
    assert TraitList.objects.get().description == "Two lines,\nthe second."
    assert TraitPair.objects.get().note == "seen"


def test_an_export_imported_as_it_is_changes_nothing(three_names: NameList, tmp_path: Path) -> None:
    path = tmp_path / "names.csv"
    path.write_bytes(export_text(NAMES).encode())
    assert str(import_file(NAMES, path).changes[0]) == "three: 3 entries (0 added, 0 changed, 0 removed)"


def test_only_the_first_row_carries_what_the_list_says_about_itself(three_names: NameList) -> None:
    header, first, second, _ = export_text(NAMES, "three").splitlines()
    assert header.startswith(
        "list,list_title,list_description,list_source,list_licence,list_origin,list_frequency_source,"
    )
    assert first.startswith('three,Three names,,This test,,"English, 2026",,Anna,readers')
    assert second.startswith("three,,,,,,,Ben,readers")


@pytest.mark.parametrize("ending", FORMATS)
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(frequencies=st.lists(st.none() | st.floats(0, 1e11), min_size=1, max_size=8))
def test_frequencies_come_back_to_the_last_digit_and_unknown_ones_as_unknown(
    tmp_path: Path, ending: str, frequencies: list[float | None]
) -> None:
    NameList.objects.filter(slug="counted").delete()
    names = NameList.objects.create(slug="counted", title="Counted", frequency_source="births, in percent")
    for number, frequency in enumerate(frequencies):
        names.entries.create(name=f"name{number}", frequency=frequency, position=number)
    round_trip(NAMES, "counted", tmp_path / f"names.{ending}")
    came_back = NameList.objects.get(slug="counted")
    assert came_back.frequency_source == "births, in percent"
    assert [name.frequency for name in came_back.rows()] == frequencies


def test_no_cell_of_an_export_is_a_formula(three_names: NameList) -> None:
    three_names.entries.filter(name="Anna").update(name="=HYPERLINK(0)")
    assert ",'=HYPERLINK(0)," in export_text(NAMES, "three")


def test_without_a_slug_all_lists_of_the_kind_are_exported(three_names: NameList) -> None:
    other = NameList.objects.create(slug="other", title="Other")
    other.entries.create(name="Anna")
    assert [line.split(",")[0] for line in export_text(NAMES).splitlines()[1:]] == ["other", "three", "three", "three"]


def test_an_unknown_list_is_refused(three_names: NameList) -> None:
    with pytest.raises(InputError, match=r"no names list 'thre'; did you mean three\?"):
        export_text(NAMES, "thre")
