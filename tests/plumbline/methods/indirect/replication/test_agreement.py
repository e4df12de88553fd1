"""How far direct and indirect scores agree: shaped from the measures of runs, beside the print."""

from dataclasses import replace

from plumbline.methods.indirect.card import AGREEMENT
from plumbline.methods.indirect.replication.agreement import Cell, matrix, of_genders, of_list
from plumbline.spec.measure import Measure

WORDS = {"male": "male", "female": "female", "girl": "female"}
LIST = "gender-words"


def agreed(value: float, category: str = LIST, attribute: str = "", group_b: str = "") -> Measure:
    where = Measure(AGREEMENT, "target", n=99, n_units=99, value=value, category=category)
    return replace(where, attribute=attribute, group_b=group_b)


FOUND = [
    agreed(0.5),
    agreed(0.3, "traits"),
    agreed(0.6, group_b="female"),
    agreed(0.2, group_b="male"),
    agreed(0.1, attribute="girl"),
    agreed(0.7, attribute="female"),
]


def test_all_words_come_first_then_each_gender_then_word_by_word() -> None:
    rows = of_genders(FOUND, LIST, WORDS, {"words": 0.4477, "female": 0.6574})
    assert [(one.word, one.gender, one.measure.value, one.printed) for one in rows] == [
        ("", "", 0.5, 0.4477),
        ("", "female", 0.6, 0.6574),
        ("", "male", 0.2, None),
        ("female", "female", 0.7, None),
        ("girl", "female", 0.1, None),
    ]


def test_a_list_has_one_figure_over_all_its_pairs() -> None:
    found = of_list(FOUND, "traits")
    assert found is not None
    assert found.value == 0.3
    assert of_list(FOUND, "ages") is None


def test_lists_are_in_the_order_of_the_thesis_and_own_ones_behind() -> None:
    printed = {("countries", "beverages"): 0.1, ("occupations", "countries"): None}
    runs = {"occupations": (7, [agreed(0.2, "countries"), agreed(0.4, "skills")]), "dishes": (8, [agreed(0.3, LIST)])}
    found = matrix(runs, printed)
    assert list(found) == ["beverages", "countries", "skills", LIST]
    assert [list(row) for row in found.values()] == [["countries", "occupations", "dishes"]] * 4
    assert found["beverages"]["countries"] == Cell(0, None, 0.1)
    assert found["countries"]["occupations"] == Cell(7, runs["occupations"][1][0], None)
    assert found["beverages"]["dishes"] == Cell(0, None, None)
