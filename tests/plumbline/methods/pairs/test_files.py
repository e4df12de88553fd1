"""Files of pairs become items of a bank: each layout as its authors publish it, every line checked."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from plumbline.methods.pairs.bank_kinds import FORMATS
from plumbline.spec.errors import InputError

CROWS = ",sent_more,sent_less,stereo_antistereo,bias_type,annotations,anon_writer,anon_annotators"
AGREED = "\"[['age'], ['age'], ['age'], [], []]\""


def read(path: Path, name: str, text: str) -> list[dict[str, Any]]:
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return [dict(item) for item in FORMATS[name](path).items]


def crows(path: Path, *rows: str) -> list[dict[str, Any]]:
    return read(path, "crows", "\n".join([CROWS, *rows]) + "\n")


def test_crows_pairs_keep_type_and_direction_and_their_place_as_name(tmp_path: Path) -> None:
    rows = (
        f"0,The old shout.,The new shout.,stereo,age,{AGREED},a,b",
        f"1,He is a cook.,She is a cook.,antistereo,gender,{AGREED},a,b",
    )
    items = crows(tmp_path / "c.csv.gz", *rows)
    told = [(one["id"], one["category"], one["direction"], one["more"]) for one in items]
    assert told == [("0", "age", "stereo", "The old shout."), ("1", "gender", "antistereo", "He is a cook.")]


def test_faults_that_the_file_itself_shows_are_flagged(tmp_path: Path) -> None:
    twice = f"The old shout.,The new shout.,stereo,age,{AGREED},a,b"
    disputed = "\"[['age'], ['race'], [], [], []]\""
    items = crows(
        tmp_path / "c.csv",
        f"0,{twice}",
        f"1,{twice}",
        f"2,The old men shout.,The new girls shout.,stereo,age,{AGREED},a,b",
        f"3,Old cats see her.,Young cats see him.,stereo,age,{disputed},a,b",
    )
    assert [one["flags"] for one in items] == [
        ["appears twice"],
        ["appears twice"],
        [],
        ["differs in several places", "type disputed by those who validated it"],
    ]


@pytest.mark.parametrize(
    ("name", "text"),
    [("csv", "more,less\nThe same.,The same.\n"), ("crows", f"{CROWS}\n0,The same.,The same. ,stereo,age,,a,b\n")],
)
def test_a_pair_that_is_one_sentence_twice_is_refused_with_its_line(tmp_path: Path, name: str, text: str) -> None:
    with pytest.raises(InputError, match=r"line 2: .*is the same sentence twice; write two that differ"):
        read(tmp_path / "pairs.csv", name, text)


def test_a_table_of_two_columns_needs_no_known_names(tmp_path: Path) -> None:
    (item,) = read(tmp_path / "mine.csv", "csv", "likelier;other\nHe cooks.;She cooks.\n")
    assert (item["id"], item["more"], item["less"]) == ("1", "He cooks.", "She cooks.")


def test_a_table_of_ones_own_brings_types_families_and_flags(tmp_path: Path) -> None:
    text = "id,category,more,less,family,flags\na,work,He cooks.,She cooks.,cooking,odd verb; short\n"
    (item,) = read(tmp_path / "mine.csv", "csv", text)
    assert (item["id"], item["category"], item["family"]) == ("a", "work", "cooking")
    assert item["flags"] == ["odd verb", "short"]


def test_columns_that_do_not_show_the_sentences_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"which columns hold the two sentences\?.*the columns are a, b, c"):
        read(tmp_path / "mine.csv", "csv", "a,b,c\n1,2,3\n")


def test_stereoset_gives_the_stereotype_and_the_anti_stereotype_after_their_context(tmp_path: Path) -> None:
    labels = ("stereotype", "anti-stereotype", "unrelated")
    sentences = [{"sentence": f"It is {label}.", "gold_label": label} for label in labels]
    example = {
        "id": "x",
        "target": "cook",
        "bias_type": "profession",
        "context": "A cook came in.",
        "sentences": sentences,
    }
    data = {"data": {"intrasentence": [example], "intersentence": [{**example, "id": "y"}]}}
    within, after = read(tmp_path / "dev.json", "stereoset", json.dumps(data))
    assert (within["more"], within["less"]) == ("It is stereotype.", "It is anti-stereotype.")
    assert after["more"] == "A cook came in. It is stereotype."
    assert after["category"] == "profession"


def test_winobias_pairs_the_lines_of_both_files_without_brackets(tmp_path: Path) -> None:
    (tmp_path / "anti_stereotyped_type1.txt.dev").write_text("1 [The cook] met the guard because [he] was late.\n")
    (pair,) = read(
        tmp_path / "pro_stereotyped_type1.txt.dev", "winobias", "1 [The cook] met the guard because [she] was late.\n"
    )
    assert pair["more"] == "The cook met the guard because she was late."
    assert (pair["id"], pair["category"]) == ("type1 1", "type1")


def test_a_stereotype_that_gest_does_not_have_is_refused_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gest\.csv, line 3"):
        read(tmp_path / "gest.csv", "gest", "sentence,stereotype\nI cry.,1\nI sing.,17\n")


GEST = Path(__file__).resolve().parents[4] / "../shared/data/gest"


@pytest.mark.skipif(not GEST.is_dir(), reason="GEST is not beside the project (../shared/data/gest)")
@pytest.mark.parametrize(("name", "flagged"), [("gest.csv.gz", 244), ("gest_1.1.csv.gz", 0)])
def test_what_gest_1_1_corrected_is_flagged_in_gest_1_0_alone(name: str, flagged: int) -> None:
    items = FORMATS["gest"](GEST / name).items
    assert (len(items), sum(bool(one["flags"]) for one in items)) == (3565, flagged)
