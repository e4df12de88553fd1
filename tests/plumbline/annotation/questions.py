"""A bank of BBQ with two templates, written for the tests, and people who answer it."""

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import User

from plumbline.annotation import fillers, working
from plumbline.annotation.models import AnnotationTask
from plumbline.annotation.validating import Choice, make_validation
from plumbline.spec.banks.bbq_question import Question
from plumbline.spec.digests import digest
from plumbline.vocab.banks.importing import save
from plumbline.vocab.banks.reading import Questions
from plumbline.vocab.models import Bank

KEYS = (("Age", "S1"), ("Age", "S2"))
MARKED = "The <b>pilot</b>'s"
"""A person whose text would be markup."""


def contents(template: str = "S1", sets: int = 2, told: str = "and one of them slept") -> list[dict[str, Any]]:
    """Some sets of four; `told` stands in every context."""
    found = []
    for number in range(sets):
        for condition in ("ambig", "disambig"):
            for polarity in ("neg", "nonneg"):
                found.append(_content(template, number, condition, polarity, told))
    return found


def _content(template: str, number: int, condition: str, polarity: str, told: str) -> dict[str, Any]:
    behind = " It was the trainee." if condition == "disambig" else ""
    question = Question(
        id=f"Age {template} {number} {condition} {polarity}",
        category="Age",
        template=template,
        set=number,
        polarity=polarity,
        condition=condition,
        context=f"In room {number} sat a <b>pilot</b> and a trainee, {told}.{behind}",
        question=f"Who was{' not' if polarity == 'nonneg' else ''} awake?",
        options=(MARKED, "The trainee's", "Not known"),
        labels=("pilot", "trainee", "Not known"),
        codes=("old", "nonOld", "unknown"),
        unknown=2,
        gold=1 if condition == "disambig" else 2,
        target=0,
        groups=("old",),
    )
    return question.model_dump(mode="json")


def make_bank(slug: str = "own", items: Iterable[dict[str, Any]] | None = None) -> Bank:
    """New, or the one of that name with these questions instead."""
    given = [*contents("S1"), *contents("S2")] if items is None else list(items)
    bank = Bank.objects.filter(slug=slug).first() or Bank(slug=slug, title="Own <i>questions</i>", kind="bbq")
    bank.digest, bank.imported_from = digest(given), "a test"
    save(bank, Questions(items=given, imported_from="a test", about={}))
    return bank


def make_task(bank: Bank, templates: tuple[tuple[str, str], ...] = KEYS, **changed: Any) -> AnnotationTask:
    choice = Choice(templates, seed=changed.pop("seed", 3), **changed)
    return make_validation(bank, "validate <these>", choice, fillers.own(), None)


def rate(task: AnnotationTask, name: str, wrong: Iterable[tuple[str, str, str]] = (), fillers_wrong: int = 0) -> None:
    """Somebody who answers all, right but for these questions (template, condition, polarity) and so many fillers."""
    own, wrong, left = working.joined(task, User.objects.get_or_create(username=name)[0]), set(wrong), fillers_wrong
    for item in task.items.all():
        origin = item.origin
        miss = (origin.get("template"), origin.get("condition"), origin.get("polarity")) in wrong
        if "filler" in origin and left:
            miss, left = True, left - 1
        working.save(own, item, (origin["gold"] + 1) % 3 if miss else origin["gold"])
    working.end(own)
