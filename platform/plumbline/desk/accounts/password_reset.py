"""New passwords by a link: Django's views with a limit, and links that an admin hands over.

The answer is the same whether an address has an account or not, and a mail is sent beside the request.
"""

from functools import partial
from typing import Any

from django.contrib.auth import views
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from plumbline.accounts import mail, password_requests
from plumbline.accounts.log import record
from plumbline.accounts.models import Activity
from plumbline.desk.accounts.forms import InvitationForm
from plumbline.desk.accounts.people_page import keeps_accounts, people_answer, signed_in
from plumbline.desk.people import may_touch


class ThrottledResetForm(PasswordResetForm):
    """Django's form, which sends beside the request and not too often to one account."""

    request: HttpRequest

    def get_users(self, email: str) -> Any:
        return password_requests.admit(self.request, list(super().get_users(email)))

    def send_mail(self, *args: Any, **options: Any) -> None:
        mail.send_later(partial(super().send_mail, *args, **options))


@method_decorator([login_not_required, never_cache], name="dispatch")
class PasswordReset(views.PasswordResetView):
    form_class = ThrottledResetForm
    email_template_name = "registration/password_mail.txt"
    subject_template_name = "registration/password_mail_subject.txt"

    def dispatch(self, request: Any, *args: Any, **options: Any) -> Any:
        if not mail.is_set():
            return render(request, "registration/password_reset_no_mail.html")
        if request.method == "POST" and password_requests.is_over(request):
            return render(request, "registration/password_reset_limit.html", status=429)
        return super().dispatch(request, *args, **options)

    def form_valid(self, form: Any) -> HttpResponse:
        form.request = self.request
        return super().form_valid(form)


class PasswordResetConfirm(views.PasswordResetConfirmView):
    """Django's view. It keeps the link's token in the session, out of the address of the form."""

    def form_valid(self, form: Any) -> HttpResponse:
        answer = super().form_valid(form)
        record(Activity.PASSWORD, "new password set by a link", account=form.user.pk, person=form.user.pk)
        return answer


@require_POST
@keeps_accounts
@never_cache
def reset_link(request: HttpRequest, number: int) -> HttpResponse:
    """Make a link to another person's new password, which the admin hands over. This response alone shows it."""
    person = get_object_or_404(User, pk=number)
    if person == request.user or not may_touch(request, person) or not person.is_active:
        raise Http404("There is no link for this account.")
    parts = [urlsafe_base64_encode(force_bytes(person.pk)), default_token_generator.make_token(person)]
    link = request.build_absolute_uri(reverse("password_reset_confirm", args=parts))
    record(Activity.PASSWORD, "link to a new password made", account=person.pk, person=signed_in(request).pk)
    return people_answer(request, InvitationForm(), link=link, link_for=person.get_username(), is_reset=True)
