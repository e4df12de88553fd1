"""The glossary page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from plumbline.pages.glossary import TERMS
from plumbline.pages.roles import viewers_only


@require_safe
@viewers_only
def glossary(request: HttpRequest) -> HttpResponse:
    return render(request, "desk/glossary.html", {"terms": TERMS})
