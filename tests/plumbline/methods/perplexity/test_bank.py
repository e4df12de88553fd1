"""Banks of texts from files, one text per line."""

import gzip
from pathlib import Path

import pytest

from plumbline.methods.perplexity.bank_kinds import texts
from plumbline.spec.errors import InputError


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
