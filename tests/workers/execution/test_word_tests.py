"""Do the words of a list differ by group? A worker's tests of frequencies and pieces, and the families of their q."""

from typing import Any

import pytest

from plumbline.audits.models import Spelling, WordTest
from plumbline.audits.questions import ask_word_tests, known_word_tests
from plumbline.audits.word_materials import Pieces, Spelled, WordMaterial, word_material
from plumbline.vocab.models import Name, NameList
from tests.workers.execution.conftest import Silent
from workers.execution import Worker, answer_next
from workers.execution.word_tests import word_tests

PART_OF = {f"Anna{n}": "EA" for n in range(6)} | {f"Zoe{n}": "AA" for n in range(6)}
FREQUENCIES = {f"Anna{n}": 1.0 + n for n in range(6)} | {f"Zoe{n}": n / 100 for n in range(6)}


def spelled(anna: int, zoe: int, faulty: str = "") -> Spelled:
    return Spelled(
        {
            word: Pieces(anna if part == "EA" else zoe, 1, "unknown token" if word == faulty else "")
            for word, part in PART_OF.items()
        }
    )


def test_the_p_of_one_test_is_its_q() -> None:
    found = word_tests(WordMaterial(PART_OF, {}, {"a": spelled(1, 3)}))
    difference = found["tokenizers"]["a"]["difference"]
    assert difference["q_value"] == difference["p_value"] == pytest.approx(0.00091, abs=1e-5)
    assert (difference["present"], difference["n"], found["frequency"]) == (True, 12, None)


def test_q_counts_the_tokenizers_and_the_frequencies_that_were_tested() -> None:
    few = Spelled({"Anna0": Pieces(1, 1, "")})
    found = word_tests(WordMaterial(PART_OF, FREQUENCIES, {"a": spelled(1, 3), "b": spelled(2, 2), "c": few}))
    own = found["tokenizers"]
    p, of_names = own["a"]["difference"]["p_value"], found["frequency"]["p_value"]
    assert own["a"]["difference"]["q_value"] == pytest.approx(3 * p)
    assert found["frequency"]["q_value"] == pytest.approx(3 / 2 * of_names)
    assert (own["b"]["difference"]["q_value"], own["b"]["difference"]["present"]) == (1.0, False)
    assert own["c"] == {"intervals": {"EA": None}, "difference": None, "related": None}


def test_the_relation_of_frequency_and_pieces_is_a_family_of_its_own() -> None:
    found = word_tests(WordMaterial(PART_OF, FREQUENCIES, {"a": spelled(1, 3), "b": spelled(2, 2)}))["tokenizers"]
    assert found["a"]["related"]["q_value"] == found["a"]["related"]["p_value"]
    assert found["a"]["related"]["rho"] == pytest.approx(-0.87, abs=0.01)
    assert found["b"]["related"] is None


def test_a_word_that_cannot_be_spelled_is_left_out() -> None:
    words = Spelled({word: Pieces(1 + len(word), 1, "no" if word == "Anna0" else "") for word in PART_OF})
    found = word_tests(WordMaterial(PART_OF, FREQUENCIES, {"a": words}))["tokenizers"]["a"]
    assert (found["related"]["n"], found["difference"]["n"]) == (11, 11)


@pytest.fixture
def firsts(db: None) -> NameList:
    names = NameList.objects.create(slug="firsts", title="Firsts")
    for name, group in PART_OF.items():
        Name.objects.create(word_list=names, name=name, group=group)
        Spelling.objects.create(
            tokenizer_digest="a" * 64, word=name, subwords=len(group), pieces=[name], subwords_at_start=1,
            pieces_at_start=[name],
        )  # fmt: skip
    return names


def answer() -> WordTest:
    assert answer_next(Worker("test", Silent(), owner=""), lambda _: None)
    return WordTest.objects.get()


def test_a_worker_answers_and_the_answer_is_kept_for_these_words(firsts: NameList) -> None:
    assert ask_word_tests("names", "firsts")
    assert not ask_word_tests("names", "firsts")
    assert (answer().error, list(answer_of("firsts")["tokenizers"])) == ("", ["a" * 64])
    Name.objects.filter(name="Anna0").update(frequency=2.0)
    assert known_word_tests(word_material("names", "firsts")) is None


def answer_of(slug: str) -> dict[str, Any]:
    found = known_word_tests(word_material("names", slug))
    assert found is not None
    return dict(found.found)


def test_words_that_changed_since_somebody_asked_are_not_tested(firsts: NameList) -> None:
    ask_word_tests("names", "firsts")
    Name.objects.filter(name="Anna0").delete()
    assert answer().error.startswith("the list or its spellings changed since somebody asked")
