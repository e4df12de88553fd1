"""The parts of the GAP pages: the genders of pronouns, the topics, and the passages."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from plumbline.audits.freezing import frozen_spec
from plumbline.audits.models import Run
from plumbline.methods.gap.findings import DIFFERENCES
from plumbline.methods.gap.spec import GapSpec
from plumbline.results import models
from plumbline.spec.banks.passages import FEMININE, MASCULINE, NEITHER, Passage
from plumbline.spec.errors import InputError
from plumbline.spec.measure import Measure
from plumbline.spec.sentences import Piece
from plumbline.spec.sources import entries_of

GENDERS = (FEMININE, MASCULINE)
OF_GENDERS = ("p_neither", "neither_rate", "p_neither_excess", "accuracy", "f1")
OF_TOPICS = ("topic_bias", "topic_p_neither")
CORRELATION = "topic_bias_correlation"
STATISTICS = (*OF_GENDERS, *DIFFERENCES, *OF_TOPICS, CORRELATION)
CHANCE, PARTIAL = "chance", "partial"
SLOTS = ("pronoun", "a", "b")


@dataclass(slots=True)
class Gender:
    """The figures of one gender of pronouns by statistic, or of both if the name is empty. Chance is separate."""

    name: str
    found: dict[str, Measure] = field(default_factory=dict)
    chance: Measure | None = None


@dataclass(slots=True)
class Topic:
    """A topic: its bias, its words by weight, and P(neither) of its passages by gender."""

    name: str
    words: list[str]
    bias: Measure
    neither: dict[str, Measure] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """A passage with the probabilities of its options in order, or none with the reason."""

    item: str
    gender: str
    pieces: list[Piece]
    options: tuple[str, ...]
    chances: tuple[float, ...]
    chosen: int | None
    gold: int | None
    cut: bool
    reason: str

    @property
    def neither(self) -> float | None:
        return self.chances[NEITHER] if self.chances else None

    @property
    def right(self) -> bool:
        return self.chosen is not None and self.chosen == self.gold

    @property
    def says(self) -> str:
        return "" if self.chosen is None else self.options[self.chosen]

    @property
    def is_really(self) -> str:
        return "" if self.gold is None else self.options[self.gold]


def genders(found: Sequence[Measure]) -> list[Gender]:
    """Return feminine, masculine and both together, each with the figures that the run has."""
    rows = {name: Gender(name) for name in (*GENDERS, "")}
    for one in found:
        if one.statistic in OF_GENDERS and one.group_a in rows:
            if one.condition == CHANCE:
                rows[one.group_a].chance = one
            else:
                rows[one.group_a].found[one.statistic] = one
    return [one for one in rows.values() if one.found]


def topics(found: Sequence[Measure]) -> list[Topic]:
    """Return the topics, the one linked most with men first. Those without a bias come last."""
    biases = [one for one in found if one.statistic == "topic_bias"]
    rows = {one.category: Topic(one.category, one.attribute.split(", "), one) for one in biases}
    for one in found:
        if one.statistic == "topic_p_neither" and one.category in rows:
            rows[one.category].neither[one.group_a] = one
    return sorted(rows.values(), key=lambda one: math.inf if one.bias.value is None else -one.bias.value)


def answers(run: Run, records: Sequence[models.Choice]) -> list[Answer]:
    """Return the records with their passages from the run's own bank. The records must have their terms loaded."""
    texts = _passages(run, {one.item.text for one in records})
    return [_answer(one, texts.get(one.item.text)) for one in records]


def _passages(run: Run, wanted: set[str]) -> Mapping[str, Passage]:
    """Return the wanted passages by id, or none if the run's spec is no longer valid."""
    try:
        spec, snapshots = frozen_spec(run)
        sources = spec.bank if isinstance(spec, GapSpec) else ()
        entries = [entry for source in sources for entry in entries_of(source, snapshots)]
        own = [entry for entry in entries if isinstance(entry, dict) and entry.get("id") in wanted]
        return {entry["id"]: Passage.model_validate(entry) for entry in own}
    except (InputError, KeyError, ValueError):
        return {}


def _answer(one: Any, passage: Passage | None) -> Answer:
    return Answer(
        item=one.item.text,
        gender=one.group.text,
        pieces=pieces(passage) if passage else [],
        options=tuple(json.loads(one.options.text)),
        chances=tuple(math.exp(log) for log in json.loads(one.logits)) if one.logits else (),
        chosen=one.chosen,
        gold=one.gold,
        cut=one.condition.text == "cut",
        reason=one.reason.text if one.reason else "",
    )


def pieces(passage: Passage) -> list[Piece]:
    """Split the text at its pronoun and names, left to right. If two overlap, only the first is marked."""
    spans = sorted(
        (offset, offset + len(word), slot) for slot, (_, word, offset) in zip(SLOTS, passage.marked, strict=True)
    )
    found, end = [], 0
    for start, stop, slot in spans:
        if start >= end:
            found += [Piece(passage.text[end:start]), Piece(passage.text[start:stop], slot)]
            end = stop
    return [one for one in [*found, Piece(passage.text[end:])] if one.text]
