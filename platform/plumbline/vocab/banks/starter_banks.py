"""The banks that come with Plumbline, loaded beside the starter lists."""

from typing import Any, Literal

import yaml
from django.db import transaction
from pydantic import BaseModel, ConfigDict

from plumbline.spec.digests import digest
from plumbline.vocab.banks.bbq import generated
from plumbline.vocab.banks.importing import KINDS, save
from plumbline.vocab.banks.reading import Questions
from plumbline.vocab.models import Bank
from plumbline.vocab.seeding import FOLDER, Outcome, Seeded, Text


class BankSeed(BaseModel):
    """One bank of the starter data, as starter.yaml describes it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    slug: str
    kind: Literal["contexts", "bbq"]
    file: str
    """Of questions; of bbq the folder of templates that they are made from."""
    title: Text
    description: Text
    source: Text
    licence: Text
    origin: Text

    def about(self) -> dict[str, str]:
        return self.model_dump(include={"title", "description", "source", "licence", "origin"})

    def questions(self) -> Questions:
        if self.kind == Bank.Kind.BBQ.value:
            return generated.questions(FOLDER / self.file)
        return KINDS[self.kind](FOLDER / self.file)


def bank_seeds() -> list[BankSeed]:
    """All banks of the starter data."""
    index = yaml.safe_load((FOLDER / "starter.yaml").read_text(encoding="utf-8"))
    return [BankSeed.model_validate(seed) for seed in index["banks"]]


@transaction.atomic
def load() -> list[Seeded]:
    """Create the banks that are missing, update those of an earlier release; one that somebody imported is kept."""
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
