"""How a run was made: versions, digests, seed, device and parameters, as the run recorded them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from plumbline.audits.models import Run
from plumbline.audits.reuse import rows_reused
from plumbline.findings.identity import fingerprint_of
from plumbline.findings.updating import summarised_at

OF_SPEC = ("seed", "dtype", "alpha", "prior", "families", "smallest_effect", "params")
LONGEST = 400


@dataclass(frozen=True, slots=True)
class Provenance:
    """Rows of a name and a text: of the run as a whole, then of each phase that asked a model."""

    of_run: tuple[tuple[str, str], ...]
    stages: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]


def provenance_of(run: Run) -> Provenance:
    known: dict[str, Any] = run.provenance or {}
    stages = known.get("stages") or ({"": known} if known else {})
    shown = tuple((name, tuple(_rows(values))) for name, values in stages.items() if values)
    return Provenance(tuple(_of_run(run)), shown)


def _of_run(run: Run) -> Iterator[tuple[str, str]]:
    spec: dict[str, Any] = run.spec or {}
    yield from ((name, _text(spec[name])) for name in OF_SPEC if spec.get(name, {}) != {})
    yield "fingerprint", fingerprint_of(run)
    made = summarised_at(run)
    yield "summarised", f"{made:%Y-%m-%d %H:%M} UTC" if made else "not summarised"
    if reused := rows_reused(run):
        yield "records reused from earlier runs", f"{reused:,}"


def _rows(values: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield from ((name, _text(values[name])) for name in sorted(values))


def _text(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}\u2026"
