"""A model behind a server against a plain loop with one request per sentence, and against our own engine.

    python bench/servers.py 'vllm:http://127.0.0.1:8000#NAME&tokenizer=bundled:smollm2-135m' WORDS.csv [--words 32]

The sentences are those of ILPS: the first subword of each word of the file's first column after each text. The plain
loop sends each sentence as one request and reads its prompt's log probabilities, as lm-evaluation-harness does.
"""

import argparse
import csv
import os
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

import numpy as np

from workers.engine.causal import CausalModel, CausalQuery, Plan
from workers.engine.loading import load, locate
from workers.engine.masked import FloatArray
from workers.engine.servers.finding import weights_at_hand
from workers.engine.servers.model import ServerModel
from workers.engine.servers.packing import Packed, packed
from workers.engine.servers.requests import Request

GROUPS = ("women", "men", "nurses", "lawyers", "teenagers", "people")
TEMPLATES = ("All {} are", "Most {} are")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reference")
    parser.add_argument("file", type=Path)
    parser.add_argument("--words", type=int, default=32)
    options = parser.parse_args()
    checkpoint = locate(options.reference)
    model = cast("ServerModel", load(checkpoint))
    queries = _queries(model, options.file, options.words)
    ours, found, seconds = _packed(model, queries)
    plain, plain_seconds = _plain(model, queries)
    requests, tokens = len(ours), sum(len(text) for one in ours for text in one.request.texts)
    plain_tokens = sum(len(one.context) + 1 for one in queries)
    print(
        f"{len(queries)} sentences; plain loop: {len(queries)} requests, {plain_tokens} tokens, {plain_seconds:.1f} s"
    )
    print(f"packed: {requests} requests, {tokens} tokens, {seconds:.1f} s")
    print(
        f"fewer requests: {len(queries) / requests:.0f} times; fewer tokens: {plain_tokens / tokens:.0f} times;"
        f" faster: {plain_seconds / seconds:.1f} times; largest difference {np.abs(found - plain).max():.1e}"
    )
    if (files := weights_at_hand(checkpoint, locate)) is not None:
        own = cast("CausalModel", load(files)).log_probabilities(queries)
        print(f"largest difference from our own engine: {np.abs(found - own).max():.1e}")


def _queries(model: ServerModel, file: Path, words: int) -> list[CausalQuery]:
    with file.open(encoding="utf-8", newline="") as rows:
        traits = [row[0] for row in list(csv.reader(rows))[1 : words + 1]]
    texts = [model.text(template.format(group)) for template in TEMPLATES for group in GROUPS]
    first = {model.tokenizer(f" {word}", add_special_tokens=False)["input_ids"][0]: None for word in traits}
    return [CausalQuery(text, (token,)) for text in texts for token in first]


def _packed(model: ServerModel, queries: list[CausalQuery]) -> tuple[list[Packed], FloatArray, float]:
    began = time.monotonic()
    found = model.log_probabilities(queries)
    return packed(Plan(queries)), found, time.monotonic() - began


def _plain(model: ServerModel, queries: list[CausalQuery]) -> tuple[FloatArray, float]:
    """Return the values of one request per sentence, sent one after another, and the seconds."""
    began = time.monotonic()
    found = [model.ask(Request(((*one.context, *one.continuation),)))[0][-1] for one in queries]
    return np.array(found, dtype=np.float64), time.monotonic() - began


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        os.environ.setdefault("PLUMBLINE_VAR", folder)
        main()
