"""manage.py audit export: a run's figures in the formats of the Hugging Face Hub."""

from collections.abc import Callable
from pathlib import Path

from plumbline.audits.models import Run
from plumbline.packing.hub.eval_results import eval_results
from plumbline.packing.hub.model_card import model_card
from plumbline.spec.errors import InputError
from plumbline.vocab.management.output import record_export

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
