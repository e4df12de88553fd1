"""Import of predictions: answers given elsewhere become a bank and a run over it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.utils.text import slugify

from plumbline.audits.models import Run
from plumbline.spec.audit import AuditSpec, parse
from plumbline.spec.digests import digest
from plumbline.spec.errors import InputError
from plumbline.spec.numbers import count
from plumbline.vocab.banks.importing import create
from plumbline.vocab.banks.kinds import ANSWERS
from plumbline.vocab.banks.reading import Questions, named
from plumbline.vocab.models import Bank
from workers.management.console import Console
from workers.management.inline import run_inline
from workers.management.launcher import launcher
from workers.probes.predictions import Options, PredictionImporter, prediction_files


@dataclass(frozen=True, slots=True)
class Predictions:
    """Files of predictions, their importer, the bank that they answer, and the name of the model."""

    importer: PredictionImporter
    path: Path
    bank: str
    name: str
    options: Options
    """The importer's own options."""

    @property
    def model(self) -> str:
        """The given name, else the importer's."""
        return self.name.strip() or self.importer.model_name(self.path, self.options)

    @property
    def slug(self) -> str:
        """The name of the bank of these answers."""
        part = slugify(self.importer.part(self.options))
        return "-".join(filter(None, ("answers", slugify(self.model) or "of-a-model", part)))


def run_over(what: Predictions, console: Console, tell: Callable[[str], object]) -> Run:
    """Import and score predictions.

    Raises InputError, naming file and line, and then leaves neither bank nor run behind.
    """
    questions = _questions(what)
    files = prediction_files(what.path)
    answers = what.importer.read(files, what.options, questions)
    if not answers:
        raise InputError(f"{what.path} holds no answer: name a file of predictions.")
    bank, made = _bank(what, files, answers)
    if missing := len(questions.keys() - {one["id"] for one in answers}):
        tell(f"{count(missing)} of {count(len(questions))} items of {what.bank} are not answered and not in the run.")
    try:
        return run_inline(_spec(what), console, by=launcher(None))
    except InputError:
        if made:
            bank.delete()
        raise


def _questions(what: Predictions) -> dict[str, Mapping[str, Any]]:
    """Return the bank's questions by id. Raises InputError if the bank is missing or of another kind."""
    bank, kind = Bank.objects.filter(slug=what.bank).first(), what.importer.bank_kind
    if bank is None:
        remedy = f"import it first by 'bank import {kind}', or name another by --bank"
        raise InputError(f"there is no bank {what.bank!r}: {remedy}.")
    if bank.kind != kind:
        raise InputError(f"the bank {what.bank!r} is of the kind {bank.kind}; predictions answer banks of kind {kind}.")
    contents: list[dict[str, Any]] = list(bank.entries.values_list("content", flat=True))
    return {str(content["id"]): content for content in contents}


def _bank(what: Predictions, files: Sequence[Path], answers: Sequence[Mapping[str, Any]]) -> tuple[Bank, bool]:
    """Return the bank of these answers, and whether it is new; equal answers have the same bank."""
    earlier = Bank.objects.filter(slug=what.slug).first()
    if earlier is None:
        about = {"title": f"What {what.model} answered to {what.bank}", "source": what.importer.source(what.options)}
        made = Questions(answers, named(files), about)
        return create(ANSWERS, what.path, what.slug, made)[0], True
    if earlier.digest != digest(answers):
        raise InputError(f"there are other answers of {what.model!r} already ({what.slug}): choose another --name.")
    return earlier, False


def _spec(what: Predictions) -> AuditSpec:
    return parse(
        {
            "name": f"{what.model} on {what.bank}"[:200],
            "model": f"answers:{what.model}",
            "bank": {"bank": what.bank},
            "answers": {"bank": what.slug},
            **what.importer.spec_fields(what.options),
        }
    )
