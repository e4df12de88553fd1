"""Writes a run as Every Eval Ever: the figures, the samples beside them, and a file of what is in neither."""

import hashlib
import json
import uuid
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from plumbline.audits import clock
from plumbline.audits.models import Run
from plumbline.packing.every_eval_ever.model import model_id, model_info, portable
from plumbline.packing.every_eval_ever.results import is_defined, result
from plumbline.packing.every_eval_ever.samples import Samples, source_of, why_none
from plumbline.packing.hub.eval_results import task_id
from plumbline.packing.hub.figures import Figures, figures_of
from plumbline.spec.digests import digest
from plumbline.spec.errors import InputError

SCHEMA_VERSION = "0.3.0"
RELATIONSHIPS = ("first_party", "third_party", "collaborative", "other")


@dataclass(frozen=True, slots=True)
class Evaluator:
    """Who publishes the evaluation, and how they relate to the model's developer. No installation can know either."""

    organization: str
    relationship: str


def write(run: Run, evaluator: Evaluator, out: Path) -> list[Path]:
    """Write the files below `out` and return their paths. Raises InputError as `figures_of`, or for no organisation.

    The same run gets the same names, so a second export replaces the first.
    """
    if not evaluator.organization.strip():
        raise InputError("the format names who publishes the evaluation: give --organization NAME.")
    figures = figures_of(run)
    evaluation, model = _evaluation_id(run), model_id(run.model)
    folder = Path("data", "plumbline", *model.split("/"))
    stem = str(uuid.UUID(bytes=hashlib.sha256(evaluation.encode()).digest()[:16], version=4))
    try:
        (out / folder).mkdir(parents=True, exist_ok=True)
        source = source_of(figures.card, run.probe)
        samples = Samples(run, source, evaluation, model) if source else None
        detailed = _write_samples(samples, out, folder / f"{stem}_samples.jsonl") if samples else None
        log = _log(figures, evaluator, evaluation) | ({"detailed_evaluation_results": detailed} if detailed else {})
        files = {
            folder / f"{stem}.json": log,
            Path("not-exported.json"): _left_out(figures, samples.unscored if samples else 0),
        }
        for path, content in files.items():
            (out / path).write_text(json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n", "utf-8")
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror or error}. Choose another --out.") from None
    return [*([Path(detailed["file_path"])] if detailed else []), *files]


def _evaluation_id(run: Run) -> str:
    finished = int(run.finished_at.timestamp()) if run.finished_at else 0
    return f"plumbline-{run.probe}/{portable(run.model)}/{digest(run.spec)[:16]}/{run.pk}/{finished}"


def _log(figures: Figures, evaluator: Evaluator, evaluation: str) -> dict[str, Any]:
    run = figures.run
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": evaluation,
        **({"evaluation_timestamp": run.finished_at.isoformat()} if run.finished_at else {}),
        "retrieved_timestamp": str(clock.now().timestamp()),
        "source_metadata": {
            "source_name": "Plumbline",
            "source_type": "evaluation_run",
            "source_organization_name": evaluator.organization.strip(),
            "evaluator_relationship": evaluator.relationship,
            "additional_details": {"run": str(run.pk), "caveats": " ".join(figures.caveats())},
        },
        "eval_library": {"name": "plumbline", "version": version("plumbline")},
        "model_info": model_info(run),
        "evaluation_results": [result(figures, one) for one in figures.defined if is_defined(one)],
    }


def _write_samples(samples: Samples, out: Path, path: Path) -> dict[str, Any] | None:
    """Write a line for each sample, and return what the figures say about the file. None if there is no sample."""
    checksum, rows = hashlib.sha256(), 0
    with (out / path).open("wb") as file:
        for sample in samples:
            line = json.dumps(sample, ensure_ascii=False, allow_nan=False).encode() + b"\n"
            checksum.update(line)
            file.write(line)
            rows += 1
    if not rows:
        (out / path).unlink()
        return None
    shared = {"format": "jsonl", "file_path": path.as_posix(), "hash_algorithm": "sha256"}
    return shared | {"checksum": checksum.hexdigest(), "total_rows": rows}


def _left_out(figures: Figures, unscored: int) -> dict[str, Any]:
    """Return what the format has no place for: figures without a value, and items without a score."""
    undefined = [*figures.undefined, *(one for one in figures.defined if not is_defined(one))]
    return {
        "about": "Not in the files of Every Eval Ever, which need a number for each result. These are not zero.",
        "run": figures.run.pk,
        "undefined_results": [
            {"evaluation_result_id": task_id(one), "reason": one.reason or "no reason stored"} for one in undefined
        ],
        "defined_results_left_out": figures.left_out,
        "items_without_score": unscored,
        "samples": why_none(figures.card, figures.run.probe),
    }
