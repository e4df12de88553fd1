"""manage.py audit export: a run in the formats of the Hugging Face Hub and of Every Eval Ever."""

from collections.abc import Callable
from pathlib import Path

from plumbline.audits.models import Run
from plumbline.packing.every_eval_ever.writing import Evaluator
from plumbline.packing.every_eval_ever.writing import write as write_every_eval_ever
from plumbline.packing.hub.eval_results import eval_results
from plumbline.packing.hub.model_card import model_card
from plumbline.spec.errors import InputError
from plumbline.vocab.management.output import record_export

EVERY_EVAL_EVER = "every-eval-ever"
HUB_FORMATS: dict[str, Callable[[Run, str], str]] = {
    "eval-results": eval_results,
    "model-card": lambda run, _dataset: model_card(run),
}


def write(run: Run, form: str, dataset: str, out: Path) -> list[str]:
    """Write the file and return what was written. Raises InputError for a path that cannot be written."""
    text = HUB_FORMATS[form](run, dataset)
    record_export(f"audit export {run.pk} --format {form}", out)
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror or error}. Choose another --out.") from None
    return [f"{form} of run {run.pk} written to {out}"]


def write_evaluation(run: Run, evaluator: Evaluator, out: Path) -> list[str]:
    """Write the run as Every Eval Ever below a folder, and return what was written."""
    record_export(f"audit export {run.pk} --format {EVERY_EVAL_EVER}", out)
    return [f"{path} written to {out}" for path in write_every_eval_ever(run, evaluator, out)]
