import pytest

from plumbline.sql_page.faults import AskError
from plumbline.sql_page.parameters import names, numbered


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("SELECT :run, :run, :group_a", ["run", "group_a"]),
        ("SELECT ':run', \":run\", $$:run$$, $x$ :run $x$, E'\\':run'", []),
        ("SELECT 1 -- :run\n, /* :run */ 2", []),
        ("SELECT x::integer, a[1:2], a[i:j], f(x := 1)", []),
        ("SELECT :run::integer", ["run"]),
        ("WHERE x=:a AND y=:b", ["a", "b"]),
    ],
)
def test_parameters_are_found_in_the_places_of_values(text: str, found: list[str]) -> None:
    assert names(text) == found


def test_each_name_becomes_a_place_without_moving_what_follows() -> None:
    text = "SELECT :a, :run::integer, ':a' WHERE :run = :a"
    assert numbered(text) == "SELECT $1, $2  ::integer, ':a' WHERE $2   = $1"
    assert len(numbered(text)) == len(text)


def test_a_tenth_parameter_is_refused() -> None:
    with pytest.raises(AskError, match="9 parameters; this one has 10"):
        names(" ".join(f":p{number}" for number in range(10)))
