"""Distractor generation: each sentence asked once, in batches, against the recursive algorithm as it is printed.

    python bench/distractors.py [--model bundled:masked-demo] [--answer "very considerate"] [--k 3] [--top 10]
                                [--context TEXT] [--prompt TEXT] [--calls N]

Both make the distractors of one context and one name, with the same weights on the same CPU. The plain way (An et al.
2023, Algorithm 1) calls itself for each text of the step before and runs the model for each mask, on one sentence at a
time and with the logits of the whole sentence, as the authors' code does. Of the right answers in the paper's fifty
contexts 22 have one word, 7 two and 21 more; two is measured by default. The longer the answer, the fewer sentences
repeat: the ratio falls, and the plain way takes minutes to hours. With --calls only its first N calls are timed, the
ratio is that of a call's time times all calls, and the texts are not compared.
"""

import argparse
import time
from contextlib import suppress

import torch

from workers.engine.loading import load, locate
from workers.engine.masked import MaskedModel
from workers.probes.sodapop.generating import distractors
from workers.probes.sodapop.generating_words import PaperWriting, Words

GOAL = 20
CONTEXT = "Latisha remembered that a neighbour had been ill and brought soup and bread to the door every evening."
PROMPT = "Latisha is"


class _EnoughError(Exception):
    """All calls that were to be timed are made."""


class Plain:
    """Algorithm 1, line by line; `calls` of the model are made at most."""

    def __init__(self, model: MaskedModel, before: str, top: int, calls: int) -> None:
        self.model, self.tokenizer, self.writing = model.model, model.tokenizer, PaperWriting(model.tokenizer)
        self.before, self.top, self.left, self.made = before, top, calls, 0

    def generate(self, words: Words, k: int) -> set[Words]:
        if k > 1:
            return {found for near in self.generate(words, 1) for found in self.generate(near, k - 1)}
        found = set()
        for position in range(len(words)):
            for word in self.fill((*words[:position], self.tokenizer.mask_token, *words[position + 1 :])):
                found.add((*words[:position], word, *words[position + 1 :]))
        return found

    @torch.inference_mode()
    def fill(self, words: Words) -> list[str]:
        if self.made == self.left:
            raise _EnoughError
        self.made += 1
        inputs = self.tokenizer(f"{self.before} {' '.join(words)}", return_tensors="pt")
        logits = self.model(**inputs).logits[0, inputs["input_ids"][0].tolist().index(self.tokenizer.mask_token_id)]
        scores, tokens = logits.softmax(0).topk(self.top)
        return [text for text, _ in self.writing.options(tokens.tolist(), scores.tolist())]


def _plain(model: MaskedModel, before: str, answer: str, k: int, top: int, calls: int) -> tuple[set[Words], int, float]:
    """What it found (nothing if it was stopped), the calls that it made, and seconds."""
    plain = Plain(model, before, top, calls)
    start, found = time.perf_counter(), set[Words]()
    with suppress(_EnoughError):
        found = plain.generate(tuple(answer.split()), k)
    return found, plain.made, time.perf_counter() - start


def main() -> int:
    """Exit status 0 if the goal is met, with the same set of distractors."""
    parser = argparse.ArgumentParser(description="SODAPOP: generation against the recursive algorithm")
    parser.add_argument("--model", default="bundled:masked-demo")
    parser.add_argument("--context", default=CONTEXT)
    parser.add_argument("--prompt", default=PROMPT)
    parser.add_argument("--answer", default="very considerate", help="words without punctuation")
    parser.add_argument("--k", type=int, default=3)
    parser.add_argument("--top", type=int, default=10)
    parser.add_argument("--calls", type=int, default=0, help="calls of the plain way that are timed; 0: all")
    options = parser.parse_args()
    model = load(locate(options.model), device="cpu")
    if not isinstance(model, MaskedModel):
        parser.error(f"{options.model} is no masked model")
    writing, before = PaperWriting(model.tokenizer), f"{options.context} {options.prompt}"
    first = writing.start(before, options.answer)
    sentences: list[int] = []
    distractors(model, [first], writing, k=1, top=options.top)
    began = time.perf_counter()
    (level,) = distractors(model, [first], writing, k=options.k, top=options.top, asked=sentences.append)
    seconds = time.perf_counter() - began
    model.model.set_attn_implementation("sdpa")
    found, calls, plain_seconds = _plain(model, before, options.answer, options.k, options.top, options.calls or -1)
    words = len(first.words)
    all_calls = calls if found else sum(words ** (step + 1) * options.top**step for step in range(options.k))
    ratio = plain_seconds / calls * all_calls / seconds
    same = set(level) == found if found else None
    print(f"  recursive  {all_calls:6d} calls of the model, {plain_seconds:8.2f} s for {calls} of them")
    print(f"  each once  {sum(sentences):6d} sentences,         {seconds:8.2f} s, {len(level)} texts")
    print(f"  ratio {ratio:.1f} (goal {GOAL}), the same texts: {'not compared' if same is None else same}")
    return 0 if ratio >= GOAL and same is not False else 1


if __name__ == "__main__":
    raise SystemExit(main())
