"""Scores of a masked language model: each is a weighted sum of log probabilities of tokens."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from plumbline.methods.pairs.content import GestSentence, SentencePair
from plumbline.methods.pairs.scores import Template
from workers.engine.attention_weights import received_attention
from workers.engine.masked import FloatArray, MaskedModel, MaskedQuery
from workers.engine.sentences import Encoded, Sentence, encode, replace
from workers.engine.text_tokens import Tokens, tokenized
from workers.probes.pairs.asks import Ask, Scored
from workers.probes.pairs.tokens import fault_of, shared
from workers.probes.progress import in_items
from workers.probes.protocol import Progress

NOTHING_SHARED = "the sentences share no token"
Attention = Mapping[tuple[int, ...], FloatArray]


@dataclass(frozen=True, slots=True)
class Reading:
    """The queries of one sentence. The weighted sum of their answers is its score."""

    queries: list[MaskedQuery]
    weights: list[float]


def _plain(queries: list[MaskedQuery], weight: float = 1.0) -> Reading:
    return Reading(queries, [weight] * len(queries))


def _one_masked(tokens: Tokens, places: Sequence[int], mask: int) -> list[MaskedQuery]:
    return [_query(tokens, place, range(place, place + 1), mask) for place in places]


def _query(tokens: Tokens, place: int, hidden: range, mask: int) -> MaskedQuery:
    """Return the query for the token at `place` while the tokens of `hidden` are masked."""
    ids = (*tokens.ids[: hidden.start], *(mask,) * len(hidden), *tokens.ids[hidden.stop :])
    return MaskedQuery(ids, place, tokens.ids[place])


def crows(first: Tokens, second: Tokens, mask: int, _attention: Attention) -> tuple[Reading, Reading] | str:
    """Read the pseudo-log-likelihood of the shared tokens, each masked alone. Source: Nangia et al. 2020, section 4."""
    of_first, of_second = shared(first, second)
    if not of_first:
        return NOTHING_SHARED
    return _plain(_one_masked(first, of_first, mask)), _plain(_one_masked(second, of_second, mask))


def aul(first: Tokens, second: Tokens, _mask: int, _attention: Attention) -> tuple[Reading, Reading]:
    """Read the mean log probability of all tokens, none masked. Source: Kaneko and Bollegala 2022, equation 3."""
    return _unmasked(first), _unmasked(second)


def _unmasked(tokens: Tokens) -> Reading:
    queries = [MaskedQuery(tokens.ids, place, tokens.ids[place]) for place in tokens.own]
    return _plain(queries, 1 / len(queries))


def aula(first: Tokens, second: Tokens, _mask: int, attention: Attention) -> tuple[Reading, Reading]:
    """Read the same mean, each token weighted by the attention that it gets. Source: their equation 4."""
    one, other = (
        Reading(reading.queries, [float(attention[tokens.ids][place]) / len(tokens.own) for place in tokens.own])
        for tokens in (first, second)
        for reading in (_unmasked(tokens),)
    )
    return one, other


def pll_l2r(first: Tokens, second: Tokens, mask: int, _attention: Attention) -> tuple[Reading, Reading]:
    """Read all tokens, each masked with the later ones of its word. Source: Kauf and Ivanova 2023, section 3."""
    one, other = (
        _plain([_query(tokens, place, tokens.rest_of_word(place), mask) for place in tokens.own])
        for tokens in (first, second)
    )
    return one, other


READINGS: dict[str, Callable[[Tokens, Tokens, int, Attention], tuple[Reading, Reading] | str]] = {
    "crows": crows,
    "aul": aul,
    "aula": aula,
    "pll_l2r": pll_l2r,
}


def score_pairs(
    model: MaskedModel, items: Sequence[SentencePair], asks: Sequence[Ask], progress: Progress
) -> list[Scored]:
    """Return the scores of each pair, in the order of the asks. All tokens of all pairs are batched together."""
    texts = tokenized(model.tokenizer, [text for item in items for text in (item.more, item.less)], model.described)
    pairs = list(zip(texts[::2], texts[1::2], strict=True))
    attention = _attention(model, pairs) if any(ask.scoring == "aula" for ask in asks) else {}
    readings = [
        fault_of(first, second) or READINGS[ask.scoring](first, second, model.mask_token_id, attention)
        for first, second in pairs
        for ask in asks
    ]
    return answered(model, readings, progress)


def _attention(model: MaskedModel, pairs: Sequence[tuple[Tokens, Tokens]]) -> Attention:
    sound = [pair for pair in pairs if not fault_of(*pair)]
    inputs = list(dict.fromkeys(tokens.ids for pair in sound for tokens in pair))
    return dict(zip(inputs, received_attention(model, inputs), strict=True))


def score_gest(
    model: MaskedModel, items: Sequence[GestSentence], asks: Sequence[Ask], progress: Progress
) -> list[Scored]:
    """Return log P of the male and of the female word at the mask, for each item in each template."""
    forms = [(item.sentence, ask.form) for item in items for ask in asks if ask.form]
    filled = [Sentence(*_with_span(form, word, text)) for text, form in forms for word in (form.male, form.female)]
    encoded = encode(model.tokenizer, filled, described=model.described)
    mask = model.mask_token_id
    pairs = zip(encoded[::2], encoded[1::2], forms, strict=True)
    readings = [
        _split(one, form.male) or _split(other, form.female) or (_at_mask(one, mask), _at_mask(other, mask))
        for one, other, (_, form) in pairs
    ]
    return answered(model, readings, progress)


def _with_span(form: Template, word: str, text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    filled, span = form.filled(word, text)
    return filled, (span,)


def _split(encoded: Encoded, word: str) -> str:
    """Return why one mask cannot predict the word; empty if it can."""
    tokens = len(encoded.slots[0])
    return encoded.fault or (f"the model splits {word!r} into {tokens} tokens; a mask is one" if tokens > 1 else "")


def _at_mask(encoded: Encoded, mask: int) -> Reading:
    place = encoded.slots[0].start
    return _plain([MaskedQuery(replace(encoded, 0, (mask,)).ids, place, encoded.ids[place])])


def answered(model: MaskedModel, readings: Sequence[tuple[Reading, Reading] | str], progress: Progress) -> list[Scored]:
    """Ask all queries at once, and sum the answers of each reading. A text in place of readings is a reason."""
    asked = [one for pair in readings if not isinstance(pair, str) for one in pair]
    queries = [query for one in asked for query in one.queries]
    told = in_items(progress, len(readings), len(queries)) if queries else None
    answers = iter(model.log_probabilities(queries, progress=told).tolist())
    sums = iter([float(np.dot(one.weights, [next(answers) for _ in one.queries])) for one in asked])
    if told is None:
        progress(len(readings))
    return [Scored(reason=one) if isinstance(one, str) else Scored(next(sums), next(sums)) for one in readings]
