"""YAML files that were made to exhaust whoever reads them."""

import time
from pathlib import Path

import pytest

from plumbline.spec.errors import SpecError
from plumbline.spec.plain_data import MOST_DEPTH
from plumbline.spec.yaml_file import MOST_BYTES, read_yaml

LAUGHS = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 10)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
MERGES = "a: &a {x: 1}\n" + "".join(
    f"{new}: &{new} {{<<: [{', '.join([f'*{old}'] * 10)}]}}\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
MEGABYTES = f"a: &a {'x' * 100_000}\nb: [{', '.join(['*a'] * 100)}]\n"
ATTACKS = {
    "billion laughs": (LAUGHS, r"its aliases expand to \S+ characters; at most 1,000,000 are allowed"),
    "merged laughs": (MERGES, "its aliases expand to"),
    "megabytes": (MEGABYTES, "its aliases expand to 1e"),
    "a list in itself": ("name: &a [*a]\n", "the alias on line 1 or below contains itself"),
    "a mapping in itself": ("groups: &a\n  inline: *a\n", "the alias on line 1 or below contains itself"),
    "a long way to itself": ("a: &a {b: {c: [1, {d: *a}]}}\n", "contains itself"),
    "brackets": ("a: " + "[" * 100_000, f"nested more than {MOST_DEPTH} levels deep"),
    "closed brackets": ("a: " + "[" * 400 + "]" * 400, f"nested more than {MOST_DEPTH} levels deep"),
    "indents": ("\n".join(" " * depth + "a:" for depth in range(1000)), "levels deep"),
    "a number in base 60": ("seed: 1" + ":1" * 100_000, "is too long for a number"),
    "a number in base 16": ("seed: 0x" + "f" * 100_000, "is too long for a number"),
    "many keys": ("\n".join(f"key{number}: 1" for number in range(5_000)) + "\nkey1: 2", "'key1' appears twice"),
    "a key that is a list": ("{[a]: 1}", "a key on line 1 or below is no text"),
    "an unknown alias": ("a: *" + "b" * 5_000, "found undefined alias 'bbb"),
    "a repeated long key": (f"? {'k' * 5000}\n: 1\n? {'k' * 5000}\n: 2\n", "appears twice"),
    "an object": ("!!python/object/apply:os.system [id]", "could not determine a constructor"),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_hostile_file_is_refused_in_one_line_at_once(tmp_path: Path, attack: str) -> None:
    content, fault = ATTACKS[attack]
    path = tmp_path / "spec.yaml"
    path.write_text(content)
    begin = time.process_time()
    with pytest.raises(SpecError, match=fault) as refused:
        read_yaml(path)
    assert time.process_time() - begin < 10
    assert "\n" not in str(refused.value)
    assert "b" * 201 not in str(refused.value)
    assert "k" * 201 not in str(refused.value)


def test_a_large_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "spec.yaml"
    path.write_text("a: " + "x" * MOST_BYTES)
    with pytest.raises(SpecError, match="is larger than 1 MB; move its words to lists"):
        read_yaml(path)
    with pytest.raises(SpecError, match="is larger than 1 MB"):
        read_yaml(Path("/dev/zero"))


def test_aliases_and_merges_within_the_limits_are_read(tmp_path: Path) -> None:
    path = tmp_path / "spec.yaml"
    path.write_text("a: &a {list: words}\nb: {<<: *a, only: [x]}\nc: [*a, *a]\n")
    words = {"list": "words"}
    assert read_yaml(path) == {"a": words, "b": {**words, "only": ["x"]}, "c": [words, words]}


def test_a_name_that_is_no_path_is_refused() -> None:
    with pytest.raises(SpecError, match="cannot read the spec"):
        read_yaml(Path("a\0b"))
    with pytest.raises(SpecError, match="File name too long"):
        read_yaml(Path("x" * 5000))
