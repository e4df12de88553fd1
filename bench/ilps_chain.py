"""Chain-rule ILPS: the probe against the published algorithm, sentence by sentence.

    python bench/ilps_chain.py [--model REF] [--groups 25 --adjectives 32 --templates 4] [--sample 40]

Both score the same items with the same model on the CPU, in one run. The plain way (Cao et al. 2022, section 3.1, as
in the released code) runs every sentence by itself, for the group and again for the neutral word, once per subword,
takes a softmax of the whole vocabulary and sorts it. It is timed on a random sample, as its rate is one per item.
Without `--model`: the bundled causal model, and a masked one of BERT's layout with random weights that is built here.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from tqdm import tqdm
from transformers import BertConfig, BertForMaskedLM, BertTokenizerFast

from plumbline.spec.audit import parse
from workers.engine.causal import CausalModel
from workers.engine.loading import load, locate
from workers.engine.masked import MaskedModel
from workers.engine.sentences import Sentence, encode
from workers.probes.association.probe import PROBES

GOAL = 30
TOLERANCE = 1e-4
NEUTRAL = "people"
TEMPLATES = [
    "All {group} are {word}.",
    "Most {group} are {word}.",
    "{group} should be {word}.",
    "{group} tend to be {word}.",
]
GROUPS = """
    women men children teachers nurses doctors lawyers farmers students engineers Germans Italians Nigerians Mexicans
    Koreans Christians Muslims Jews Buddhists atheists immigrants refugees teenagers grandparents veterans
""".split()  # noqa: SIM905
ADJECTIVES = """
    powerless powerful low-status high-status dominated dominant poor wealthy unconfident confident unassertive
    competitive traditional modern religious science-oriented conventional alternative conservative liberal
    untrustworthy trustworthy dishonest sincere cold warm threatening benevolent repellent likable egotistic altruistic
""".split()  # noqa: SIM905

Scores = npt.NDArray[np.float64]
Model = MaskedModel | CausalModel


@dataclass(frozen=True)
class Item:
    """One group, one adjective, one template."""

    template: str
    group: str
    adjective: str

    def sentence(self, group: str) -> Sentence:
        """With this group, or the neutral word; the adjective is the slot."""
        before = self.template.split("{word}")[0].format(group=group)
        return Sentence(before + self.adjective + ".", ((len(before), len(before) + len(self.adjective)),))


def plain(model: Model, items: Sequence[Item]) -> Scores:
    """One sentence at a time."""
    score = _plain_masked if isinstance(model, MaskedModel) else _plain_causal
    return np.array([score(model, item.sentence(item.group)) - score(model, item.sentence(NEUTRAL)) for item in items])


def _plain_masked(model: Any, sentence: Sentence) -> float:
    encoded = encode(model.tokenizer, [sentence])[0]
    slot, ids, total = encoded.slots[0], list(encoded.ids), 0.0
    ids[slot.start : slot.stop] = [model.mask_token_id] * len(slot)
    for position in slot:
        logits = model.model(input_ids=torch.tensor([ids])).logits
        total += _looked_up(logits[0, position], encoded.ids[position])
        ids[position] = encoded.ids[position]
    return total


def _plain_causal(model: Any, sentence: Sentence) -> float:
    encoded = encode(model.tokenizer, [sentence])[0]
    total = 0.0
    for position in encoded.slots[0]:
        logits = model.model(input_ids=torch.tensor([encoded.ids[:position]]), use_cache=False).logits
        total += _looked_up(logits[0, -1], encoded.ids[position])
    return total


def _looked_up(logits: torch.Tensor, token: int) -> float:
    probabilities, tokens = torch.softmax(logits, dim=-1).sort(descending=True)
    return probabilities[tokens == token].log().item()


def probed(model: Model, items: Sequence[Item]) -> Scores:
    """All items through the probe, from planning to records, as a worker does it."""
    spec = parse(
        {
            "name": "bench",
            "probe": "ilps_chain",
            "model": model.checkpoint.reference,
            "groups": {
                "inline": [{"label": group, "plural": group} for group in _distinct(item.group for item in items)]
            },
            "prior": {"plural": NEUTRAL},
            "attributes": {"inline": _distinct(item.adjective for item in items)},
            "templates": {"inline": [as_grammar(template) for template in _distinct(item.template for item in items)]},
        }
    )
    probe, memo, found = PROBES[spec.probe], dict[Any, Any](), dict[tuple[str, str, str], float]()
    for shard in probe.plan(spec, {}, model.checkpoint).shards:
        records = probe.execute(spec, {}, shard.items, model, memo, lambda _: None)["association"]
        cells = zip(records["template"], records["group"], records["attribute"], strict=True)
        found.update(zip(cells, records["score"], strict=True))
    return np.array([found[as_grammar(item.template), item.group, item.adjective] for item in items])


def as_grammar(template: str) -> str:
    return template.replace("{group}", "{group.plural}").replace("{word}", "{attribute}")


def _distinct(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(words))


def build_bert(folder: Path) -> None:
    """Six layers of BERT, hidden 384, 30,000 tokens, seeded random weights spread out enough for real differences."""
    words = ["all", "most", "are", "should", "be", "tend", "to", ".", "-", NEUTRAL, *map(str.lower, GROUPS)]
    letters = "abcdefghijklmnopqrstuvwxyz"
    parts = [part for word in ADJECTIVES for part in word.split("-")]
    # Every third word is split in three, the others are one token: much as BERT's own vocabulary has it.
    pieces = [piece for part in parts[::3] for piece in (part[:2], f"##{part[2:4]}", f"##{part[4:]}")]
    whole = [part for index, part in enumerate(parts) if index % 3]
    known = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words, *whole, *pieces, *letters]
    known = list(dict.fromkeys([*known, *(f"##{letter}" for letter in letters)]))
    vocabulary = [*known, *(f"[unused{index}]" for index in range(30_000 - len(known)))]
    ids = {token: index for index, token in enumerate(vocabulary)}
    tokenizer = Tokenizer(models.WordPiece(ids, unk_token="[UNK]"))  # noqa: S106
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    BertTokenizerFast(tokenizer_object=tokenizer).save_pretrained(folder)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=30_000, hidden_size=384, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536,
        initializer_range=0.1,
    )  # fmt: skip
    BertForMaskedLM(config).save_pretrained(folder)


def compare(model: Model, items: Sequence[Item], sample: int) -> bool:
    """Time both, print the figures; whether goal and tolerance are met."""
    some = np.random.default_rng(0).choice(len(items), min(sample, len(items)), replace=False).tolist()
    chosen = [items[index] for index in some]
    _timed(lambda: plain(model, chosen[:2]))
    _timed(lambda: probed(model, items[:20]))
    expected, plain_seconds = _timed(lambda: plain(model, tqdm(chosen, "sentence by sentence", leave=False)))
    found, seconds = _timed(lambda: probed(model, items))
    difference = float(np.abs(found[some] - expected).max())
    ratio = (len(items) / seconds) / (len(chosen) / plain_seconds)
    print(f"{model.checkpoint.reference} ({model.checkpoint.kind})")
    for way, count, taken in (("sentence by sentence", len(chosen), plain_seconds), ("probe", len(items), seconds)):
        print(f"  {way:<20}  {count / taken:10.1f} items/s   ({count} items in {taken:.1f} s)")
    print(f"  ratio {ratio:.1f} (goal {GOAL}), largest difference {difference:.1e} (must be below {TOLERANCE:.0e})")
    return ratio >= GOAL and difference < TOLERANCE


def _timed(score: Callable[[], Scores]) -> tuple[Scores, float]:
    start = time.perf_counter()
    with torch.inference_mode():
        scores = score()
    return scores, time.perf_counter() - start


def main() -> int:
    """Exit status 0 if every model meets the goal."""
    parser = argparse.ArgumentParser(description="chain-rule ILPS: probe against plain transcription")
    parser.add_argument("--model", help="a model reference; by default the bundled causal model and a random BERT")
    parser.add_argument("--groups", type=int, default=25)
    parser.add_argument("--adjectives", type=int, default=32)
    parser.add_argument("--templates", type=int, default=4)
    parser.add_argument("--sample", type=int, default=40, help="items that the plain way is timed on")
    options = parser.parse_args()
    items = [
        Item(template, group, adjective)
        for template in TEMPLATES[: options.templates]
        for group in GROUPS[: options.groups]
        for adjective in ADJECTIVES[: options.adjectives]
    ]
    with tempfile.TemporaryDirectory() as folder:
        if not options.model:
            build_bert(Path(folder))
        references = [options.model] if options.model else ["bundled:smollm2-135m", f"path:{folder}"]
        met = [compare(load(locate(reference), device="cpu"), items, options.sample) for reference in references]
    return 0 if all(met) else 1


if __name__ == "__main__":
    raise SystemExit(main())
