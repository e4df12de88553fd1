import pytest

from plumbline.spec.word_families import family_in_list, family_of


@pytest.mark.parametrize(
    ("text", "family"),
    [
        ("nurse", "nurse"),
        ("CIVIL ENGINEER II", "engineer"),
        ("Engineer PT", "engineer"),
        ("POLICE OFFICER 3", "officer"),
        ("Director of Nursing", "director"),
        ("PROJECT MGR", "manager"),
        ("Program Manager", "manager"),
        ("OFFICE ADMIN", "administrator"),
        ("II", "ii"),
        ("...", "..."),
    ],
)
def test_grades_and_short_forms_of_one_title_are_one_family(text: str, family: str) -> None:
    assert family_of(text) == family


def test_what_a_curator_names_goes_before_the_rule_whatever_its_case() -> None:
    assert family_in_list("CIVIL ENGINEER II", " Builder ") == "builder"
    assert family_in_list("CIVIL ENGINEER II", "ENGINEER") == family_in_list("Engineer PT", "") == "engineer"
