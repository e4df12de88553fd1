"""Asking BBQ: a template's items together, against one item at a time through the same model.

    python bench/bbq_asking.py [--model REF] [--device cpu|cuda] [--dtype float32|bfloat16] [--sample 32]

Both ask the starter questions, in one run. The plain way is the usual loop: item by item the three options are
tokenized and run as a batch of three, padded to the longest; a causal model's with the log-softmax of the whole
vocabulary. It is timed on a random sample of items, as its rate is one per item. The ratio's goal of 5 is for the CPU.
On a GPU the share of the theoretical rate is printed too, if --peak names it (in TFLOP/s): 2 x parameters x tokens of
the distinct inputs, by the time. Without `--model`: the bundled causal model, then the bundled multiple-choice one.
"""

import argparse
import os
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import TypeVar

import django
import numpy as np
import torch

from plumbline.methods.bbq import prompts
from plumbline.methods.bbq.spec import BbqSpec
from plumbline.spec.audit import parse
from plumbline.spec.banks.bbq_question import Question
from workers.engine.causal import CausalModel
from workers.engine.loading import load_any, locate
from workers.engine.multiple_choice import MultipleChoiceModel
from workers.engine.sentences import Sentence, encode
from workers.probes.bbq import askers
from workers.probes.bbq.item_requests import Ask

GOAL = 5
TOLERANCE = 1e-4
Model = MultipleChoiceModel | CausalModel
Scores = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
Result = TypeVar("Result")


def questions() -> list[Question]:
    """The starter questions, as `manage.py vocab starter` makes them."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "plumbline.settings")
    django.setup()
    from plumbline.methods.bbq.bank import generated
    from plumbline.methods.bbq.bank_kinds import STARTER

    return [Question.model_validate(one) for one in generated.questions(STARTER, seed=0).items]


def spec_of(model: Model) -> BbqSpec:
    """As the starter plans ask these models."""
    params = {"layout": "arc"} if isinstance(model, MultipleChoiceModel) else {}
    bank = {"list": "bbq-starter", "sha256": "0"}
    spec = parse({"name": "bench", "probe": "bbq", "model": model.checkpoint.reference, "bank": bank, "params": params})
    assert isinstance(spec, BbqSpec)
    return spec


def plain(model: Model, spec: BbqSpec, question: Question) -> list[float]:
    """One item's three options as a batch of their own."""
    if isinstance(model, MultipleChoiceModel):
        pairs = [prompts.multiple_choice(question, spec.params, option) for option in question.options]
        fed = model.tokenizer([a for a, _ in pairs], [b for _, b in pairs], padding=True, return_tensors="pt")
        found: list[float] = model.model(**{k: v[None].to(model.device) for k, v in fed.items()}).logits[0].tolist()
        return found
    first = prompts.causal(question, spec.params, question.options, lettered=False)
    texts = [f"{first} {option}" for option in question.options]
    encoded = encode(model.tokenizer, [Sentence(text, ((len(first) + 1, len(text)),)) for text in texts])
    longest = max(len(one.ids) for one in encoded)
    ids = torch.tensor([[*one.ids, *[0] * (longest - len(one.ids))] for one in encoded])
    seen = torch.tensor([[1] * len(one.ids) + [0] * (longest - len(one.ids)) for one in encoded])
    fed = {"input_ids": ids.to(model.device), "attention_mask": seen.to(model.device)}
    log_p = model.model(**fed, use_cache=False).logits.float().log_softmax(-1)
    return [
        float(log_p[row, range(one.slots[0].start - 1, one.slots[0].stop - 1), one.ids[one.slots[0].start :]].mean())
        for row, one in enumerate(encoded)
    ]


def together(model: Model, spec: BbqSpec, items: Sequence[Question]) -> dict[str, list[float]]:
    """All items, template by template as the shards of a run."""
    by_template: dict[str, list[Ask]] = defaultdict(list)
    for item in items:
        by_template[item.cluster].append(Ask(item, (0, 1, 2)))
    found: dict[str, list[float]] = {}
    for asks in by_template.values():
        asker = askers.multiple_choice if isinstance(model, MultipleChoiceModel) else askers.causal
        answers = asker(model, spec, asks, _unwatched)  # type: ignore[arg-type]
        found |= {ask.question.id: list(answer.logits or ()) for ask, answer in zip(asks, answers, strict=True)}
    return found


def compare(model: Model, sample: int, peak: float) -> bool:
    """Time both, print the figures; whether the goal is met and both give the same numbers."""
    items, spec = questions(), spec_of(model)
    random = np.random.default_rng(0)
    some = [items[index] for index in random.choice(len(items), min(sample, len(items)), replace=False)]
    _timed(lambda: together(model, spec, items[:4]))
    _timed(lambda: plain(model, spec, items[0]))
    found, seconds = _timed(lambda: together(model, spec, items))
    expected, plain_seconds = _timed(lambda: [plain(model, spec, item) for item in some])
    ours = np.array([found[item.id] for item in some])
    difference = float(np.abs(ours - np.array(expected)).max())
    ratio = (len(items) / seconds) / (len(some) / plain_seconds)
    print(f"{model.checkpoint.reference} ({model.checkpoint.kind}) on {model.device}")
    for way, count, taken in (("one at a time", len(some), plain_seconds), ("together", len(items), seconds)):
        print(f"  {way:<15} {count / taken:8.1f} items/s   ({count} items in {taken:.1f} s)")
    if peak:
        print(f"  share of the theoretical rate: {_operations(model, spec, items) / seconds / peak / 1e12:.0%}")
    print(f"  ratio {ratio:.1f} (goal {GOAL}), largest difference {difference:.1e} (must be below {TOLERANCE:.0e})")
    return ratio >= GOAL and difference < TOLERANCE


def _operations(model: Model, spec: BbqSpec, items: Sequence[Question]) -> float:
    """Of the matrices that each token goes through; without attention, embeddings and the output layer."""
    pairs = {
        prompts.multiple_choice(item, spec.params, option)
        if isinstance(model, MultipleChoiceModel)
        else (prompts.causal(item, spec.params, item.options, lettered=False), option)
        for item in items
        for option in item.options
    }
    tokens = sum(len(model.tokenizer(first, second)["input_ids"]) for first, second in pairs)
    inner: int = sum(
        one.numel() for name, one in model.model.named_parameters() if one.ndim == 2 and "embed" not in name
    )
    return 2.0 * inner * tokens


def _unwatched(_: int) -> None:
    """Progress is not reported."""


def _timed(work: Callable[[], Result]) -> tuple[Result, float]:
    start = time.perf_counter()
    with torch.inference_mode():
        result = work()
    return result, time.perf_counter() - start


def main() -> int:
    """Exit status 0 if every model meets the goal."""
    parser = argparse.ArgumentParser(description="asking BBQ: together against one item at a time")
    parser.add_argument("--model", help="a model reference; by default the bundled ones")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--dtype", choices=["float32", "bfloat16"], default="float32")
    parser.add_argument("--sample", type=int, default=32, help="items that the plain way is timed on")
    parser.add_argument("--peak", type=float, default=0, help="TFLOP/s that the device has in this dtype")
    options = parser.parse_args()
    met = []
    for reference in [options.model] if options.model else ["bundled:smollm2-135m", "bundled:mcq-demo"]:
        model = load_any(locate(reference), dtype=options.dtype, device=options.device)
        assert isinstance(model, Model)
        met.append(compare(model, options.sample, options.peak))
    return 0 if all(met) else 1


if __name__ == "__main__":
    raise SystemExit(main())
