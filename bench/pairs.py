"""Scoring pairs of sentences, against one masked sentence at a time with the same model, in one run.

    PYTHONPATH=platform:. python bench/pairs.py [MODEL] [PAIRS] [PLAIN]

The pairs are the starter bank's, over and over with another number of days in each, so that no two are alike. The plain
way is a transcription of the authors' scripts: it masks a token of a sentence, runs the model with all logits of all
places, and takes a softmax. It scores the first PLAIN pairs, and its time is scaled up to all PAIRS. First the score of
CrowS-Pairs alone, then all four scores of a masked model, as a run has them by default. Both ratios are given, of wall
time and of CPU time, because other work may share the machine.

The last line gives the least time of the linear layers for the score of CrowS-Pairs, at the best pace that the machine
shows for them. No way that computes each masked sentence in float32 can be faster.
"""

import csv
import os
import sys
import time
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForMaskedLM

from plumbline.methods.pairs.content import SentencePair
from workers.engine.linear import linear
from workers.engine.loading import load, locate
from workers.engine.masked import MaskedModel
from workers.engine.text_tokens import tokenized
from workers.probes.pairs.asks import Ask
from workers.probes.pairs.masked import READINGS, score_pairs

STARTER = Path(__file__).parents[1] / "platform/plumbline/methods/pairs/starter/pairs.csv"
ROWS, ROUNDS = 4096, 40
"""Tokens of a batch of the engine, and how often a layer is timed."""
Plain = Callable[[SentencePair], list[float]]


def made_up(count: int) -> list[SentencePair]:
    """Return so many pairs, no two alike."""
    rows = list(csv.DictReader(STARTER.open(encoding="utf-8")))
    found = []
    for number in range(count):
        row, days = rows[number % len(rows)], number // len(rows) + 1
        more, less = (f"{row[name]} It took {days} days." for name in ("more", "less"))
        found.append(SentencePair(id=str(number), more=more, less=less))
    return found


class OneAtATime:
    """The authors' scripts: every masked sentence is a pass of its own."""

    def __init__(self, tokenizer: Any, model: Any) -> None:
        self.tokenizer, self.model = tokenizer, model

    def crows(self, pair: SentencePair) -> list[float]:
        """The score of CrowS-Pairs: first minus second."""
        ids = [self.tokenizer.encode(text, return_tensors="pt")[0] for text in (pair.more, pair.less)]
        one, other = ([str(token) for token in sentence.tolist()] for sentence in ids)
        equal = [op for op in SequenceMatcher(None, one, other).get_opcodes() if op[0] == "equal"]
        first = [place for _, start, end, _, _ in equal for place in range(start, end)][1:-1]
        second = [place for _, _, _, start, end in equal for place in range(start, end)][1:-1]
        sums = [sum(self._masked(ids[side], [at], at) for at in places) for side, places in enumerate((first, second))]
        return [sums[0] - sums[1]]

    def all_scores(self, pair: SentencePair) -> list[float]:
        """The four scores: first minus second, in the order of the readings."""
        unmasked = [self._unmasked(text, weighted) for weighted in (False, True) for text in (pair.more, pair.less)]
        within = [self._within_words(text) for text in (pair.more, pair.less)]
        return [*self.crows(pair), unmasked[0] - unmasked[1], unmasked[2] - unmasked[3], within[0] - within[1]]

    def _unmasked(self, text: str, weighted: bool) -> float:
        ids = self.tokenizer.encode(text, return_tensors="pt")
        output = self.model(ids, output_attentions=weighted)
        log_p = output.logits[0].log_softmax(-1).gather(1, ids[0][:, None])[1:-1, 0]
        if weighted:
            log_p = log_p * torch.cat(output.attentions, 0).mean(0).mean(0).mean(0)[1:-1]
        return float(log_p.mean())

    def _within_words(self, text: str) -> float:
        encoded = self.tokenizer(text, return_tensors="pt")
        ids, words = encoded["input_ids"][0], encoded.word_ids()
        own = [place for place, word in enumerate(words) if word is not None]
        hidden = {place: [one for one in own if one >= place and words[one] == words[place]] for place in own}
        return sum(self._masked(ids, hidden[place], place) for place in own)

    def _masked(self, ids: torch.Tensor, hidden: list[int], place: int) -> float:
        masked = ids.clone()
        masked[hidden] = self.tokenizer.mask_token_id
        return float(self.model(masked[None]).logits[0, place].log_softmax(-1)[ids[place]])


@torch.no_grad()
def compare(model: MaskedModel, pairs: Sequence[SentencePair], few: int, names: Sequence[str], plain: Plain) -> None:
    """Print the times of both ways, their ratio, and the largest difference of a score."""
    asks = [Ask(name) for name in names]
    score_pairs(model, pairs[:2], asks, lambda _: None)
    plain(pairs[0])
    started, cpu_started = time.perf_counter(), time.process_time()
    found = [one.score or 0.0 for one in score_pairs(model, pairs, asks, lambda _: None)]
    quick, quick_cpu = time.perf_counter() - started, time.process_time() - cpu_started
    started, cpu_started = time.perf_counter(), time.process_time()
    told = [score for pair in pairs[:few] for score in plain(pair)]
    share = len(pairs) / few
    slow, slow_cpu = share * (time.perf_counter() - started), share * (time.process_time() - cpu_started)
    off = max(abs(one - other) for one, other in zip(found, told, strict=False))
    print(f"{', '.join(names):26} one at a time {slow:8.1f} s (from {few} pairs)  together {quick:7.1f} s", end="  ")
    print(f"{slow / quick:.1f} times as fast ({slow_cpu / quick_cpu:.1f} in CPU time)", end="; ")
    print(f"scores differ by at most {off:.1e}")


def least_seconds(model: MaskedModel, pairs: Sequence[SentencePair]) -> float:
    """Return the seconds of the linear layers of all but the last layer, for all masked sentences of `crows`."""
    texts = tokenized(model.tokenizer, [text for pair in pairs for text in (pair.more, pair.less)], model.described)
    readings = [
        READINGS["crows"](one, other, model.mask_token_id, {})
        for one, other in zip(texts[::2], texts[1::2], strict=True)
    ]
    inputs = {query.ids for both in readings if not isinstance(both, str) for one in both for query in one.queries}
    config = model.model.config
    shapes = [(config.hidden_size, out) for out in (3 * config.hidden_size, config.hidden_size)]
    shapes += [(config.hidden_size, config.intermediate_size), (config.intermediate_size, config.hidden_size)]
    row = sum(best_pace(*shape) for shape in shapes)
    seconds: float = row * (config.num_hidden_layers - 1) * sum(map(len, inputs))
    return seconds


def best_pace(width: int, out: int) -> float:
    """Return the least seconds of a row in a linear layer of this shape."""
    rows, weight, bias = torch.randn(ROWS, width), torch.randn(out, width), torch.randn(out)
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        linear(rows, weight, bias)
        times.append(time.perf_counter() - started)
    return min(times) / ROWS


def main() -> None:
    """Compare both ways, by one score and by all four."""
    given = sys.argv[1:]
    reference, count, few = (*given, *("bundled:masked-demo", "400", "20")[len(given) :])
    pairs, model = made_up(int(count)), load(locate(reference), device="cpu")
    assert isinstance(model, MaskedModel)
    folder = model.checkpoint.folder
    eager = AutoModelForMaskedLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").eval()
    plain = OneAtATime(model.tokenizer, eager)
    cores = len(os.sched_getaffinity(0))
    print(f"{len(pairs):,} pairs, {reference}, {cores} cores, {torch.get_num_threads()} threads", end=", ")
    print(f"load {os.getloadavg()[0]:.1f}")
    compare(model, pairs, int(few), ["crows"], plain.crows)
    compare(model, pairs, int(few), list(READINGS), plain.all_scores)
    with torch.inference_mode():
        print(f"linear layers alone, crows, at the machine's best pace: {least_seconds(model, pairs):.1f} s")


if __name__ == "__main__":
    main()
