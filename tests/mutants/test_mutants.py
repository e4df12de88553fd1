"""The list of mutants: each entry fits the code as it is, and no room is without one."""

import pytest

from tests.mutants.entries import ROOT, Mutant, load, room_of, rooms
from tests.mutants.trials import Ended, Fate, judged

MUTANTS = load()
FEWEST, FEWEST_SLOW = 40, 10
GREEN = Ended(0, "12 passed in 0.12s", 0.1)

each = pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)


@each
def test_its_text_occurs_once_in_the_file_and_becomes_another(mutant: Mutant) -> None:
    text = (ROOT / mutant.file).read_text(encoding="utf-8")
    assert mutant.of(text) != text


@each
def test_its_tests_are_there(mutant: Mutant) -> None:
    assert mutant.tests
    for selected in mutant.tests:
        file, *names = selected.split("::")
        assert (ROOT / file).exists()
        assert all(name.split("[")[0] in (ROOT / file).read_text(encoding="utf-8") for name in names)


@each
def test_it_says_in_one_sentence_what_breaks(mutant: Mutant) -> None:
    assert mutant.breaks.endswith(".")
    assert mutant.room == room_of(mutant.file)


def test_there_are_enough_with_names_of_their_own() -> None:
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS) >= FEWEST
    assert sum(mutant.slow for mutant in MUTANTS) >= FEWEST_SLOW


def test_every_room_of_the_code_has_one() -> None:
    assert rooms() <= {mutant.room for mutant in MUTANTS}


@pytest.mark.parametrize("text", ["nothing of the kind", "twice, twice"])
def test_a_text_that_is_not_once_is_refused(text: str) -> None:
    mutant = Mutant("no", "spec", "a.py", "twice", "once", "Nothing.", ("tests",))
    with pytest.raises(ValueError, match="it must occur once"):
        mutant.of(text)


@pytest.mark.parametrize(
    ("status", "output", "fate", "by"),
    [
        (1, "FAILED tests/a.py::test_b[x-y] - assert 1 == 2\n", Fate.KILLED, "tests/a.py::test_b[x-y]"),
        (1, "ERROR tests/a.py::test_b - KeyError: 'c'\n", Fate.KILLED, "tests/a.py::test_b"),
        (0, GREEN.output, Fate.SURVIVED, ""),
        (1, "ERROR tests/a.py - SyntaxError: invalid syntax\n", Fate.FAULTY, "pytest ended with status 1"),
        (5, "no tests ran in 0.01s", Fate.FAULTY, "pytest ended with status 5"),
        (None, "", Fate.FAULTY, "pytest took too long"),
    ],
)
def test_only_a_test_that_fails_kills(status: int | None, output: str, fate: Fate, by: str) -> None:
    trial = judged(MUTANTS[0], GREEN, Ended(status, output, 1.0))
    assert (trial.fate, trial.by.removesuffix(" and names no failed test")) == (fate, by)


@pytest.mark.parametrize(("status", "output"), [(0, "3 skipped in 0.1s"), (1, "FAILED tests/a.py::test_b - x\n")])
def test_a_test_that_does_not_pass_by_itself_kills_nothing(status: int, output: str) -> None:
    trial = judged(MUTANTS[0], Ended(status, output, 1.0), GREEN)
    assert (trial.fate, trial.by) == (Fate.FAULTY, "its tests do not pass without it")
