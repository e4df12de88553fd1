"""The banks that come with Plumbline, loaded with the starter lists."""

from pathlib import Path
from typing import Any

from django.db import transaction
from pydantic import BaseModel, ConfigDict

from plumbline.spec import yaml_file
from plumbline.spec.digests import digest
from plumbline.vocab.banks.importing import save
from plumbline.vocab.banks.kinds import bank_kind, bank_kinds
from plumbline.vocab.banks.reading import Questions
from plumbline.vocab.models import Bank
from plumbline.vocab.seeding import FOLDER, Outcome, Seeded, Text


class BankSeed(BaseModel):
    """One bank of the starter data, as starter.yaml describes it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    slug: str
    kind: str
    folder: Path
    """The folder of the starter.yaml that lists the bank."""
    file: str
    """A file of questions, or the folder of templates that they are made from, beneath `folder`."""
    title: Text
    description: Text
    source: Text
    licence: Text
    origin: Text

    def about(self) -> dict[str, str]:
        return self.model_dump(include={"title", "description", "source", "licence", "origin"})

    def questions(self) -> Questions:
        """Return the questions of the file, or those made from the folder of templates."""
        kind, path = bank_kind(self.kind), self.folder / self.file
        return kind.generate(path) if kind.generate and path.is_dir() else kind.read(path)


def bank_seeds() -> list[BankSeed]:
    """Return all banks of the starter data: the vocabulary's, then those of the methods."""
    folders = [FOLDER, *(kind.starter for kind in bank_kinds().values() if kind.starter)]
    return [seed for folder in dict.fromkeys(folders) for seed in _listed(folder)]


def _listed(folder: Path) -> list[BankSeed]:
    """Return the banks that the starter.yaml of a folder lists."""
    index = yaml_file.load((folder / "starter.yaml").read_text(encoding="utf-8"))
    return [BankSeed.model_validate({**seed, "folder": folder}) for seed in index["banks"]]


@transaction.atomic
def load() -> list[Seeded]:
    """Create the missing banks and update those of an earlier release. Banks that somebody imported are kept."""
    return [Seeded(seed.slug, "banks", _load(seed)) for seed in bank_seeds()]


def _load(seed: BankSeed) -> Outcome:
    questions = seed.questions()
    offered = digest([seed.about(), questions.items])
    present = Bank.objects.select_for_update().filter(slug=seed.slug).first()
    if present is not None and not present.seeded:
        return "kept"
    if present is not None and present.seeded == offered:
        return "unchanged"
    written: dict[str, Any] = {
        **seed.about(),
        "kind": seed.kind,
        "digest": digest(questions.items),
        "imported_from": questions.imported_from,
        "seeded": offered,
    }
    bank = present or Bank(slug=seed.slug)
    for field, value in written.items():
        setattr(bank, field, value)
    save(bank, questions)
    return "created" if present is None else "updated"
