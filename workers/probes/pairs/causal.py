"""What a causal language model makes of pairs: log likelihoods of sentences, and of the next word after one."""

from collections.abc import Sequence
from typing import Any

from plumbline.methods.pairs.content import GestSentence, SentencePair
from workers.engine.causal import CausalModel, CausalQuery
from workers.engine.sentences import Encoded, Sentence, encode
from workers.probes.pairs.asked import Ask, Scored
from workers.probes.pairs.tokens import Tokens, fault_of, tokenized
from workers.probes.progress import in_items
from workers.probes.protocol import Progress

PER_TOKEN = "log_likelihood_per_token"
SEPARATOR = "<|endoftext|>"
"""What stands between the texts that a model of GPT-2's family has read."""
NO_START = "the sentences differ in their first token, and the tokenizer has no token with which a text starts"


def start_of(tokenizer: Any) -> tuple[int, ...]:
    """Return the token before a text, where the tokenizer does not put one there by itself; none without one.

    The separator of texts where the vocabulary has it, else the token that begins a text, else the one that ends it.
    Source: McGill-NLP/bias-bench, which starts GPT-2's sentences so.
    """
    if (separator := tokenizer.get_vocab().get(SEPARATOR)) is not None:
        return (separator,)
    found = next((one for one in (tokenizer.bos_token_id, tokenizer.eos_token_id) if one is not None), None)
    return () if found is None else (found,)


def score_pairs(
    model: CausalModel, items: Sequence[SentencePair], asks: Sequence[Ask], progress: Progress
) -> list[Scored]:
    """Return the scores of each pair, in the order of the asks. What sentences share at their start is run once."""
    texts = tokenized(model.tokenizer, [text for item in items for text in (item.more, item.less)])
    start = start_of(model.tokenizer)
    pairs = list(zip(texts[::2], texts[1::2], strict=True))
    faults = [_fault(first, second, start) for first, second in pairs]
    queries = [_query(one, start) for pair, fault in zip(pairs, faults, strict=True) if not fault for one in pair]
    log_p = iter(_answers(model, queries, len(items) * len(asks), progress))
    found = []
    for (first, second), fault in zip(pairs, faults, strict=True):
        sums = (0.0, 0.0) if fault else (next(log_p), next(log_p))
        found += [Scored(reason=fault) if fault else _scored(ask, first, second, sums, start) for ask in asks]
    return found


def _fault(first: Tokens, second: Tokens, start: tuple[int, ...]) -> str:
    fault = fault_of(first, second)
    return fault or (NO_START if not _context(first, start) and first.ids[0] != second.ids[0] else "")


def _context(tokens: Tokens, start: tuple[int, ...]) -> tuple[int, ...]:
    """Return what stands before the first token of the text: the tokenizer's own special tokens, or `start`."""
    return tokens.ids[: tokens.own[0]] or start


def _counted(tokens: Tokens, start: tuple[int, ...]) -> tuple[int, ...]:
    """Return the places that are scored; without a start all but the first, which both sentences share."""
    return tokens.own if _context(tokens, start) else tokens.own[1:]


def _query(tokens: Tokens, start: tuple[int, ...]) -> CausalQuery:
    own = [tokens.ids[place] for place in tokens.own]
    context = _context(tokens, start)
    return CausalQuery(context, tuple(own)) if context else CausalQuery((own[0],), tuple(own[1:]))


def _scored(ask: Ask, first: Tokens, second: Tokens, sums: tuple[float, float], start: tuple[int, ...]) -> Scored:
    if ask.scoring != PER_TOKEN:
        return Scored(*sums)
    return Scored(sums[0] / len(_counted(first, start)), sums[1] / len(_counted(second, start)))


def score_gest(
    model: CausalModel, items: Sequence[GestSentence], asks: Sequence[Ask], progress: Progress
) -> list[Scored]:
    """Return log P of the male and of the female word as the next one, of each item in each template."""
    forms = [(item.sentence, ask.form) for item in items for ask in asks if ask.form]
    filled = [form.filled(word, text) for text, form in forms for word in (form.male, form.female)]
    encoded = encode(model.tokenizer, [Sentence(text, (span,)) for text, span in filled])
    pairs = list(zip(encoded[::2], encoded[1::2], strict=True))
    faults = [one.fault or other.fault for one, other in pairs]
    queries = [_next_word(one) for pair, fault in zip(pairs, faults, strict=True) if not fault for one in pair]
    log_p = iter(_answers(model, queries, len(pairs), progress))
    return [Scored(reason=fault) if fault else Scored(next(log_p), next(log_p)) for fault in faults]


def _next_word(encoded: Encoded) -> CausalQuery:
    slot = encoded.slots[0]
    return CausalQuery(encoded.ids[: slot.start], encoded.ids[slot.start : slot.stop])


def _answers(model: CausalModel, queries: Sequence[CausalQuery], rows: int, progress: Progress) -> list[float]:
    if not queries:
        progress(rows)
        return []
    found: list[float] = model.log_probabilities(queries, in_items(progress, rows, len(queries))).tolist()
    return found
