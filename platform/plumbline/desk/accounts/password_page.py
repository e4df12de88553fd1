"""The page on which people change their own password. The old one cannot be guessed in a session left open."""

from typing import Any

from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.views import PasswordChangeView
from django.core.exceptions import ValidationError
from django.http import HttpResponse

from plumbline.accounts.log import recent, record
from plumbline.accounts.models import Activity

WRONG = "wrong old password"
MOST_WRONG = 5
LOCKED = "Too many wrong passwords. Try again in 15 minutes."


class LimitedPasswordForm(PasswordChangeForm):
    """Django's form, which checks no old password after several wrong ones."""

    def clean_old_password(self) -> str:
        if recent(account=self.user.pk, about=WRONG).count() >= MOST_WRONG:
            raise ValidationError(LOCKED)
        try:
            return str(super().clean_old_password())
        except ValidationError:
            record(Activity.PASSWORD, WRONG, account=self.user.pk, person=self.user.pk)
            raise


class PasswordPage(PasswordChangeView):
    form_class = LimitedPasswordForm

    def form_valid(self, form: Any) -> HttpResponse:
        answer = super().form_valid(form)
        record(Activity.PASSWORD, "password changed", account=form.user.pk, person=form.user.pk)
        return answer
