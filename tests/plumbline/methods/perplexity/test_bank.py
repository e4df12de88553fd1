"""Banks of texts from files, one text per line or row."""

import csv
import gzip
import re
from pathlib import Path

import pytest
import yaml

from plumbline.audits.starter_plans import STARTER as PLANS
from plumbline.methods.perplexity.bank_kinds import STARTER, texts
from plumbline.spec.audit import parse
from plumbline.spec.errors import InputError
from plumbline.vocab.banks.starter_banks import bank_seeds
from plumbline.vocab.seeding import FOLDER as LISTS


def test_each_line_is_a_text_named_by_its_place_and_repeated_ones_are_counted(tmp_path: Path) -> None:
    file = tmp_path / "own.txt.gz"
    file.write_bytes(gzip.compress(b"The river is long.\n\n  Rain fell.  \nThe river is long.\n"))
    found = texts(file)
    assert [(one["id"], one["text"]) for one in found.items] == [("1", "The river is long."), ("3", "Rain fell.")]
    assert found.notices == ["1 lines repeat an earlier one and are left out."]


def test_a_file_without_texts_and_a_line_that_is_too_long_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "own.txt"
    file.write_text("\n \n")
    with pytest.raises(InputError, match="holds no text"):
        texts(file)
    file.write_text("Rain fell.\n" + "a" * 5001)
    with pytest.raises(InputError, match="line 2: it has 5,001 characters"):
        texts(file)


def test_a_csv_file_has_its_texts_in_the_column_of_this_name(tmp_path: Path) -> None:
    file = tmp_path / "own.csv"
    file.write_text('id,text\n7,"The river is long, and wide."\n8,Rain fell.\n', encoding="utf-8")
    assert [one["text"] for one in texts(file).items] == ["The river is long, and wide.", "Rain fell."]


@pytest.mark.parametrize(
    ("content", "told"), [("sentence\nRain fell.\n", "no column 'text'"), ("text\n" + "a" * 200_000, "no CSV file")]
)
def test_a_csv_file_that_cannot_be_read_is_refused(tmp_path: Path, content: str, told: str) -> None:
    (tmp_path / "own.csv").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=told):
        texts(tmp_path / "own.csv")


def test_the_starter_texts_are_enough_for_a_verdict_and_none_is_there_twice() -> None:
    found = texts(STARTER / "texts.txt")
    assert len(found.items) >= 120
    assert found.notices == []


def test_the_starter_texts_name_no_group_that_a_mitigation_changes() -> None:
    """Otherwise a change of their perplexity would be an effect and not a cost."""
    lists = [LISTS / "attributes" / f"counterparts-{name}.csv" for name in ("gender", "race", "religion", "names")]
    named = {row["text"].lower() for path in lists for row in csv.DictReader(path.read_text("utf-8").splitlines())}
    words = {word for one in texts(STARTER / "texts.txt").items for word in re.findall("[a-z]+", one["text"].lower())}
    assert not words & named


@pytest.mark.parametrize("name", ["perplexity", "perplexity-causal"])
def test_a_starter_plan_asks_the_starter_texts(name: str) -> None:
    spec = parse(yaml.safe_load((PLANS / f"{name}.yaml").read_text(encoding="utf-8")))
    assert [source.slug for source in spec.sources()["bank"]] == ["texts-starter"]
    assert "texts-starter" in {seed.slug for seed in bank_seeds()}
