"""Predictions of others become a bank of answers and a run over it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.utils.text import slugify

from plumbline.audits.models import Run
from plumbline.methods.bbq.spec import StoredAnswer
from plumbline.spec.audit import AuditSpec, parse
from plumbline.spec.digests import digest
from plumbline.spec.errors import InputError
from plumbline.spec.numbers import count
from plumbline.vocab.banks.importing import create
from plumbline.vocab.banks.reading import Questions, named
from plumbline.vocab.models import Bank
from workers.management.console import Console
from workers.management.inline import run_inline
from workers.probes.bbq.predictions import files_of, read

QUESTION_ONLY = "_qonly"
"""Fields of UnifiedQA's result files that end so were answered without the context."""


@dataclass(frozen=True, slots=True)
class Predictions:
    """Which field of which files answers which bank, and how the model is called."""

    path: Path
    field: str
    bank: str
    name: str

    @property
    def model(self) -> str:
        return self.name.strip() or (self.path.name.split(".")[0] if self.field == "chosen" else self.field)

    @property
    def slug(self) -> str:
        return f"answers-{slugify(self.model) or 'of-a-model'}"


def run_over(what: Predictions, console: Console, tell: Callable[[str], object]) -> Run:
    """Import and score them. InputError, naming file and line, leaves neither bank nor run behind."""
    asked = _questions(what.bank)
    files = files_of(what.path)
    answers = read(files, what.field, asked)
    if not answers:
        raise InputError(f"{what.path} holds no answer: name a file of predictions.")
    bank, made = _bank(what, files, answers)
    if missing := len(asked) - len(answers):
        tell(f"{count(missing)} of {count(len(asked))} items of {what.bank} are not answered and not in the run.")
    try:
        return run_inline(_spec(what), console)
    except InputError:
        if made:
            bank.delete()
        raise


def _questions(slug: str) -> set[str]:
    bank = Bank.objects.filter(slug=slug).first()
    if bank is None:
        raise InputError(f"there is no bank {slug!r}: import it first by 'bank import bbq', or name another by --bank.")
    if bank.kind != Bank.Kind.BBQ:
        raise InputError(f"the bank {slug!r} is of the kind {bank.kind}; predictions answer banks of the kind bbq.")
    return set(bank.entries.values_list("content__id", flat=True))


def _bank(what: Predictions, files: Sequence[Path], answers: Sequence[StoredAnswer]) -> tuple[Bank, bool]:
    """The bank of these answers, and whether it is new: the same answers once more are the same bank."""
    items = [one.model_dump(mode="json", exclude_none=True) for one in answers]
    earlier = Bank.objects.filter(slug=what.slug).first()
    if earlier is None:
        about = {"title": f"What {what.model} answered to {what.bank}", "source": f"the field {what.field}"}
        made = Questions(items, named(files), about)
        return create(Bank.Kind.ANSWERS.value, what.path, what.slug, made)[0], True
    if earlier.digest != digest(items):
        raise InputError(f"there are other answers of {what.model!r} already ({what.slug}): choose another --name.")
    return earlier, False


def _spec(what: Predictions) -> AuditSpec:
    params = {"params": {"question_only": True}} if what.field.endswith(QUESTION_ONLY) else {}
    return parse(
        {
            "name": f"{what.model} on {what.bank}"[:200],
            "probe": "bbq",
            "model": f"answers:{what.model}",
            "bank": {"bank": what.bank},
            "answers": {"bank": what.slug},
            **params,
        }
    )
