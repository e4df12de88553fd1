"""The page of tokens: one's own, and for admins all; making and revoking them; and the list of the API's operations."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from plumbline.api import tokens
from plumbline.api.forms import MACHINE, TokenForm
from plumbline.api.models import MANAGE
from plumbline.api.v1 import api
from plumbline.pages.roles import viewers_only

TOKENS_PER_PAGE = 50


@require_safe
@viewers_only
@never_cache
def token_list(request: HttpRequest) -> HttpResponse:
    return _page(request, _form(request))


@require_POST
@viewers_only
@never_cache
def token_make(request: HttpRequest) -> HttpResponse:
    """Make a token and show its secret in this response only. A reload shows the list again."""
    form, person = _form(request, request.POST), _person(request)
    if not form.is_valid():
        return _page(request, form, status=422)
    chosen = form.cleaned_data
    owner = None if chosen.get("owner") == MACHINE else person
    made, secret = tokens.make(chosen["name"], chosen["scopes"], chosen["days"], person=owner, by=person)
    return _page(request, _form(request), made=made, secret=secret)


@require_POST
@viewers_only
def token_revoke(request: HttpRequest, number: int) -> HttpResponse:
    person = _person(request)
    token = get_object_or_404(tokens.visible_to(person), pk=number)
    if tokens.revoke(token, person):
        messages.success(request, f"Revoked: {token.name}. Requests with it are refused from now on.")
    else:
        messages.warning(request, f"{token.name} was revoked before.")
    return redirect("tokens")


@require_safe
@viewers_only
def api_reference(request: HttpRequest) -> HttpResponse:
    """Show the operations of the API's document. It needs no script of others."""
    document = api.get_openapi_schema()
    operations = [
        {"method": method.upper(), "path": path, **operation}
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    return render(request, "api/reference.html", {"operations": operations, "most": settings.API_REQUESTS_PER_MINUTE})


def _person(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # noqa: S101 -- the decorator saw to it
    return request.user


def _form(request: HttpRequest, data: Any = None) -> TokenForm:
    return TokenForm(data, person=request.user, manages=_person(request).has_perm(MANAGE))


def _page(request: HttpRequest, form: TokenForm, status: int = 200, **more: Any) -> HttpResponse:
    person = _person(request)
    page = Paginator(tokens.visible_to(person), TOKENS_PER_PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "form": form, "manages": person.has_perm(MANAGE), "now": timezone.now(), **more}
    return render(request, "api/tokens.html", context, status=status)
