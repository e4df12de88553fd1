"""Finding words in a corpus: edges, case, the longest form; a fair and seeded sample; sentences cut out."""

import gzip
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.spec.content import Group
from plumbline.spec.errors import InputError
from workers.engine.sentences import Sentence
from workers.probes.ceat.corpus import corpus_digest, corpus_files, documents
from workers.probes.ceat.occurrences import Term, sample, sentence_around, term_of


def counts(text: str, *words: str, **options: bool) -> dict[str, int]:
    found = sample([text], [Term(word, (word,)) for word in words], 100, 0, **options)
    for word, one in found.items():
        for sentence in one.sentences:
            ((start, end),) = sentence.spans
            assert sentence.text[start:end].lower() == word.lower()
    return {word: one.count for word, one in found.items()}


def test_a_word_ends_before_anything_but_a_letter_or_hyphen() -> None:
    text = "Women met. A woman, (women) and women's men; businesswomen, women-only, self-confident, confident."
    assert counts(text, "women", "confident", "men") == {"women": 3, "confident": 1, "men": 1}


def test_capitals_are_found_as_written_and_small_letters_in_any_case() -> None:
    text = "Mark left a mark. MARK! Poor mark, poor Asian and asian."
    assert counts(text, "Mark", "poor", "Asian") == {"Mark": 1, "poor": 2, "Asian": 1}
    assert counts(text, "Mark", ignore_case=True) == {"Mark": 4}


def test_the_longer_of_two_words_counts_and_none_inside_it() -> None:
    text = "Black women and women. Science-oriented people are people of science."
    found = counts(text, "Black women", "women", "science-oriented", "science")
    assert found == {"Black women": 1, "women": 1, "science-oriented": 1, "science": 1}


def test_two_words_may_share_a_form() -> None:
    found = sample(["The poor are poor."], [Term("group", ("poor",)), Term("trait", ("poor",))], 9, 0)
    assert {label: one.count for label, one in found.items()} == {"group": 2, "trait": 2}


def test_a_letter_whose_small_form_is_two_letters_moves_nothing() -> None:
    assert counts("İİİ women", "women") == {"women": 1}


def test_the_sentence_is_cut_out_of_its_document() -> None:
    text = 'He came. "Then women left!" Nobody knew.'
    at = text.index("women")
    assert sentence_around(text, at, at + 5) == Sentence('"Then women left!"', ((6, 11),))
    long = " ".join(["word"] * 100 + ["women"] + ["word"] * 100)
    assert len(sentence_around(long, 500, 505).text.split()) == 81


@given(st.integers(1, 30), st.integers(1, 12), st.integers(0, 5))
def test_a_sample_is_as_large_as_it_can_be_without_repetition(lines: int, size: int, seed: int) -> None:
    text = [f"women number {number}" for number in range(lines)]
    found = sample(text, [Term("women", ("women",))], size, seed)["women"]
    assert found.count == lines
    assert len({one.text for one in found.sentences}) == len(found.sentences) == min(size, lines)
    again = sample(text, [Term("men", ("men",)), Term("women", ("women",))], size, seed)["women"]
    assert again == found


def test_every_occurrence_is_as_likely() -> None:
    text = [f"women {number}" for number in range(6)]
    drawn: Counter[str] = Counter()
    for seed in range(600):
        drawn.update(one.text for one in sample(text, [Term("women", ("women",))], 2, seed)["women"].sentences)
    assert all(150 < drawn[line] < 250 for line in text)  # 200 expected


def test_a_group_is_looked_for_in_both_numbers() -> None:
    assert term_of(Group(label="women", singular="woman", plural="women")) == Term("women", ("woman", "women"))
    assert term_of(Group(label="Latina")) == Term("Latina", ("Latina",))


def test_a_corpus_is_a_folder_or_a_file_of_lines(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text("second\n\n third \n")
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"first\n"))
    (tmp_path / "c.md").write_text("no")
    files = corpus_files(f"path:{tmp_path}")
    assert list(documents(files)) == ["first", "second", "third"]
    assert corpus_files(f"path:{tmp_path / 'b.txt'}") == [tmp_path / "b.txt"]
    before = corpus_digest(files)
    (tmp_path / "b.txt").write_text("other\n")
    assert corpus_digest(files) != before


def test_what_is_no_text_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        corpus_files(f"path:{tmp_path / 'none'}")
    with pytest.raises(InputError, match=r"holds no \.txt or \.gz file"):
        corpus_files(f"path:{tmp_path}")
    (tmp_path / "a.gz").write_text("plain")
    with pytest.raises(InputError, match="correct it or remove it"):
        list(documents(corpus_files(f"path:{tmp_path}")))
