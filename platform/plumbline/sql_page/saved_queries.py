"""Saving of queries by everybody with a role. Their owner or an admin may change and delete them."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from plumbline.pages.roles import needs_permission, viewers_only
from plumbline.sql_page.examples import example_with
from plumbline.sql_page.forms import SavedQueryForm
from plumbline.sql_page.saved import SavedQuery

may_save = needs_permission("review.add_savedquery")


@require_http_methods(["GET", "HEAD", "POST"])
@may_save
def sql_save(request: HttpRequest) -> HttpResponse:
    """Save a new query. The editor posts only the text, and the form asks for the rest."""
    if "title" not in request.POST:
        text = request.POST.get("text", "")
        example = example_with(text)
        about = {"title": example.title, "description": example.about} if example else {}
        form = SavedQueryForm(initial={"text": text, **about})
    else:
        form = SavedQueryForm(request.POST, instance=SavedQuery(owner_id=request.user.pk))
        if form.is_valid():
            return redirect("sql_saved", form.save().pk)
    return render(request, "sql_page/save.html", {"form": form})


@require_http_methods(["GET", "HEAD", "POST"])
@viewers_only
def sql_edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Change a query. The editor posts only the text, and the form shows it beside what is saved of the rest."""
    saved = _own(request, pk, "change")
    if "title" not in request.POST:
        form = SavedQueryForm(instance=saved, initial={"text": request.POST.get("text", saved.text)})
    else:
        form = SavedQueryForm(request.POST, instance=saved)
        if form.is_valid():
            return redirect("sql_saved", form.save().pk)
    return render(request, "sql_page/save.html", {"form": form, "saved": saved})


@require_POST
@viewers_only
def sql_delete(request: HttpRequest, pk: int) -> HttpResponse:
    saved = _own(request, pk, "delete")
    saved.delete()
    messages.success(request, f"The saved query {saved.title} is deleted. Its text is in the editor.")
    request.session["sql_text"] = saved.text
    return redirect("sql")


def _own(request: HttpRequest, pk: int, action: str) -> SavedQuery:
    """Return the query. 404 if the person cannot see it, 403 if it belongs to somebody else."""
    assert request.user.pk is not None  # noqa: S101 -- who has a role has an account
    saved = get_object_or_404(SavedQuery.seen_by(request.user.pk), pk=pk)
    if saved.owner_id != request.user.pk and not request.user.has_perm(f"review.{action}_savedquery"):
        raise PermissionDenied
    return saved
