"""The sentences of a text, by the group that they name."""

import gzip
from pathlib import Path

import pytest

from plumbline.spec.errors import InputError
from tests.workers.debiasing.test_words import ENTRIES
from workers.debiasing.corpus import NEUTRAL, Corpus, by_group, drawn, read_corpus
from workers.debiasing.words import GroupWords

WORDS = GroupWords.of("gender", ENTRIES)


def corpus_of(*sentences: str) -> Corpus:
    return Corpus(Path("some.txt"), list(sentences), "")


def many(text: str, count: int = 20) -> list[str]:
    return [text.format(number) for number in range(count)]


@pytest.mark.parametrize("name", ["text.txt", "text.txt.gz"])
def test_a_text_is_cut_into_sentences_each_once(tmp_path: Path, name: str) -> None:
    raw = b"The cat sat down here. Did it rain all day? Yes.\nThe cat sat down here.\n"
    (tmp_path / name).write_bytes(gzip.compress(raw) if name.endswith("gz") else raw)
    assert read_corpus(tmp_path / name).sentences == ["The cat sat down here.", "Did it rain all day?"]


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.gz").write_bytes(b"no gzip")
    with pytest.raises(InputError, match="cannot read the text"):
        read_corpus(tmp_path / "x.gz")


def test_sentences_that_name_two_groups_are_left_out() -> None:
    found = by_group(corpus_of(*many("Woman {}"), *many("Man {}"), "The man and the woman", "Nobody"), WORDS)
    assert {group: len(some) for group, some in found.items()} == {"female": 20, "male": 20, NEUTRAL: 1}


def test_a_text_without_any_of_the_words_is_refused() -> None:
    with pytest.raises(InputError, match=r"the text some.txt holds none of the words of 'gender'"):
        by_group(corpus_of("Nobody is here"), WORDS)


def test_a_text_with_too_few_sentences_of_a_group_is_refused() -> None:
    with pytest.raises(InputError, match="has 3 sentences that name 'male' and no other group of 'gender'; 20 are"):
        by_group(corpus_of(*many("Woman {}"), *many("Man {}", 3)), WORDS)


def test_as_many_are_drawn_of_each_group_the_same_ones_by_seed() -> None:
    sentences = {"female": many("Woman {}", 50), "male": many("Man {}", 30)}
    found = drawn(sentences, ["female", "male"], 40, seed=1)
    assert [len(set(some)) for some in found.values()] == [30, 30]
    assert found == drawn(sentences, ["female", "male"], 40, seed=1) != drawn(sentences, ["female", "male"], 40, seed=2)
