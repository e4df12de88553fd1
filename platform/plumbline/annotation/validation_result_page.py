"""The results of a validation task: passed templates, careful raters and accuracy."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from plumbline.annotation import tallies
from plumbline.annotation.files import task_file
from plumbline.annotation.models import AnnotationTask
from plumbline.annotation.tallies import CAREFUL, Accuracy, Cell
from plumbline.annotation.template_texts import CONDITIONS, banks_with_templates
from plumbline.annotation.validation import Work, states, work

PAPER = {"raw": 0.957, "majority": 0.997, "alpha": 0.883, "items": 300}
"""People's results on 300 questions of BBQ. Source: Parrish et al. 2022, section 4."""
CAVEAT = "Raters agree with an answer where they read a context alike: that says nothing of the people in it."


def page(request: HttpRequest, task: AnnotationTask) -> HttpResponse:
    """Show the results of all raters, with `?flagged=out` without those who failed the fillers."""
    out = request.GET.get("flagged") == "out"
    whole = work(task)
    done = work(task, leave_out=True) if out else whole
    raters = tallies.raters(whole.items, whole.people)
    context: dict[str, Any] = {
        "task": task,
        "annotators": len(whole.people),
        "out": out,
        "flagged": sum(one.flagged for one in raters),
        "raters": raters,
        "done": done,
        "careful": f"{CAREFUL:.0%}",
        "agreeing": tallies.agreeing(done.wanted, task.chosen["threshold"]),
        "conditions": CONDITIONS,
        "figures": _figures(tallies.accuracy(done.items, done.people)),
    }
    return render(request, "annotation/validation.html", context | _templates(task, done, out))


def _figures(found: Accuracy) -> list[tuple[str, float | None, str, float]]:
    """Return title, value, basis and the paper's value of each figure."""
    return [
        ("Accuracy of answers", found.raw, f"{found.right:,} of {found.answers:,} answers", PAPER["raw"]),
        (
            *("Accuracy of majorities", found.majority),
            *(f"{found.right_majorities:,} of {found.items:,} questions", PAPER["majority"]),
        ),
        ("Krippendorff's alpha", found.alpha, f"{found.items:,} questions", PAPER["alpha"]),
    ]


def _templates(task: AnnotationTask, done: Work, out: bool) -> dict[str, Any]:
    """Return each template's verdict in this task, its current state in the bank, and the questions that failed."""
    verdicts = done.verdicts() if done.people else []
    bank = banks_with_templates().filter(slug=task.bank).first()
    today = states(bank, out) if bank else {}
    contents = dict(task.items.values_list("pk", "content"))
    fell = [(one, cell) for one in verdicts for cell in one.cells if done.decided and not cell.passes]
    return {
        "bank": bank,
        "rows": [(one, today.get(one.key)) for one in verdicts],
        "passed": sum(one.passes for one in verdicts),
        "short": [{"verdict": one, "cell": cell, **_votes(cell, contents[cell.item])} for one, cell in fell],
    }


def _votes(cell: Cell, content: dict[str, Any]) -> dict[str, Any]:
    options = zip(content["options"], cell.votes, strict=True)
    votes = [(text, count, place == cell.gold) for place, (text, count) in enumerate(options)]
    return {"context": content["context"], "question": content["question"], "votes": votes}


def file(task: AnnotationTask) -> HttpResponse:
    """Return one row per rater and item as a file. Flagged raters and fillers are included and marked."""
    whole = work(task)
    raters = tallies.raters(whole.items, whole.people)
    items = list(task.items.values_list("pk", "content", "origin"))
    rows = [
        {"rater": rater.number, "flagged": "yes" if rater.flagged else "", **_row(content, origin, person[pk])}
        for rater, person in zip(raters, whole.people, strict=True)
        for pk, content, origin in items
    ]
    return task_file(task, rows, CAVEAT)


def _row(content: dict[str, Any], origin: dict[str, Any], answer: int) -> dict[str, Any]:
    kept = {key: origin.get(key, "") for key in ("filler", "category", "template", "condition", "polarity", "id")}
    options = {f"ans{place}": text for place, text in enumerate(content["options"])}
    asked = {"context": content["context"], "question": content["question"]}
    return kept | asked | options | {"label": origin["gold"], "answer": answer, "right": int(origin["gold"] == answer)}
