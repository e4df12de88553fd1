import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.audits.word_materials import WordMaterial, frequencies
from plumbline.desk.frequency import Frequencies, Share, frequencies_of
from plumbline.vocab.models import Name, NameList

PART_OF = {f"Anna{n}": "EA" for n in range(5)} | {f"Zoe{n}": "AA" for n in range(6)} | {"Max": ""}


def describe(of: dict[str, float]) -> Frequencies:
    found = frequencies_of("births", WordMaterial(PART_OF, of))
    assert found is not None
    return found


def test_the_parts_are_laid_out_with_what_is_not_known_of_them() -> None:
    """1 2 3 4 5: the quartiles are 2, 3 and 4. 10 and 20: a quarter of the way is 12.5."""
    of = {f"Anna{n}": n + 1.0 for n in range(5)} | {"Zoe0": 10.0, "Zoe1": 20.0}
    assert describe(of).shares == [
        Share("", 0, 1, None),
        Share("AA", 2, 4, (12.5, 15.0, 17.5)),
        Share("EA", 5, 0, (2.0, 3.0, 4.0)),
    ]


def test_an_unknown_frequency_is_no_zero() -> None:
    found = describe({"Zoe0": 10.0})
    assert [share.median for share in found.shares] == [None, 10.0, None]
    assert [share.name for share in found.thin] == ["", "AA", "EA"]


def test_a_part_of_which_three_quarters_are_known_is_not_thin() -> None:
    assert Share("", 3, 1, (1, 1, 1)).mostly_known
    assert not Share("", 5, 2, (1, 1, 1)).mostly_known


@given(st.dictionaries(st.sampled_from(sorted(PART_OF)), st.floats(0, 1e6), min_size=1))
def test_each_name_is_known_or_unknown(of: dict[str, float]) -> None:
    shares = describe(of).shares
    assert sum(share.known for share in shares) == len(of)
    assert sum(share.n for share in shares) == len(PART_OF)
    assert all(sorted(share.quartiles) == list(share.quartiles) for share in shares if share.quartiles)


@pytest.mark.django_db
def test_only_the_names_of_the_list_count() -> None:
    ours, theirs = (NameList.objects.create(slug=slug, title=slug, frequency_source=slug) for slug in ("a", "b"))
    part_of = {"Anna": "EA", "Ben": "EA"}
    for name in part_of:
        Name.objects.create(word_list=ours, name=name)
        Name.objects.create(word_list=theirs, name=name, frequency=0.5)
    assert frequencies("a", part_of) == {}
    Name.objects.filter(word_list=ours, name="Ben").update(frequency=0.0)
    assert frequencies("a", part_of) == {"Ben": 0.0}


def test_a_list_of_which_no_frequency_is_known_has_none() -> None:
    assert frequencies_of("", WordMaterial(PART_OF)) is None
