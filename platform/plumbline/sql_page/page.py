"""The SQL page: run a query, download the answer, cancel."""

import secrets
import tempfile
from typing import Any

from django.http import FileResponse, Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils.text import slugify
from django.views.decorators.http import require_POST, require_safe

from plumbline.pages.roles import viewers_only
from plumbline.sql_page import asking, files, parameters, turning_on
from plumbline.sql_page.catalogue import views
from plumbline.sql_page.examples import example_with, examples
from plumbline.sql_page.faults import AskError, place
from plumbline.sql_page.forms import QuestionForm
from plumbline.sql_page.saved import AskedQuery, SavedQuery

PREFIX = "parameter-"
FIRST_QUESTION = "SELECT * FROM results.v_run ORDER BY run DESC"
CONTENT = {"csv": "text/csv; charset=utf-8", "json": "application/json"}


@require_safe
@viewers_only
def sql(request: HttpRequest) -> HttpResponse:
    return _page(request, {"text": request.session.pop("sql_text", FIRST_QUESTION)})


@require_safe
@viewers_only
def sql_saved(request: HttpRequest, pk: int) -> HttpResponse:
    saved = get_object_or_404(SavedQuery.seen_by(_person(request)), pk=pk)
    may_edit = saved.owner_id == request.user.pk or request.user.has_perm("review.change_savedquery")
    about = {"title": saved.title, "about": saved.description, "saved": saved, "may_edit": may_edit}
    return _page(request, {"text": saved.text, **about})


@require_safe
@viewers_only
def sql_example(request: HttpRequest, slug: str) -> HttpResponse:
    example = examples().get(slug)
    if example is None:
        raise Http404
    return _page(request, {"text": example.text, "title": example.title, "about": example.about})


@require_safe
@viewers_only
def sql_asked(request: HttpRequest, pk: int) -> HttpResponse:
    asked = get_object_or_404(AskedQuery, pk=pk, person=_person(request))
    return _page(request, {"text": asked.text})


@require_POST
@viewers_only
def sql_answer(request: HttpRequest) -> HttpResponse:
    """Return the answer as a part of the page for scripts, or as a whole page."""
    found = _question(request)
    if "fault" not in found and found["values"] is not None:
        try:
            with asking.one_at_a_time(_person(request)):
                found["answer"] = asking.ask(found["text"], found["values"], found["label"])
        except AskError as fault:
            found |= _fault(fault, found["text"])
        AskedQuery.remember(_person(request), found["text"], found["answer"].seconds if "answer" in found else None)
    if request.headers.get("X-Requested-With") == "fetch":
        return render(request, "sql_page/answer.html", found)
    return _page(request, found)


@require_POST
@viewers_only
def sql_file(request: HttpRequest) -> HttpResponse | FileResponse:
    """Send the answer as a file.

    It is complete before it is sent, so that an error gives a message and no partial file.
    """
    found, kind = _question(request), request.POST.get("kind", "")
    if kind not in CONTENT:
        raise Http404
    if "fault" in found or found["values"] is None:
        return _page(request, found)
    file = tempfile.SpooledTemporaryFile(max_size=1_000_000)  # noqa: SIM115 - the response closes it
    limits = {"times": asking.FILE_TIMES, "most_bytes": asking.FILE_BYTES}
    try:
        with (
            asking.one_at_a_time(_person(request)),
            asking.rows(found["text"], found["values"], found["label"], **limits) as (columns, rows),
        ):
            more = files.write(kind, file, columns, rows)
    except AskError as fault:
        file.close()
        return _page(request, found | _fault(fault, found["text"]))
    file.seek(0)
    name = f"{_name(request, found['text'])}{f'-first-{asking.FILE_ROWS}' if more else ''}.{kind}"
    return FileResponse(file, as_attachment=True, filename=name, content_type=CONTENT[kind])


@require_POST
@viewers_only
def sql_cancel(request: HttpRequest) -> JsonResponse:
    """Cancel the person's query that was sent with this token."""
    form = QuestionForm({"text": "-", "token": request.POST.get("token", "")})
    if not asking.is_ready() or not form.is_valid():
        return JsonResponse({"cancelled": 0})
    try:
        return JsonResponse({"cancelled": asking.cancel(_label(request, form.cleaned_data["token"]))})
    except AskError as fault:
        return JsonResponse({"cancelled": 0, "fault": str(fault)}, status=503)


def _question(request: HttpRequest) -> dict[str, Any]:
    """Return the query. `values` is None until each parameter has a value."""
    form = QuestionForm(request.POST)
    found: dict[str, Any] = {"text": request.POST.get("text", ""), "values": None}
    if not form.is_valid():
        return found | {"fault": AskError(" ".join(str(error) for errors in form.errors.values() for error in errors))}
    if not asking.is_ready():
        return found | {"fault": AskError("There is no reader.", "The SQL page says how to create one.")}
    found |= {"text": form.cleaned_data["text"], "label": _label(request, form.cleaned_data["token"])}
    try:
        names = parameters.names(found["text"])
    except AskError as fault:
        return found | _fault(fault, found["text"])
    given = {name: request.POST.get(PREFIX + name) for name in names}
    complete = all(value is not None for value in given.values())
    return found | {"parameters": given, "values": given if complete else None}


def _name(request: HttpRequest, text: str) -> str:
    """Return the name of the file: the title of a saved query or of an example with this text, else `answer`."""
    saved = SavedQuery.seen_by(_person(request)).filter(text=text).first()
    known = saved or example_with(text)
    return slugify(known.title if known else "") or "answer"


def _page(request: HttpRequest, found: dict[str, Any]) -> HttpResponse:
    context = {"token": secrets.token_hex(16), "is_ready": asking.is_ready(), **found}
    if not context["is_ready"]:
        return render(request, "sql_page/off.html", turning_on.context())
    try:
        context["views"] = views()
        context.setdefault("parameters", dict.fromkeys(parameters.names(found["text"])))
    except AskError as fault:
        context.setdefault("fault", fault)
    person = _person(request)
    context["saved_queries"] = SavedQuery.seen_by(person)[:200]
    context["asked_queries"] = AskedQuery.objects.filter(person=person)
    context["examples"] = examples().values()
    return render(request, "sql_page/page.html", context)


def _fault(fault: AskError, text: str) -> dict[str, Any]:
    return {"fault": fault, "place": place(text, fault.position) if fault.position else None}


def _label(request: HttpRequest, token: str) -> str:
    """Return the label of a person's query on the server. It contains the person, so nobody can cancel another's."""
    return f"plumbline sql {_person(request)} {token}"


def _person(request: HttpRequest) -> int:
    assert request.user.pk is not None  # noqa: S101 -- who has a role has an account
    return request.user.pk
