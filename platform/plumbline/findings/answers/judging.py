"""What people say about answers in text. A person who has not judged an answer does not see the parser's class."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction

from plumbline.findings.answers.agreement import (
    ClassAgreement,
    is_confirmed,
    overall,
    unjudged,
)
from plumbline.findings.answers.reliability import Alpha, alpha
from plumbline.findings.models import AnswerJudgement
from plumbline.results.answer_classes import answer_classes
from plumbline.results.answer_samples import SampledAnswer, answer
from plumbline.spec.answers.classes import AnswerClass
from plumbline.spec.errors import InputError
from plumbline.spec.numbers import counted
from plumbline.spec.shares import Share

LONGEST_NOTE = 1000
Said = tuple[str, int | None]
"""A class, and the place of the option for the class that names one."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How often people agree with the parser: by class, and over all answers of the run (None: a class is unjudged)."""

    classes: Sequence[ClassAgreement]
    share: Share | None
    people: int
    judged: int
    by_several: int
    """Answers that more than one person judged."""
    united: int
    """How many of these all people judged alike."""
    alpha: Alpha | None
    """The agreement of people with each other about these; None without a difference."""

    @property
    def missing(self) -> list[str]:
        return unjudged(self.classes)


@transaction.atomic
def judge(run: int, record: int, person: User, said: str, note: str | None = None) -> AnswerJudgement:
    """Store what a person says about an answer. Returns the judgement. Raises InputError.

    The first word of a person stays as such: it was said without knowing the parser's class. Without a new note an
    earlier one stays.
    """
    found = answer(run, record)
    if found is None or found.reply is None:
        raise InputError(
            f"the answer {record} is in no sample of run {run}, or is not kept any more, so nobody can judge it."
        )
    kind, chosen = understood(said, len(found.options))
    values: dict[str, object] = {"answer_class": kind, "chosen": chosen}
    if note is not None:
        values["note"] = note.strip()[:LONGEST_NOTE]
    first = {"first_class": kind, "first_chosen": chosen, "author_name": person.get_username(), **_about(found)}
    made, _new = AnswerJudgement.objects.update_or_create(
        run_id=run, record=record, author=person, defaults=values, create_defaults=values | first
    )
    return made


def understood(said: str, options: int) -> Said:
    """Return the class and option of a form's text: `option 1`, or the name of another class. Raises InputError."""
    name, _, place = said.rpartition(" ")
    if name == AnswerClass.OPTION and place.isascii() and place.isdecimal() and int(place) < options:
        return str(AnswerClass.OPTION), int(place)
    if said in set(AnswerClass) - {AnswerClass.OPTION}:
        return said, None
    raise InputError(f"{said[:50]!r} is no class of answers; load the page again.")


def _about(found: SampledAnswer) -> dict[str, object]:
    text = found.reply.text if found.reply else ""
    return {
        "item": found.item,
        "reply": found.number,
        "digest": hashlib.sha256(text.encode()).hexdigest(),
        "parser": found.parser,
        "parser_class": found.answer_class,
        "parser_chosen": found.chosen,
    }


def agreement(run: int) -> Agreement:
    """Return the agreement of a run's parser and people by their first words. More than half decide about an answer."""
    by_record: dict[int, list[AnswerJudgement]] = {}
    for one in AnswerJudgement.objects.filter(run=run):
        by_record.setdefault(one.record, []).append(one)
    everyone = next((row.counts for row in answer_classes(run) if not row.group), ())
    classes = [_of_class(one.kind, one.answers, list(by_record.values())) for one in everyone]
    several = [held for held in by_record.values() if len(held) > 1]
    united = sum(len({_first(one) for one in held}) == 1 for held in several)
    people = {one.author_id or one.author_name for held in by_record.values() for one in held}
    among = alpha([[_first(one) for one in held] for held in several])
    return Agreement(classes, overall(classes), len(people), len(by_record), len(several), united, among)


def _of_class(kind: str, answers: int, judged: Sequence[Sequence[AnswerJudgement]]) -> ClassAgreement:
    own = [held for held in judged if held[0].parser_class == kind]
    confirmed = sum(is_confirmed(sum(map(_confirms, held)), len(held)) for held in own)
    return ClassAgreement(kind, answers, len(own), confirmed)


def _first(one: AnswerJudgement) -> Said:
    return one.first_class, one.first_chosen


def _confirms(one: AnswerJudgement) -> bool:
    return _first(one) == (one.parser_class, one.parser_chosen)


def agreement_lines(run: int) -> list[str]:
    """Return the agreement as a line of text, and none if nobody has judged an answer."""
    if not AnswerJudgement.objects.filter(run=run).exists():
        return []
    found = agreement(run)
    head = f"people judged {counted(found.judged, 'answer')}"
    if found.share is None:
        return [f"{head}, none yet of: {', '.join(found.missing)}"]
    of = found.share
    return [f"{head}: {of.value:.1%} of all are understood as people do [{of.low:.1%}, {of.high:.1%}]"]
