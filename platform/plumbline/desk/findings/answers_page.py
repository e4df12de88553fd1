"""The page of a run's answers in text: what a person has to judge, what was judged, and how the parser agrees."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

import polars as pl
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from plumbline.audits.models import Run
from plumbline.audits.staleness import parse_anew
from plumbline.findings.answers.judging import agreement, judge
from plumbline.findings.models import AnswerJudgement
from plumbline.pages import grid
from plumbline.pages.responses import csv_attachment
from plumbline.pages.roles import needs_permission, viewers_only
from plumbline.pages.run_context import run_context
from plumbline.pages.worked_examples import worked_examples
from plumbline.results.answer_samples import LARGEST, SampledAnswer, sample
from plumbline.spec.answers.classes import AnswerClass
from plumbline.spec.errors import InputError
from plumbline.spec.numbers import counted
from plumbline.spec.registry import contributed

EACH = 20
"""The answers of each class in the sample, unless the address asks for more."""
SAMPLES = (EACH, 50, 100, LARGEST)
"""The sizes of samples that are offered. A larger one has all answers of a smaller one."""
AT_ONCE = 5
OTHERS = {
    AnswerClass.SEVERAL: "several options",
    AnswerClass.REFUSAL: "a refusal",
    AnswerClass.CUT_OFF: "cut off before it names an option",
    AnswerClass.EMPTY: "empty",
    AnswerClass.FILTERED: "removed by a content filter",
    AnswerClass.UNMATCHED: "none of these: it names no option",
}
COLUMNS = (
    *("record", "item", "parser", "parser_class", "parser_chosen", "author_name", "first_class", "first_chosen"),
    *("answer_class", "chosen", "note", "digest", "created_at", "modified_at"),
)


class Asked(Protocol):
    """A question as a method shows it. The module `question_texts` of its folder finds a run's by their items."""

    @property
    def context(self) -> str: ...

    @property
    def question(self) -> str: ...


Questions = Callable[[Run, Iterable[str]], Mapping[str, Asked]]


@dataclass(frozen=True, slots=True)
class Shown:
    """An answer of the sample with its question, and the reader's judgement if there is one."""

    answer: SampledAnswer
    question: Asked | None
    own: AnswerJudgement | None = None

    @property
    def said(self) -> str:
        return in_words(self.own.answer_class, self.own.chosen, self.answer.options) if self.own else ""

    @property
    def parsed(self) -> str:
        return in_words(*self.answer.parsed, self.answer.options)

    @property
    def agrees(self) -> bool:
        return self.own is not None and (self.own.answer_class, self.own.chosen) == self.answer.parsed


def in_words(kind: str, chosen: int | None, options: Sequence[str]) -> str:
    """Return a class as people read it: the text of its option, or its name."""
    return f"“{options[chosen]}”" if chosen is not None else OTHERS[AnswerClass(kind)]


@require_safe
@viewers_only
def run_answers(request: HttpRequest, number: int) -> HttpResponse:
    context = run_context(request, number, "answers")
    run: Run = context["run"]
    each = _each(request.GET)
    shown = _shown(run, request, each)
    kept = [one for one in shown if one.answer.reply]
    waiting = [one for one in kept if one.own is None]
    may_judge = request.user.has_perm("findings.judge_finding")
    found = agreement(run.pk)
    is_whole = len(shown) == sum(one.answers for one in found.classes)
    context |= {
        "agreement": found,
        "waiting": waiting[:AT_ONCE] if may_judge else [],
        "left": len(waiting),
        "judged": [one for one in shown if one.own],
        "to_read": [] if may_judge else kept,
        "sampled": len(shown),
        "gone": len(shown) - len(kept),
        "others": OTHERS,
        "worked": worked_examples(run),
        "each": each,
        "larger": [] if is_whole else [one for one in SAMPLES if one > each],
        "may_judge": may_judge,
    }
    return render(request, "desk/answers.html", context)


def _each(given: QueryDict) -> int:
    return next((one for one in SAMPLES if str(one) == given.get("each")), EACH)


def _shown(run: Run, request: HttpRequest, each: int) -> list[Shown]:
    sampled = sample(run.pk, each)
    questions: Questions = contributed(run.probe, "question_texts", "questions", lambda _run, _items: {})
    texts = questions(run, {one.item for one in sampled}) if sampled else {}
    own = {one.record: one for one in AnswerJudgement.objects.filter(run=run, author_id=request.user.pk)}
    return [Shown(one, texts.get(one.item), own.get(one.record)) for one in sampled]


@require_POST
@needs_permission("findings.judge_finding")
def run_answers_judge(request: HttpRequest, number: int) -> HttpResponse:
    """Store a judgement for each answer of the form that has one."""
    run = get_object_or_404(Run, pk=number)
    assert isinstance(request.user, User)  # noqa: S101 -- the decorator saw to it
    saved = 0
    try:
        for name in request.POST:
            if name.startswith("said-") and (said := request.POST[name]):
                record = name.removeprefix("said-")
                judge(run.pk, _number(record), request.user, said, request.POST.get(f"note-{record}"))
                saved += 1
    except InputError as error:
        messages.error(request, str(error))
    if saved:
        messages.success(request, f"{counted(saved, 'answer')} judged.")
    each = _each(request.POST)
    return redirect(reverse("run_answers", args=[run.pk], query={"each": each} if each != EACH else None))


@require_POST
@needs_permission("audits.add_run")
def run_answers_parse(request: HttpRequest, number: int) -> HttpResponse:
    """Launch a run that parses the kept answers anew."""
    run = get_object_or_404(Run, pk=number)
    assert isinstance(request.user, User)  # noqa: S101 -- nobody else may launch
    try:
        new = parse_anew(run, request.user)
    except InputError as error:
        messages.error(request, f"The answers of run {run.pk} cannot be parsed anew: {error}")
        return redirect("run_answers", run.pk)
    messages.success(request, f"Run {new.pk} parses the answers of run {run.pk} anew. It asks nothing.")
    return redirect("run", new.pk)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise InputError("the form holds something that is no answer; load the page again.")
    return int(text)


@require_safe
@viewers_only
def run_answers_csv(request: HttpRequest, number: int) -> HttpResponse:
    """Return the judgements of the run as a file, without the texts. No text in it is a formula.

    Who may judge gets those of answers that they have judged: nobody's first word follows another's.
    """
    run = get_object_or_404(Run, pk=number)
    found = AnswerJudgement.objects.filter(run=run)
    if request.user.has_perm("findings.judge_finding"):
        found = found.filter(record__in=found.filter(author_id=request.user.pk).values("record"))
    rows: Any = found.values_list(*COLUMNS)
    frame = pl.DataFrame(
        [list(map(_cell, row)) for row in rows], schema=dict.fromkeys(COLUMNS, pl.String), orient="row"
    )
    about = {"title": f"judged answers of run {run.pk}", "rows": str(len(frame))}
    return csv_attachment(grid.file(frame, about), f"run-{run.pk}-judged-answers.csv")


def _cell(value: Any) -> str:
    return "" if value is None else f"{value:%Y-%m-%d %H:%M}" if isinstance(value, datetime) else str(value)
