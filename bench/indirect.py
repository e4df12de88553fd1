"""Indirect scores: all words of a mask from one pass, against Algorithm 3.1 of the thesis, one sentence at a time.

    python bench/indirect.py [--model bundled:masked-demo] [--targets 6] [--names 120] [--features 60] [--sample 40]

Both compute direct scores of targets with names and of names with features, on the same model and in one run. The plain
way is the algorithm as printed: for each template, each given word and each predicted one, the sentence with one mask
and the sentence with two are run again, and one probability is read from each. It is timed on a random sample of such
pairs, as its cost is one per pair. The words come from the starter lists, those of one token to the model.
"""

import argparse
import csv
import time
from pathlib import Path

import numpy as np
import torch

from plumbline import vocab
from plumbline.methods.indirect.spec import IndirectMaterials, IndirectSpec
from plumbline.spec.audit import parse
from workers.engine.loading import load, locate
from workers.engine.masked import MaskedModel
from workers.probes.indirect.scores_of_records import averaged
from workers.probes.indirect.scoring import Floats, log_probabilities
from workers.probes.indirect.sentences import Speller
from workers.probes.indirect.template_side import Side

FOLDER = Path(vocab.__path__[0], "starter")
GOAL = 50
TOLERANCE = 1e-4
TEMPLATES = {
    "target_bridge": ["My name is {name} and I am {a target}.", "{name} works as {a target}."],
    "bridge_feature": ["{name} is {feature}.", "{name} seems {feature}."],
}


def words(path: Path, column: str, tokenizer: object) -> list[str]:
    """The words of a starter list that are one token amid a sentence."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        found = [row[column] for row in csv.DictReader(file)]
    ids = tokenizer([f"a {word} b" for word in found])["input_ids"]  # type: ignore[operator]
    least = min(map(len, ids))
    return [word for word, own in zip(found, ids, strict=True) if len(own) == least]


def materials(model: MaskedModel, targets: int, names: int, features: int) -> IndirectMaterials:
    tokenizer = model.tokenizer
    chosen = {
        "targets": words(FOLDER / "attributes/occupations.csv", "text", tokenizer)[:targets],
        "features": words(FOLDER / "attributes/traits.csv", "text", tokenizer)[:features],
        "bridge": words(FOLDER / "names/bridge-names.csv", "name", tokenizer)[:names],
    }
    inline = {key: {"inline": some} for key, some in chosen.items()}
    spec = parse({"name": "bench", "probe": "indirect", "model": "path:./m", **inline, "templates": TEMPLATES})
    assert isinstance(spec, IndirectSpec)
    return spec.materials({})


def ours(model: MaskedModel, sides: list[Side]) -> list[Floats]:
    found = []
    for side in sides:
        speller = Speller(side, model.checkpoint, "one")
        given = list(range(len(side.given)))
        found.append(averaged(*log_probabilities(model, speller, given, lambda _: None), "probability")[0])
    return found


def plain(model: MaskedModel, side: Side, given: int, predicted: int) -> float:
    """BS of one pair: each template with one mask and with two, a run each."""
    tokenizer, mask = model.tokenizer, model.tokenizer.mask_token
    token = tokenizer(f"a {side.predicted[predicted].label} b")["input_ids"][2]
    sums = np.zeros(2)
    for template in side.templates:
        rendered = side.rendered(template, side.given[given], side.predicted[predicted])
        for kind, masked in enumerate((("predicted",), ("given", "predicted"))):
            text, place = _masked(rendered.text, rendered.spans, side, masked, mask)
            ids = torch.tensor([tokenizer(text)["input_ids"]])
            at = [n for n, one in enumerate(ids[0].tolist()) if one == model.mask_token_id][place]
            sums[kind] += float(model.model(input_ids=ids).logits[0, at].double().softmax(-1)[token])
    return float(np.log(sums[0] / sums[1]))


def _masked(
    text: str, spans: tuple[tuple[str, int, int], ...], side: Side, masked: tuple[str, ...], mask: str
) -> tuple[str, int]:
    """The text with masks in these slots, and which of the masks is the predicted word's."""
    roles = {"given": "target" if side.name == "target_bridge" else "name"}
    kept = [span for span in spans if ("given" if span[0] == roles["given"] else "predicted") in masked]
    place = next(n for n, span in enumerate(kept) if span[0] != roles["given"])
    for _, start, end in reversed(kept):
        text = text[:start] + mask + text[end:]
    return text, place


def main() -> int:
    """Exit status 0 if the goal is met and both agree."""
    parser = argparse.ArgumentParser(description="indirect scores against one sentence at a time")
    parser.add_argument("--model", default="bundled:masked-demo")
    for name, default in (("targets", 6), ("names", 120), ("features", 60), ("sample", 40)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    model = load(locate(options.model), device="cpu")
    assert isinstance(model, MaskedModel)
    some = materials(model, options.targets, options.names, options.features)
    sides = [Side.of(name, some) for name in TEMPLATES]
    start = time.perf_counter()
    found = ours(model, sides)
    seconds = time.perf_counter() - start
    pairs = [
        (n, a, b) for n, side in enumerate(sides) for a in range(len(side.given)) for b in range(len(side.predicted))
    ]
    random = np.random.default_rng(0)
    sample = [pairs[index] for index in random.choice(len(pairs), options.sample, replace=False)]
    start = time.perf_counter()
    with torch.inference_mode():
        expected = [plain(model, sides[n], a, b) for n, a, b in sample]
    plain_seconds = (time.perf_counter() - start) / len(sample) * len(pairs)
    difference = max(abs(found[n][a, b] - one) for (n, a, b), one in zip(sample, expected, strict=True))
    print(f"{options.model}: {len(pairs):,} pairs, {sum(len(side.templates) for side in sides)} templates")
    print(f"  one sentence at a time {plain_seconds:8.1f} s (from {len(sample)} pairs), ours {seconds:.1f} s")
    ratio = plain_seconds / seconds
    print(f"  ratio {ratio:.0f} (goal {GOAL}), largest difference {difference:.1e} (must be below {TOLERANCE:.0e})")
    return 0 if ratio >= GOAL and difference < TOLERANCE else 1


if __name__ == "__main__":
    raise SystemExit(main())
