"""Launches from an admin page, with a message about the result."""

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from plumbline.audits.models import Run
from plumbline.spec.errors import InputError


def may_launch(request: HttpRequest) -> bool:
    return request.user.has_perm("audits.add_run")


def launched(
    page: "admin.ModelAdmin[Any]", request: HttpRequest, what: str, launch: Callable[[User], Sequence[Run]]
) -> None:
    """Launch runs and show a message with a link to each new run, or with the error."""
    assert isinstance(request.user, User)  # noqa: S101 -- nobody else may launch
    try:
        runs = launch(request.user)
    except InputError as error:
        page.message_user(request, f"{what}: {error}", messages.ERROR)
        return
    for run in runs:
        address = reverse("run", args=[run.pk])
        link = format_html('<a class="underline" href="{}">run {}</a>', address, run.pk)
        page.message_user(request, format_html("{}: launched as {}", what, link))
