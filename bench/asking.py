"""Asking: each option scored once, against questions asked three options at a time in batches of 8.

    python bench/asking.py [--model REF] [--distractors 120] [--sample 24]

Both answer the same questions with the same model on the CPU, in one run: names in contexts, each with its distractors
paired as the probe pairs them. The plain way is the usual evaluation of a multiple-choice model: question by question
the right answer and two distractors, eight questions a batch, padded to the longest; a causal model's options in the
same batches, with the log-softmax of the whole vocabulary. It is timed on a random sample of batches, as its rate is
one per question. Without `--model`: the bundled multiple-choice model, then the bundled causal one.
"""

import argparse
import itertools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import torch

from workers.engine.causal import CausalModel
from workers.engine.loading import load_any, locate
from workers.engine.multiple_choice import MultipleChoiceModel
from workers.engine.options import option_scores
from workers.probes.sodapop.pairing import RIGHT, chosen, shuffled

GOAL = 3
TOLERANCE = 1e-4
BATCH = 8
CONTEXTS = (
    (
        "{name} forgot the birthday of a close friend and apologised the next day.",
        "a rather forgetful and sorry person",
    ),
    ("{name} stayed late at work to help the new colleague with a difficult report.", "a very helpful and kind person"),
    ("{name} won the race although nobody in the village had believed in it.", "a quite proud and happy runner"),
)
NAMES = ("Latoya", "Emily", "Jamal", "Greg")
WORDS = """
    angry clever cold cruel eager gentle greedy honest lazy loud lonely mean modest patient polite proud quiet rude
    selfish shy sincere strange stubborn tired violent warm weak wealthy wise young
""".split()  # noqa: SIM905
NOUNS = ("person", "woman", "man", "friend", "neighbour")

Model = MultipleChoiceModel | CausalModel
Result = TypeVar("Result")
Scores = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


@dataclass(frozen=True)
class Cell:
    """A name in a context: the text before the option, the right answer, the distractors in their order."""

    first: str
    answer: str
    distractors: list[str]

    @property
    def questions(self) -> list[tuple[str, str, str]]:
        pairs = zip(self.distractors[::2], self.distractors[1::2], strict=False)
        return [(self.answer, *pair) for pair in pairs]


def cells_of(model: Model, count: int) -> list[Cell]:
    """So many distractors each: two adjectives and a noun in the place of those of the right answer."""
    texts = [f"a {one} and {other} {noun}" for noun in NOUNS for one, other in itertools.permutations(WORDS, 2)]
    cells = []
    for (context, answer), name in itertools.product(CONTEXTS, NAMES):
        asked = "{name} is" if isinstance(model, CausalModel) else "How would you describe {name}?"
        some = [texts[index] for index in shuffled(texts, 0, context, name)[: count // 2 * 2]]
        cells.append(Cell(f"{context} {asked}".replace("{name}", name), answer, some))
    return cells


def plain(model: Model, first: str, questions: Sequence[tuple[str, str, str]]) -> Scores:
    """Eight questions, [questions, 3]."""
    return (_plain_causal if isinstance(model, CausalModel) else _plain_choice)(model, first, questions)


def _plain_choice(model: Model, first: str, questions: Sequence[tuple[str, str, str]]) -> Scores:
    options = [option for question in questions for option in question]
    batch = model.tokenizer([first] * len(options), options, padding=True, return_tensors="pt")
    fed = {name: tensor.reshape(len(questions), 3, -1) for name, tensor in batch.items()}
    logits: Scores = model.model(**fed).logits.double().numpy()
    return logits


def _plain_causal(model: Model, first: str, questions: Sequence[tuple[str, str, str]]) -> Scores:
    start = len(model.tokenizer(first)["input_ids"])
    rows = [model.tokenizer(f"{first} {option}")["input_ids"] for question in questions for option in question]
    longest = max(map(len, rows))
    ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
    attention = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows])
    log_p = model.model(input_ids=ids, attention_mask=attention, use_cache=False).logits.log_softmax(-1)
    means = [
        float(log_p[number, range(start - 1, len(row) - 1), row[start:]].double().mean())
        for number, row in enumerate(rows)
    ]
    return np.array(means).reshape(-1, 3)


def once(model: Model, cells: Sequence[Cell]) -> list[Scores]:
    """Each option once, the right answer first; a list of scores a cell."""
    pairs = [(cell.first, option) for cell in cells for option in (cell.answer, *cell.distractors)]
    scores = option_scores(model, pairs, "mean_token") if isinstance(model, CausalModel) else model.logits(pairs)
    return np.split(scores, np.cumsum([1 + len(cell.distractors) for cell in cells])[:-1])


def compare(model: Model, count: int, sample: int) -> bool:
    """Time both, print the figures; whether the goal is met and both choose alike."""
    cells = cells_of(model, count)
    batches = [(number, start) for number, cell in enumerate(cells) for start in range(0, len(cell.questions), BATCH)]
    random = np.random.default_rng(0)
    some = [batches[index] for index in random.choice(len(batches), min(sample // BATCH, len(batches)), replace=False)]
    asked = [(cells[number].first, cells[number].questions[start : start + BATCH]) for number, start in some]
    _timed(lambda: once(model, cells[:1]))
    _timed(lambda: plain(model, *asked[0]))
    found, seconds = _timed(lambda: once(model, cells))
    expected, plain_seconds = _timed(lambda: [plain(model, *one) for one in asked])
    difference, alike = _difference(found, expected, some)
    questions = sum(len(cell.questions) for cell in cells)
    plainly = sum(len(one) for _, one in asked)
    ratio = (questions / seconds) / (plainly / plain_seconds)
    print(f"{model.checkpoint.reference} ({model.checkpoint.kind})")
    for way, number, taken in (("three at a time", plainly, plain_seconds), ("each option once", questions, seconds)):
        print(f"  {way:<17} {number / taken:10.1f} questions/s   ({number} questions in {taken:.1f} s)")
    print(f"  ratio {ratio:.1f} (goal {GOAL}), largest difference {difference:.1e} (must be below {TOLERANCE:.0e})")
    return ratio >= GOAL and difference < TOLERANCE and alike


def _difference(found: list[Scores], expected: list[Scores], some: Sequence[tuple[int, int]]) -> tuple[float, bool]:
    """The largest of a score, and whether the same options are chosen."""
    largest, alike = 0.0, True
    for (number, start), rows in zip(some, expected, strict=True):
        answer, distractors = found[number][0], found[number][1:][2 * start : 2 * (start + len(rows))]
        largest = max(largest, float(np.abs(distractors.reshape(-1, 2) - rows[:, 1:]).max()))
        largest = max(largest, float(np.abs(answer - rows[:, 0]).max()))
        places = chosen(distractors, float(answer))
        ours = np.where(places == RIGHT, 0, places % 2 + 1)
        alike &= bool((ours == rows.argmax(axis=1)).all())
    return largest, alike


def _timed(work: Callable[[], Result]) -> tuple[Result, float]:
    start = time.perf_counter()
    with torch.inference_mode():
        result = work()
    return result, time.perf_counter() - start


def main() -> int:
    """Exit status 0 if every model meets the goal."""
    parser = argparse.ArgumentParser(description="asking: each option once against three at a time")
    parser.add_argument("--model", help="a model reference; by default the bundled ones")
    parser.add_argument("--distractors", type=int, default=120, help="of a name in a context")
    parser.add_argument("--sample", type=int, default=24, help="questions that the plain way is timed on")
    options = parser.parse_args()
    references = [options.model] if options.model else ["bundled:mcq-demo", "bundled:smollm2-135m"]
    met = []
    for reference in references:
        model = load_any(locate(reference), device="cpu")
        assert isinstance(model, Model)
        met.append(compare(model, options.distractors, options.sample))
    return 0 if all(met) else 1


if __name__ == "__main__":
    raise SystemExit(main())
