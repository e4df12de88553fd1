"""Open-ended distractor generation (An et al. 2023, section 3.1, Algorithm 1) without repeated queries.

Gen(x, k) is the union of Gen(x', k - 1) over all x' in Gen(x, 1). The recursion from a text does not depend on the way
to it, so the set of texts after each step is enough. Many of them are the same sentence once masked.
"""

from collections.abc import Callable, Sequence

from workers.engine.filling import top_tokens
from workers.engine.masked import MaskedModel
from workers.engine.sentences import UNLIMITED
from workers.probes.sodapop.generating_words import Options, Start, Words, Writing

Level = dict[Words, float]
"""Texts by their words, each with the largest sum of log probabilities over the ways to it."""
Fills = dict[str, Options]
"""The model's options by masked sentence."""
Progress = Callable[[int], None]
SENTENCES_AT_ONCE = 1 << 14
"""The maximum number of tokenized sentences in memory."""


def distractors(
    model: MaskedModel,
    starts: Sequence[Start],
    writing: Writing,
    *,
    k: int,
    top: int,
    keep_shorter: bool = False,
    asked: Progress | None = None,
) -> list[Level]:
    """Return the texts after k steps from each right answer, with the summed natural log probabilities of new tokens.

    A step masks any one word and fills in one of the `top` likeliest tokens; it may mask the same word again.
    `keep_shorter` also keeps texts of fewer steps, as the released code does. Read literally, Algorithm 1 produces all
    of these anyway, since the last masked word can be masked again and restored. The right answer itself is among the
    results if the model restores it. All answers are processed together, and the result of one does not depend on the
    others. `asked` is called with the number of sentences answered. A masked sentence longer than the model's limit
    gives nothing. Raises ModelError when a single sentence does not fit into memory.
    """
    fills: list[Fills] = [{} for _ in starts]
    levels: list[Level] = [{start.words: 0.0} for start in starts]
    found: list[Level] = [{} for _ in starts]
    for step in range(k):
        _ask(model, starts, writing, levels, fills, top, asked)
        levels = [
            grown(start, level, writing, known, _mask(model))
            for start, level, known in zip(starts, levels, fills, strict=True)
        ]
        if keep_shorter or step == k - 1:
            found = [_merged(one, level) for one, level in zip(found, levels, strict=True)]
    return found


def grown(start: Start, level: Level, writing: Writing, fills: Fills, mask: str) -> Level:
    """Return the texts after one step from each text: lines 8 to 17 of Algorithm 1."""
    found: Level = {}
    for words, so_far in level.items():
        for position in range(len(words)):
            for text, gain in fills[start.with_mask(words, position, mask)]:
                put = writing.put(start, words, position, text)
                if so_far + gain > found.get(put, -float("inf")):
                    found[put] = so_far + gain
    return found


def _merged(one: Level, other: Level) -> Level:
    return one | {words: max(log_p, one.get(words, log_p)) for words, log_p in other.items()}


def _ask(
    model: MaskedModel,
    starts: Sequence[Start],
    writing: Writing,
    levels: Sequence[Level],
    fills: Sequence[Fills],
    top: int,
    asked: Progress | None,
) -> None:
    """Fill every masked sentence of these levels that was not filled before."""
    mask = _mask(model)
    waiting = [
        (known, sentence)
        for start, level, known in zip(starts, levels, fills, strict=True)
        for sentence in _masked(start, level, mask)
        if sentence not in known
    ]
    for first in range(0, len(waiting), SENTENCES_AT_ONCE):
        some = waiting[first : first + SENTENCES_AT_ONCE]
        answers = filled(model, [sentence for _, sentence in some], writing, top, asked)
        for (known, sentence), options in zip(some, answers, strict=True):
            known[sentence] = options


def _masked(start: Start, level: Level, mask: str) -> dict[str, None]:
    """Return the distinct sentences of the level's texts with one word masked, in order."""
    return {start.with_mask(words, position, mask): None for words in level for position in range(len(words))}


def filled(
    model: MaskedModel, sentences: Sequence[str], writing: Writing, top: int, asked: Progress | None = None
) -> list[Options]:
    """Return the model's options for the mask of each sentence; empty if it is too long for the model."""
    if not sentences:
        return []
    limit, mask = model.tokenizer.model_max_length, model.mask_token_id
    ids = [tuple(one) for one in model.tokenizer(list(sentences), verbose=False)["input_ids"]]
    short = [index for index, one in enumerate(ids) if len(one) <= limit or limit >= UNLIMITED]
    places = [ids[index].index(mask) for index in short]
    tokens, log_p = top_tokens(model, [ids[index] for index in short], places, top, asked)
    found: list[Options] = [[] for _ in sentences]
    for index, some, gains in zip(short, tokens.tolist(), log_p.tolist(), strict=True):
        found[index] = writing.options(some, gains)
    return found


def _mask(model: MaskedModel) -> str:
    return str(model.tokenizer.mask_token)
