"""Scores of a causal language model: log likelihoods of sentences, and of the next word after a sentence."""

from collections.abc import Sequence

from plumbline.methods.pairs.content import GestSentence, SentencePair
from workers.engine.causal import CausalModel, CausalQuery
from workers.engine.sentences import Encoded, Sentence, encode
from workers.engine.text_tokens import Tokens, context_of, start_of, tokenized
from workers.probes.pairs.asks import Ask, Scored
from workers.probes.pairs.tokens import fault_of
from workers.probes.progress import in_items
from workers.probes.protocol import Progress

PER_TOKEN = "log_likelihood_per_token"
NO_START = "the sentences differ in their first token, and the tokenizer has no token with which a text starts"


def score_pairs(
    model: CausalModel, items: Sequence[SentencePair], asks: Sequence[Ask], progress: Progress
) -> list[Scored]:
    """Return the scores of each pair, in the order of the asks. A shared beginning is computed once."""
    texts = tokenized(model.tokenizer, [text for item in items for text in (item.more, item.less)], model.described)
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
    return fault or (NO_START if not context_of(first, start) and first.ids[0] != second.ids[0] else "")


def _counted(tokens: Tokens, start: tuple[int, ...]) -> tuple[int, ...]:
    """Return the scored places. Without a start token, the first place, which both sentences share, is left out."""
    return tokens.own if context_of(tokens, start) else tokens.own[1:]


def _query(tokens: Tokens, start: tuple[int, ...]) -> CausalQuery:
    own = [tokens.ids[place] for place in tokens.own]
    context = context_of(tokens, start)
    return CausalQuery(context, tuple(own)) if context else CausalQuery((own[0],), tuple(own[1:]))


def _scored(ask: Ask, first: Tokens, second: Tokens, sums: tuple[float, float], start: tuple[int, ...]) -> Scored:
    if ask.scoring != PER_TOKEN:
        return Scored(*sums)
    return Scored(sums[0] / len(_counted(first, start)), sums[1] / len(_counted(second, start)))


def score_gest(
    model: CausalModel, items: Sequence[GestSentence], asks: Sequence[Ask], progress: Progress
) -> list[Scored]:
    """Return log P of the male and of the female word as the next word, for each item in each template."""
    forms = [(item.sentence, ask.form) for item in items for ask in asks if ask.form]
    filled = [form.filled(word, text) for text, form in forms for word in (form.male, form.female)]
    encoded = encode(model.tokenizer, [Sentence(text, (span,)) for text, span in filled], described=model.described)
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
