"""The buttons that pause and resume a schedule: on its own page, and as actions of the list."""

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import path
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_POST

from plumbline.audits.models import Schedule


class WithPause(admin.ModelAdmin[Any]):
    """A schedule's admin with the button Pause or Resume above its form."""

    # Above the form and not in it: the first button of a form is the one that Enter presses.
    change_form_outer_before_template = "admin/audits/schedule_pause.html"
    actions = ("pause", "unpause")

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view
        return [path("<int:number>/pause/", view(self.pause_view), name="audits_schedule_pause"), *super().get_urls()]

    @method_decorator(require_POST)
    def pause_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """Pause the schedule, or with paused=0 resume it."""
        with transaction.atomic():
            schedule = get_object_or_404(Schedule.objects.select_for_update(no_key=True), pk=number)
            if not self.has_change_permission(request, schedule):
                raise PermissionDenied
            self._set_paused(request, [schedule], request.POST.get("paused") != "0")
        self.message_user(request, _done(schedule))
        return redirect("admin:audits_schedule_change", number)

    @admin.action(description="Pause", permissions=["change"])
    def pause(self, request: HttpRequest, schedules: QuerySet[Schedule]) -> None:
        self._set_paused(request, schedules, True)

    @admin.action(description="Resume: from now on, what was missed stays missed", permissions=["change"])
    def unpause(self, request: HttpRequest, schedules: QuerySet[Schedule]) -> None:
        self._set_paused(request, schedules, False)

    def _set_paused(self, request: HttpRequest, schedules: Iterable[Schedule], paused: bool) -> None:
        for schedule in schedules:
            schedule.paused = paused
            schedule.save()
            self.log_change(request, schedule, "Paused." if paused else "Resumed.")


def _done(schedule: Schedule) -> str:
    if schedule.paused:
        return f"{schedule} is paused: it launches nothing until somebody resumes it. “Run now” launches all the same."
    return f"{schedule} is resumed. It is next due at {schedule.next_due()}."
