"""The scores or templates of GEST that a run computes for each item, and the records of the results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from plumbline.methods.pairs.content import GestSentence, Item
from plumbline.methods.pairs.scores import (
    GEST_GENERATIVE,
    GEST_IMPORTED,
    GEST_MASKED,
    OF_KIND,
    TEMPLATES,
    Template,
    imported_template,
)
from plumbline.methods.pairs.spec import PairsSpec
from plumbline.spec.errors import SpecError
from workers.engine.checkpoints.checkpoint import Checkpoint, Kind
from workers.engine.xlnet import FAMILIES as PERMUTED
from workers.probes.protocol import Columns

UNMASKED = ("aul", "aula")
"""Scores for which the model sees the token that it scores. XLNet never does."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A score of a pair, or a template of GEST, by its names in records."""

    scoring: str
    template: str = ""
    form: Template | None = None

    @property
    def label(self) -> str:
        """Return its name in coverage."""
        return self.template or self.scoring


@dataclass(frozen=True, slots=True)
class Scored:
    """The result of one item and ask: a score for each sentence, or the reason why there is none."""

    first: float | None = None
    second: float | None = None
    reason: str = ""
    difference: float | None = None
    """The imported difference, if only this was imported."""

    @property
    def score(self) -> float | None:
        """Return first minus second."""
        if self.first is None or self.second is None:
            return self.difference
        return self.first - self.second


def asks_of(spec: PairsSpec, items: Sequence[Item], checkpoint: Checkpoint) -> list[Ask]:
    """Return the asks of every item. Raises SpecError for a choice that the kind of model does not have."""
    is_gest = isinstance(items[0], GestSentence)
    if checkpoint.kind == Kind.ANSWERS:
        return _imported(spec)
    return _templates(spec, checkpoint) if is_gest else [Ask(name) for name in _scores(spec, checkpoint)]


def _imported(spec: PairsSpec) -> list[Ask]:
    """Return the one score; for GEST the template's number, which masked and causal templates share."""
    if spec.params.scores:
        return [Ask(spec.params.scores[0])]
    return [Ask(GEST_IMPORTED, imported_template(number)) for number in spec.params.templates or ()]


def _scores(spec: PairsSpec, checkpoint: Checkpoint) -> list[str]:
    hidden = checkpoint.config.get("model_type") in PERMUTED
    known = [name for name in OF_KIND[checkpoint.kind] if not (hidden and name in UNMASKED)]
    chosen: list[str] = list(dict.fromkeys(spec.params.scores or known))
    if foreign := [name for name in chosen if name not in known]:
        raise SpecError(
            f"params.scores: {spec.model} is of the kind {checkpoint.kind}, which has no score {foreign[0]};"
            f" choose from {', '.join(known)}."
        )
    return chosen


def _templates(spec: PairsSpec, checkpoint: Checkpoint) -> list[Ask]:
    forms = TEMPLATES[checkpoint.kind]
    chosen = list(dict.fromkeys(spec.params.templates or range(len(forms))))
    if foreign := [number for number in chosen if number >= len(forms)]:
        raise SpecError(
            f"params.templates: GEST has the templates 0 to {len(forms) - 1} for {checkpoint.kind} models, not"
            f" {foreign[0]}; change params.templates."
        )
    scoring = GEST_MASKED if checkpoint.kind == Kind.MASKED else GEST_GENERATIVE
    return [Ask(scoring, forms[number].label, forms[number]) for number in chosen]


def columns(
    probe: str, banks: Mapping[str, str], items: Sequence[Item], asks: Sequence[Ask], found: Sequence[Scored]
) -> Columns:
    """Return the records, one for each item and ask, in their order."""
    places = [(item, ask) for item in items for ask in asks]
    return {
        "probe": [probe] * len(places),
        "bank": [banks.get(item.id, "") for item, _ in places],
        "item": [item.id for item, _ in places],
        "category": [item.category for item, _ in places],
        "scoring": [ask.scoring for _, ask in places],
        "template": [ask.template for _, ask in places],
        "first": [one.first for one in found],
        "second": [one.second for one in found],
        "score": [one.score for one in found],
        "scorable": [one.score is not None for one in found],
        "reason": [one.reason or None for one in found],
    }
