"""How many names a table has by race and gender."""

from plumbline.vocab.proposals.distribution import names_by_group, names_of_race
from plumbline.vocab.proposals.table import table_of
from tests.plumbline.vocab.proposals.some_tables import TABLE


def test_a_name_counts_once_for_each_group_in_which_a_child_bears_it() -> None:
    table = table_of("births.csv", TABLE)
    found = {one.group: (one.names, one.children) for one in names_by_group(table)}
    assert found == {
        "Asian women": (1, 40),
        "Asian men": (0, 0),
        "Hispanic women": (2, 48),
        "Hispanic men": (2, 37),
        "European American women": (1, 10),
        "European American men": (0, 0),
        "African American women": (1, 60),
        "African American men": (0, 0),
    }
    assert list(found)[:4] == ["Asian women", "Asian men", "Hispanic women", "Hispanic men"]
    assert (names_of_race(table, "HS"), names_of_race(table, "AS")) == (3, 1)
