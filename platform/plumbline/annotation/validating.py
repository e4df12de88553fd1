"""Creation of tasks that validate templates of BBQ: one random question per condition, mixed with fillers.

Source: Parrish et al. 2022, section 4 and appendix D.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models.fields.json import KT

from plumbline.annotation import fillers
from plumbline.annotation.fillers import Filler
from plumbline.annotation.making import make
from plumbline.annotation.models import AnnotationTask, Kind, ValidatedTemplate
from plumbline.annotation.template_texts import CONDITIONS, Key, Texts, texts
from plumbline.spec.digests import digest
from plumbline.spec.errors import InputError
from plumbline.vocab.models import Bank, BankItem

MOST_TEMPLATES = 500
RATERS, THRESHOLD = 5, 0.8
"""The paper's five raters, of whom four must agree with the right answer."""

Content = Mapping[str, Any]
Shown = tuple[dict[str, Any], dict[str, Any]]
"""The content of an item that raters see, and the origin that they do not see."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The templates to validate and the rule for passing: a share of at least `threshold` of `raters` raters agrees."""

    templates: tuple[Key, ...]
    seed: int
    raters: int = RATERS
    threshold: float = THRESHOLD
    fillers: float = fillers.LEAST_SHARE


@transaction.atomic
def make_validation(
    bank: Bank, title: str, choice: Choice, given: Sequence[Filler], maker: User | None
) -> AnnotationTask:
    """Create a validation task. Raises InputError if a template lacks a condition or there are too few fillers."""
    chosen = _of_bank(texts(bank), choice.templates)
    questions = _drawn(bank, chosen, choice.seed)
    between = fillers.draw(given, fillers.needed(len(questions), choice.fillers), choice.seed)
    told = {"bank": bank.slug, "bank_digest": bank.digest, "seed": choice.seed, "raters": choice.raters}
    told |= {"threshold": choice.threshold, "templates": len(chosen), "fillers": len(between)}
    task = AnnotationTask(kind=Kind.VALIDATION, title=title, chosen=told, created_by=maker)
    make(task, questions + [_filler(one) for one in between], choice.seed)
    ValidatedTemplate.objects.bulk_create(
        ValidatedTemplate(task=task, bank_slug=bank.slug, category=key[0], template=key[1], digest=own.digest)
        for key, own in chosen.items()
    )
    return task


def _of_bank(found: Mapping[Key, Texts], wanted: Sequence[Key]) -> dict[Key, Texts]:
    if not 0 < len(wanted) <= MOST_TEMPLATES:
        raise InputError(f"{len(wanted)} templates are chosen; choose 1 to {MOST_TEMPLATES}.")
    for category, template in wanted:
        if not (own := found.get((category, template))) or not own.whole:
            raise InputError(f"template {template} of {category} lacks questions of a condition: deselect it.")
    return {key: found[key] for key in wanted}


def _drawn(bank: Bank, chosen: Iterable[Key], seed: int) -> list[Shown]:
    """Return one question per condition and template. For a given seed, other chosen templates do not change it."""
    offered = _offered(bank)
    drawn = []
    for key in chosen:
        for asked in CONDITIONS:
            dice = random.Random(f"{seed} {key} {asked}")  # noqa: S311 -- can be made again, no secret
            drawn.append(dice.choice(offered[key, asked]))
    contents = dict(BankItem.objects.filter(pk__in=drawn).values_list("pk", "content"))
    return [_question(contents[pk]) for pk in drawn]


def _offered(bank: Bank) -> dict[tuple[Key, Key], list[int]]:
    """Return the questions of each template and condition, in the bank's order."""
    keys = [KT(f"content__{name}") for name in ("category", "template", "condition", "polarity")]
    found: dict[tuple[Key, Key], list[int]] = {}
    own = BankItem.objects.filter(bank=bank).order_by("position")
    for pk, category, template, condition, polarity in own.values_list("pk", *keys):
        found.setdefault(((category, template), (condition, polarity)), []).append(pk)
    return found


def _question(content: Content) -> Shown:
    shown = {"context": content["context"], "question": content["question"], "options": list(content["options"])}
    kept = {key: content[key] for key in ("id", "category", "template", "condition", "polarity", "gold", "unknown")}
    return shown, kept | {"target": content.get("target"), "digest": digest(shown)}


def _filler(one: Filler) -> Shown:
    shown = {"context": one.context, "question": one.question, "options": list(one.options)}
    sort = "long" if one.long else "short"
    return shown, {"filler": sort, "gold": one.gold, "unknown": one.unknown, "digest": digest(shown)}
