"""A text of a few sentences and a model of BERT's layout that is small enough to learn it."""

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from transformers import AutoTokenizer, BertForMaskedLM

from tests.workers.tiny import save_tiny_bert
from workers.training.batches import Special
from workers.training.corpus import Tokens, training_passages
from workers.training.masked_training import Training
from workers.training.recipe import Recipe

SENTENCES = (
    "All women are warm.",
    "Most men are poor.",
    "People should be warm.",
    "Most women were in a car, poor men!",
)
RECIPE = Recipe(steps=30, tokens=128, body=3e-3, head=3e-3, warm_up=5, frozen=1)


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_bert(tmp_path_factory.mktemp("tiny"), seed=0, layers=3)


@pytest.fixture(scope="session")
def tokenizer(tiny_folder: Path) -> Any:
    return AutoTokenizer.from_pretrained(tiny_folder)


@pytest.fixture(scope="session")
def passages(tokenizer: Any) -> list[Tokens]:
    documents = [" ".join(SENTENCES[number % 4 :] + SENTENCES) for number in range(20)]
    return training_passages(tokenizer, documents, seed=0)


@pytest.fixture
def model(tiny_folder: Path) -> Any:
    return BertForMaskedLM.from_pretrained(tiny_folder)


@pytest.fixture
def begin(tiny_folder: Path, tokenizer: Any, passages: list[Tokens]) -> Callable[..., Training]:
    """A training of a fresh tiny model."""

    def training(recipe: Recipe = RECIPE, corpus: str = "sentences") -> Training:
        fresh = BertForMaskedLM.from_pretrained(tiny_folder)
        return Training(fresh, recipe, passages, Special.of(tokenizer), corpus)

    return training


@pytest.fixture(scope="session")
def write_corpus() -> Callable[[Path, list[str]], Path]:
    """Documents as two gzip files."""

    def write(folder: Path, documents: list[str]) -> Path:
        folder.mkdir(exist_ok=True)
        half = len(documents) // 2
        for name, some in (("a", documents[:half]), ("b", documents[half:])):
            with gzip.open(folder / f"{name}.txt.gz", "wt", encoding="utf-8") as file:
                file.write("".join(f"{document}\n" for document in some))
        return folder

    return write
