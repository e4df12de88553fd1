"""What a trained variant leaves of the groups: a fresh classifier on the states of sentences, before and after."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.workers.debiasing.test_words import ENTRIES
from tests.workers.tiny import save_tiny_bert
from tests.workers.training.variant_orders import order
from workers.debiasing.guardedness import readable
from workers.debiasing.states import sentence_states
from workers.debiasing.words import GroupWords
from workers.engine.loading import load_any, locate
from workers.training.train_variant import train_variant

GENDER = GroupWords.of("gender", ENTRIES)
# All sentences differ, and those of the two groups take turns, as the measurement draws them.
SENTENCES = [
    f"The {word} {first}{second} is warm." for first in "abcde" for second in "fghij" for word in ("woman", "man")
]


@pytest.fixture(autouse=True)
def _store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("MODEL_STORE", str(tmp_path / "store"))
    return iter([None])


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_bert(tmp_path_factory.mktemp("bert"), seed=1)


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text("\n".join(SENTENCES), encoding="utf-8")
    return path


def plainly(reference: str) -> float:
    """The accuracy by the plain steps: states of all sentences, every fifth one held out."""
    states = sentence_states(load_any(locate(reference), device="cpu"), SENTENCES)
    labels, held_out = np.tile([0, 1], len(SENTENCES) // 2), np.arange(len(SENTENCES)) % 5 == 0
    return readable(states[~held_out], labels[~held_out], states[held_out], labels[held_out]).accuracy


@pytest.mark.parametrize("method", ["cda", "dropout"])
def test_the_card_says_what_a_classifier_reads_of_parent_and_variant(method: str, model: Path, text: Path) -> None:
    own = replace(order(model, text, method), words=GENDER)  # type: ignore[arg-type]
    card = train_variant(own, lambda _: None, lambda: False)
    before, after = card.found["before"], card.found["after"]
    assert before["n"] == after["n"] == len(SENTENCES) // 5
    assert before["majority"] == pytest.approx(0.5, abs=0.11)
    assert before["accuracy"] == pytest.approx(plainly(f"path:{model}"))
    assert after["accuracy"] == pytest.approx(plainly("variant:fair"))


def test_words_that_only_measure_change_no_weight_of_dropout(model: Path, text: Path) -> None:
    plain = train_variant(order(model, text, "dropout"), lambda _: None, lambda: False)
    measured = replace(order(model, text, "dropout", slug="measured"), words=GENDER)
    assert train_variant(measured, lambda _: None, lambda: False).digest == plain.digest
    assert "before" not in plain.found


def test_a_text_with_too_few_sentences_of_a_group_says_why_nothing_is_measured(model: Path, text: Path) -> None:
    text.write_text("\n".join(SENTENCES[:30]), encoding="utf-8")
    card = train_variant(order(model, text), lambda _: None, lambda: False)
    assert "20 are needed" in card.found["not_measured"]
    assert "after" not in card.found
