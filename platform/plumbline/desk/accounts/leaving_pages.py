"""A person leaves: a page that shows what would change and what stays, and the button that does it."""

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from plumbline.accounts import leaving
from plumbline.accounts.leaving_steps import pseudonym
from plumbline.desk.accounts.people_page import keeps_accounts, signed_in
from plumbline.spec.errors import InputError

View = Callable[[HttpRequest, User], HttpResponse]


def of_person(view: View) -> Callable[[HttpRequest, int], HttpResponse]:
    """Return a view of an account's number, for those who keep accounts."""

    @keeps_accounts
    @never_cache
    @wraps(view)
    def checked(request: HttpRequest, number: int) -> HttpResponse:
        return view(request, get_object_or_404(User, pk=number))

    return checked


@require_safe
@of_person
def person_leaving(request: HttpRequest, person: User) -> HttpResponse:
    """Show what would change and what would stay if the person left, or with status 403 why that is not possible."""
    why = leaving.why_not(person, signed_in(request))
    context = {"person": person, "why": why, "pseudonym": pseudonym(person.pk)}
    context |= {} if why else {"steps": leaving.preview(person), "mentions": leaving.mentions(person)}
    return render(request, "desk/accounts/leave.html", context, status=403 if why else 200)


@require_POST
@of_person
def person_leave(request: HttpRequest, person: User) -> HttpResponse:
    try:
        leaving.leave(person, signed_in(request))
    except InputError as error:
        messages.error(request, f"Nothing was changed: {error}")
    else:
        messages.success(request, f"The account is {pseudonym(person.pk)} now. What the person did stays.")
    return redirect("people")
