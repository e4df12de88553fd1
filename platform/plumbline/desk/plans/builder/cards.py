"""The methods as cards: what each asks, in plain words from its own card."""

from dataclasses import dataclass

from plumbline.spec.registry import PROBES

KINDS = {
    "masked": "masked",
    "causal": "causal",
    "multiple_choice": "multiple-choice",
    "text_to_text": "text-to-text",
    "encoder": "encoder",
    "static": "word vectors",
    "remote": "remote endpoints",
    "answers": "imported answers",
}


@dataclass(frozen=True, slots=True)
class MethodCard:
    """One method. `measured` says what a run measures, `score` what one item's score is."""

    probe: str
    title: str
    measured: str
    score: str
    models: str
    chosen: bool


def method_cards(chosen: str) -> list[MethodCard]:
    """Return the cards of all methods, in the registry's order."""
    return [_card(probe, probe == chosen) for probe in PROBES]


def _card(probe: str, is_chosen: bool) -> MethodCard:
    card = PROBES[probe].card
    score = card.statistic(card.score)
    measured = card.measured[:1].upper() + card.measured[1:]
    kinds = ", ".join(KINDS.get(kind, kind) for kind in card.model_kinds)
    return MethodCard(probe, card.title, f"{measured}.", score.sentence if score else "", kinds, is_chosen)
