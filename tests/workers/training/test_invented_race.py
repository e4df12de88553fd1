"""The passages that the docs' trial run learns from are of RACE's form, and each has one right answer in its text."""

from pathlib import Path

from tests.workers.training.invented_race import write
from workers.training.race_dataset import read_race


def test_the_right_option_is_the_one_that_the_passage_states(tmp_path: Path) -> None:
    write(tmp_path, 12, seed=0)
    questions, left_out = read_race(tmp_path)
    assert (len(questions), left_out) == (24, 0)
    for one in questions:
        name = one.question.split()[2 if one.question.startswith("What") else 0]
        (sentence,) = (part for part in one.context.split(".") if part.split()[:1] == [name])
        assert [answer in sentence for answer in one.answers] == [place == one.gold for place in range(4)]
    assert {one.gold for one in questions} == {0, 1, 2, 3}
