"""The methods as cards: what each asks, in plain words from its own card."""

from dataclasses import dataclass
from typing import Any

from plumbline.audits.model_kinds import KINDS
from plumbline.spec.registry import PROBES


@dataclass(frozen=True, slots=True)
class MethodCard:
    """One method. `measured` says what a run measures, `score` what one item's score is."""

    probe: str
    title: str
    measured: str
    score: str
    models: str
    chosen: bool
    fits: bool
    """Whether the method can ask the chosen model, or nobody knows the kind of the model."""


def methods_shown(chosen: str, kind: str) -> dict[str, Any]:
    """Return the card of the chosen method, and all cards in the registry's order: those that fit, and those that do
    not. `kind` is that of the chosen model, "" if unknown."""
    cards = [_card(probe, probe == chosen, kind) for probe in PROBES]
    return {
        "chosen_card": next((card for card in cards if card.chosen), None),
        "cards": [card for card in cards if card.fits],
        "unfit_cards": [card for card in cards if not card.fits],
    }


def _card(probe: str, is_chosen: bool, kind: str) -> MethodCard:
    card = PROBES[probe].card
    score = card.statistic(card.score)
    measured = card.measured[:1].upper() + card.measured[1:]
    kinds = ", ".join(KINDS.get(kind, kind) for kind in card.model_kinds)
    fits = not kind or kind in card.model_kinds
    return MethodCard(probe, card.title, f"{measured}.", score.sentence if score else "", kinds, is_chosen, fits)
