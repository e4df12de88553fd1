"""The items of a run as samples: a sentence, and how likely the model finds its word."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from plumbline.audits.freezing import frozen_spec
from plumbline.audits.models import Run
from plumbline.results.reading import frames
from plumbline.spec.card import Card
from plumbline.spec.errors import InputError
from plumbline.spec.sentences import Words

TABLE = "association"
NO_ANSWER = "No answer was generated: the score compares log probabilities. is_correct means nothing here."


def why_none(card: Card) -> str:
    """Return why the items of the method are no samples, or ""."""
    if TABLE in card.tables:
        return ""
    return (
        f"The items of {card.title} are not written: only scores of one sentence each are. "
        "'audit export --table' writes them."
    )


class Samples:
    """The samples of a run, in the order of its records. `unscored` counts the items without a score so far."""

    def __init__(self, run: Run, evaluation_id: str, model: str) -> None:
        self.run, self.unscored = run, 0
        self._shared = {
            "schema_version": "0.3.0",
            "evaluation_id": evaluation_id,
            "model_id": model,
            "evaluation_name": f"plumbline.{run.probe}.item",
            "interaction_type": "single_turn",
        }
        self._words = _words(run)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for frame in frames(self.run.pk, TABLE):
            for row in frame.iter_rows(named=True):
                if row["score"] is None:
                    self.unscored += 1
                else:
                    yield self._sample(row)

    def _sample(self, row: dict[str, Any]) -> dict[str, Any]:
        raw = "".join(one.text for one in self._words.sentence(row["template"], row["group"], row["attribute"]))
        details = {name: row[name] for name in ("template", "group", "attribute", "log_p_target", "log_p_prior")}
        return {
            **self._shared,
            "sample_id": str(row["id"]),
            "sample_hash": _hash(raw),
            "input": {"raw": raw, "reference": []},
            "output": {"raw": []},
            "answer_attribution": [],
            "evaluation": {"score": row["score"], "is_correct": False},
            "metadata": {
                **{name: str(value) for name, value in details.items() if value is not None},
                "about": NO_ANSWER,
            },
        }


def _hash(raw: str) -> str:
    """Return the hash by the recipe of the format: of the input and its references, of which there are none."""
    text = json.dumps({"raw": raw, "reference": []}, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _words(run: Run) -> Words:
    """Return the words of the launch, or none if the spec is no longer valid: a sample then has the bare template."""
    try:
        spec, snapshots = frozen_spec(run)
        return spec.sentence_words(snapshots)
    except InputError:
        return Words({}, {}, ())
