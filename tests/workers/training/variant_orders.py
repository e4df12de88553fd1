"""Orders of trained variants of tiny models, for several tests and for processes of their own."""

import sys
from pathlib import Path
from typing import Any

from tests.workers.debiasing.test_words import ENTRIES
from workers.debiasing.words import GroupWords
from workers.engine.loading import use_threads
from workers.training.recipe import PretrainingRecipe, Retraining
from workers.training.stopping import stop_requests
from workers.training.train_variant import train_variant
from workers.training.training_order import TrainingOrder

STEPS = 6
MANY = 30
"""Steps of a training that is long enough to be disturbed."""


def write_text(folder: Path) -> Path:
    lines = [
        f"The {word} {name} is warm. All people were kind." for word in ("woman", "man", "doll") for name in "abcdefgh"
    ]
    (folder / "text.txt").write_text("\n".join(lines), encoding="utf-8")
    return folder / "text.txt"


def order(
    model: Path | str, text: Path, method: Retraining = "cda", slug: str = "fair", **recipe: Any
) -> TrainingOrder:
    settings = {"steps": STEPS, "batch": 4, "length": 24, "rate": 1e-3, **recipe}
    words = GroupWords.of("gender", ENTRIES) if method == "cda" else None
    reference = model if isinstance(model, str) else f"path:{model}"
    return TrainingOrder(slug, reference, PretrainingRecipe(method, **settings), text, words, saved=4, device="cpu")


def main(model: str, text: str, method: Retraining) -> None:
    """Train as a process of its own."""
    use_threads(1)
    with stop_requests() as stop:
        train_variant(order(Path(model), Path(text), method, steps=MANY), lambda line: None, stop)


if __name__ == "__main__":
    main(*sys.argv[1:])  # type: ignore[arg-type]
