"""The items of a run as samples: what was asked, what came back, and its score."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plumbline.audits.models import Run
from plumbline.audits.sentence_words import sentence_words
from plumbline.results.reading import frames
from plumbline.spec.card import Card
from plumbline.spec.registry import contributed
from plumbline.spec.sentences import Words

TABLE = "association"
NO_ANSWER = "No answer was generated: the score compares log probabilities. is_correct means nothing here."
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Sample:
    """An item. `output` is what the model wrote, if it wrote; `answer` is what was understood, and `by` what."""

    id: int
    raw: str
    score: float
    metadata: Mapping[str, Any]
    is_correct: bool = False
    reference: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    output: tuple[str, ...] = ()
    answer: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True)
class SampleSource:
    """Where a method's samples come from. The `samples` module of its folder has one as SAMPLES."""

    table: str
    """The records."""
    of: Callable[[Run], Callable[[Sequence[Row]], Iterable[Sample | None]]]
    """A function of a run that returns the samples of some of its records; None: an item without a score."""


def source_of(card: Card, probe: str) -> SampleSource | None:
    """Return where the samples of a method come from, or None if its items are no samples."""
    usual = SampleSource(TABLE, _sentences) if TABLE in card.tables else None
    return contributed(probe, "samples", "SAMPLES", usual)


def why_none(card: Card, probe: str) -> str:
    """Return why the items of the method are no samples, or ""."""
    if source_of(card, probe):
        return ""
    return (
        f"The items of {card.title} are not written: only scores of one sentence each and answered questions of BBQ "
        "are. 'audit export --table' writes them."
    )


class Samples:
    """The samples of a run, in the order of its records. `unscored` counts the items without a score so far."""

    def __init__(self, run: Run, source: SampleSource, evaluation_id: str, model: str) -> None:
        self.run, self.source, self.unscored = run, source, 0
        self._shared = {
            "schema_version": "0.3.0",
            "evaluation_id": evaluation_id,
            "model_id": model,
            "evaluation_name": f"plumbline.{run.probe}.item",
            "interaction_type": "single_turn",
        }

    def __iter__(self) -> Iterator[dict[str, Any]]:
        samples = self.source.of(self.run)
        for frame in frames(self.run.pk, self.source.table):
            for one in samples(frame.to_dicts()):
                if one is None:
                    self.unscored += 1
                else:
                    yield self._shared | _written(one)


def _written(one: Sample) -> dict[str, Any]:
    asked: dict[str, Any] = {"raw": one.raw, "reference": list(one.reference)}
    return {
        "sample_id": str(one.id),
        "sample_hash": _hash(asked),
        "input": asked | ({"choices": list(one.choices)} if one.choices else {}),
        "output": {"raw": list(one.output)},
        "answer_attribution": [_attribution(one)] if one.output else [],
        "evaluation": {"score": one.score, "is_correct": one.is_correct},
        "metadata": {name: str(value) for name, value in one.metadata.items() if value is not None},
    }


def _attribution(one: Sample) -> dict[str, Any]:
    found = {"turn_idx": 0, "source": "output.raw", "extracted_value": one.answer}
    return found | {"extraction_method": one.by, "is_terminal": True}


def _hash(asked: Mapping[str, Any]) -> str:
    """Return the hash by the recipe of the format: of the input and its references."""
    return hashlib.sha256(json.dumps(asked, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _sentences(run: Run) -> Callable[[Sequence[Row]], Iterator[Sample | None]]:
    words = sentence_words(run)
    return lambda rows: (None if row["score"] is None else _sentence(words, row) for row in rows)


def _sentence(words: Words, row: Row) -> Sample:
    """Return a sentence, and how likely the model finds its word."""
    raw = "".join(one.text for one in words.sentence(row["template"], row["group"], row["attribute"]))
    details = {name: row[name] for name in ("template", "group", "attribute", "log_p_target", "log_p_prior")}
    return Sample(row["id"], raw, row["score"], details | {"about": NO_ANSWER})
