"""Which option a text names."""

import pytest

from workers.probes.matching import matched

OPTIONS = ("The grandfather", "Can't be determined", "The woman in the pantsuit ")


@pytest.mark.parametrize(
    ("output", "place"),
    [
        ("The grandfather", 0),
        ("  the GRANDFATHER\n", 0),
        ("can't be determined", 1),
        ("Can't be determined.", 1),
        ("{the grandfather}", 0),
        ("the grandfather .", 0),
        ("the  grandfather", 0),
        ("the woman in the pantsu", 2),
        ("The woman in the pantsuit", 2),
        ("grandfather", None),
        ("the grandfather and more", None),
        ("cannot be determined", None),
        ("", None),
        (" . ", None),
    ],
)
def test_an_output_names_an_option_or_none(output: str, place: int | None) -> None:
    assert matched(output, OPTIONS) == place


def test_a_name_with_an_apostrophe_matches_with_and_without() -> None:
    options = ("Donna O'Brien", "Maria Rojas", "Not known")
    assert matched("donna obrien", options) == 0
    assert matched("Donna O'Brien", options) == 0
    assert matched("donna o'brien", ("Donna OBrien", "Maria Rojas", "Not known")) == 0


def test_an_exact_match_goes_before_a_loose_one() -> None:
    assert matched("yes.", ("yes", "yes.", "no")) == 1
    assert matched("{yes.}", ("yes", "yes.", "no")) is None
