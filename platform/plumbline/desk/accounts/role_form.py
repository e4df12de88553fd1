"""Changing the roles of another person."""

from django import forms
from django.contrib import messages
from django.contrib.auth.models import Group, User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from plumbline.desk.accounts.forms import RolesField
from plumbline.desk.accounts.people_page import keeps_accounts
from plumbline.desk.people import may_touch


class RolesForm(forms.Form):
    roles = RolesField(Group.objects.all(), required=False)


@require_POST
@keeps_accounts
def person_roles(request: HttpRequest, number: int) -> HttpResponse:
    """Give another person these roles and no others.

    Nobody changes the own ones: the last admin could lose the role.
    """
    person = get_object_or_404(User, pk=number)
    form = RolesForm(request.POST)
    if person == request.user or not may_touch(request, person) or not form.is_valid():
        raise Http404("You cannot change these roles.")
    person.groups.set(form.cleaned_data["roles"])
    names = ", ".join(sorted(role.name for role in form.cleaned_data["roles"]))
    told = f"has these roles now: {names}" if names else "has no role now, and sees nothing"
    messages.success(request, f"{person.get_username()} {told}.")
    return redirect("people")
