"""The authors' table of targets, in both meanings that its column has had."""

from pathlib import Path

import pytest

from plumbline.methods.bbq.bank import published_examples
from plumbline.methods.bbq.bank.authors import AGREEING, NAMED, read
from plumbline.spec.errors import InputError
from tests.plumbline.methods.bbq.bank.some_examples import TEMPLATE, four, table, written

NAMES_IT, AGREES = (0, 0, 0, 0), (0, 0, 1, 1)


def told(folder: Path, places: tuple[object, ...], **more: str) -> Path:
    rows = [{"category": "Age", "example_id": str(n), "target_loc": str(p)} | more for n, p in enumerate(places)]
    return table(folder / "additional_metadata.csv", rows)


@pytest.mark.parametrize(("places", "meaning"), [(NAMES_IT, NAMED), (AGREES, AGREEING)])
def test_either_meaning_gives_the_option_that_names_the_group(
    tmp_path: Path, places: tuple[int, ...], meaning: str
) -> None:
    assert read(told(tmp_path, places)).meanings == {"Age": meaning}
    found = published_examples.questions(written(tmp_path / "Age.jsonl", four()))
    assert [item["target"] for item in found.items] == [0, 0, 0, 0]
    assert [item["flags"] for item in found.items] == [[], [], [], []]


def test_where_the_table_differs_from_the_rule_it_wins_and_the_item_is_flagged(tmp_path: Path) -> None:
    told(tmp_path, (1, 1, 1, 1))
    found = published_examples.questions(written(tmp_path / "Age.jsonl", four()))
    assert [item["target"] for item in found.items] == [1, 1, 1, 1]
    assert {tuple(item["flags"]) for item in found.items} == {("target differs",)}


def test_where_the_table_says_nothing_the_rule_decides(tmp_path: Path) -> None:
    told(tmp_path, (*NAMES_IT, "NA", "NA", "2", ""))
    found = published_examples.questions(written(tmp_path / "Age.jsonl", [*four(0), *four(1)]))
    assert {item["target"] for item in found.items} == {0}


def test_an_example_with_two_targets_is_left_to_the_rule(tmp_path: Path) -> None:
    rows = [{"category": "Age", "example_id": "0", "target_loc": place} for place in ("0", "1.0")]
    authors = read(table(tmp_path / "additional_metadata.csv", rows))
    assert authors.places == {}
    assert authors.notices == ["additional_metadata.csv gives 1 examples two targets: left to the rule."]


def test_it_says_the_second_identity_of_intersectional_examples(tmp_path: Path) -> None:
    row = {"category": "Race_x_SES", "target_loc": "NA", "Known_stereotyped_var2": "lowSES"}
    table(tmp_path / "additional_metadata.csv", [row | {"example_id": str(n)} for n in range(4)])
    info = {"ans0": ["a", "lowSES-Black"], "ans1": ["b", "highSES-Black"], "ans2": ["Unknown", "unknown"]}
    metadata = {"stereotyped_groups": ["Black"]}
    lines = four(category="Race_x_SES", answer_info=info, additional_metadata=metadata)
    found = published_examples.questions(written(tmp_path / "Race_x_SES.jsonl", lines))
    assert {(item["target"], item["differs"]) for item in found.items} == {(0, "SES")}


def test_a_place_that_is_none_is_named_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"additional_metadata\.csv, line 3: target_loc '3' is no number from 0 to 2"):
        read(told(tmp_path, (0, 3)))


def test_the_table_is_found_where_the_repository_has_it(tmp_path: Path) -> None:
    (tmp_path / "supplemental").mkdir()
    told(tmp_path / "supplemental", (1, 1, 1, 1))
    table(tmp_path / "templates/Age.csv", [TEMPLATE])
    written(tmp_path / "data/Age.jsonl", four())
    assert {item["target"] for item in published_examples.questions(tmp_path).items} == {1}
