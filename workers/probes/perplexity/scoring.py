"""The log likelihood of texts: of masked models one masked token at a time, of causal ones from left to right."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from workers.engine.causal import CausalModel, CausalQuery
from workers.engine.masked import MaskedModel
from workers.engine.text_tokens import Tokens, context_of, start_of, tokenized
from workers.probes.progress import in_items
from workers.probes.protocol import Progress

NO_TOKEN = "the model's tokenizer finds no token to score in it"


@dataclass(frozen=True, slots=True)
class TextScore:
    """What was found for one text; `log_likelihood` is None if it has a reason, `n_top1` of causal models."""

    log_likelihood: float | None = None
    n_tokens: int | None = None
    n_top1: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _Place:
    """A token to predict: the number of its text, the input in which it is masked, and its position."""

    text: int
    ids: tuple[int, ...]
    position: int
    target: int


def score_masked(model: MaskedModel, texts: Sequence[str], progress: Progress) -> list[TextScore]:
    """Return the pseudo-log-likelihood of each text. Source: Salazar et al. 2020, equation 1."""
    every = tokenized(model.tokenizer, texts)
    places = [
        place
        for number, tokens in enumerate(every)
        if not _fault(tokens, tokens.own)
        for place in _places(number, tokens, model.mask_token_id)
    ]
    found: list[tuple[float, bool]] = [(0.0, False)] * len(places)
    _read(model, places, found, in_items(progress, len(texts), len(places)) if places else None)
    if not places:
        progress(len(texts))
    by_text: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for place, answer in zip(places, found, strict=True):
        by_text[place.text].append(answer)
    return [_masked_score(tokens, by_text[number]) for number, tokens in enumerate(every)]


def _fault(tokens: Tokens, scored: Sequence[int]) -> str:
    return tokens.fault or ("" if scored else NO_TOKEN)


def _places(number: int, tokens: Tokens, mask: int) -> list[_Place]:
    return [_Place(number, (*tokens.ids[:at], mask, *tokens.ids[at + 1 :]), at, tokens.ids[at]) for at in tokens.own]


def _read(
    model: MaskedModel, places: Sequence[_Place], found: list[tuple[float, bool]], progress: Progress | None
) -> None:
    """Fill `found`: log P of each place's token, and whether no token is likelier."""

    def read(asked: list[list[int]], logits: Tensor) -> list[tuple[int, float, bool]]:
        rows = [row for row, numbers in enumerate(asked) for _ in numbers]
        numbers = [number for own in asked for number in own]
        of_targets = logits[rows, [places[number].target for number in numbers]]
        log_p = of_targets.double() - logits.double().logsumexp(1)[rows]
        is_top = of_targets >= logits.amax(1)[rows]
        return list(zip(numbers, log_p.tolist(), is_top.tolist(), strict=True))

    def keep(answers: list[tuple[int, float, bool]]) -> None:
        for number, log_p, is_top in answers:
            found[number] = (log_p, is_top)

    if places:
        model.read_logits([(place.ids, place.position) for place in places], read, keep, progress)


def _masked_score(tokens: Tokens, own: Sequence[tuple[float, bool]]) -> TextScore:
    if reason := _fault(tokens, tokens.own):
        return TextScore(reason=reason)
    return TextScore(sum(log_p for log_p, _ in own), len(own), sum(is_top for _, is_top in own))


def score_causal(model: CausalModel, texts: Sequence[str], progress: Progress) -> list[TextScore]:
    """Return the log likelihood of each text. Without a token before it, the first token of a text is not scored."""
    start = start_of(model.tokenizer)
    every = tokenized(model.tokenizer, texts)
    reasons = [_fault(tokens, _scored(tokens, start)) for tokens in every]
    queries = [_query(tokens, start) for tokens, reason in zip(every, reasons, strict=True) if not reason]
    if not queries:
        progress(len(texts))
    log_p = iter(
        model.log_probabilities(queries, in_items(progress, len(texts), len(queries))).tolist() if queries else ()
    )
    return [
        TextScore(reason=reason) if reason else TextScore(next(log_p), len(_scored(tokens, start)))
        for tokens, reason in zip(every, reasons, strict=True)
    ]


def _scored(tokens: Tokens, start: tuple[int, ...]) -> tuple[int, ...]:
    if not tokens.own:
        return ()
    return tokens.own if context_of(tokens, start) else tokens.own[1:]


def _query(tokens: Tokens, start: tuple[int, ...]) -> CausalQuery:
    own = tuple(tokens.ids[place] for place in tokens.own)
    context = context_of(tokens, start)
    return CausalQuery(context, own) if context else CausalQuery(own[:1], own[1:])
