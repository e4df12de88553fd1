"""The page of the link that makes the first account. It needs no login."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from plumbline.accounts import first_account
from plumbline.desk.accounts.forms import NewAccountForm
from plumbline.desk.accounts.sign_in import enter
from plumbline.spec.errors import InputError


@sensitive_post_parameters("password1", "password2")
@require_http_methods(["GET", "HEAD", "POST"])
@login_not_required
@never_cache
def first_account_page(request: HttpRequest, token: str) -> HttpResponse:
    """Show the form of the first account, and make the account."""
    if not first_account.is_valid(token):
        return render(request, "registration/first_account_invalid.html", status=404)
    form = NewAccountForm(request.POST or None)
    if form.is_valid():
        try:
            first_account.create(form.save(commit=False))
        except InputError:
            return render(request, "registration/first_account_invalid.html", status=404)
        return enter(request, form.instance.username, form.cleaned_data["password1"])
    return render(request, "registration/first_account.html", {"form": form})
