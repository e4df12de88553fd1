"""The pages of a schedule's admin beside its form: its next times before it is saved, and Run now."""

from datetime import UTC, datetime
from functools import partial
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_http_methods, require_POST

from plumbline.audits import clock
from plumbline.audits.admin.launches import launched, may_launch
from plumbline.audits.models import Schedule
from plumbline.audits.scheduling.schedule_form import TimingForm
from plumbline.audits.scheduling.schedules import models_of, run_now
from plumbline.spec.reference import Scheme
from plumbline.vocab.admin.buttons import with_buttons

NEVER = datetime.min.replace(tzinfo=UTC)


def _asked_at(request: HttpRequest) -> datetime:
    """Return when the person opened the page, or NEVER for a request that no page of ours sent."""
    try:
        return datetime.fromisoformat(request.POST.get("asked_at", "")).astimezone(UTC)
    except (ValueError, OverflowError):
        return NEVER


class WithRunNow(admin.ModelAdmin[Any]):
    """A schedule's admin with the next times below its form, and with the button Run now."""

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view
        return [
            path("times/", view(self.times_view), name="audits_schedule_times"),
            path("<int:number>/run-now/", view(self.run_now_view), name="audits_schedule_run_now"),
            *super().get_urls(),
        ]

    @method_decorator(require_POST)
    def times_view(self, request: HttpRequest) -> HttpResponse:
        """Return a part of a page: the next times of what the form holds, or all its errors."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        form = TimingForm(request.POST)
        return render(request, "admin/audits/schedule_times.html", {"form": form, "valid": form.is_valid()})

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def run_now_view(self, request: HttpRequest, number: int) -> HttpResponse:
        """Show what Run now launches. POST: launch it."""
        schedule = get_object_or_404(Schedule.objects.select_related("plan"), pk=number)
        if not may_launch(request) or not self.has_view_permission(request, schedule):
            raise PermissionDenied
        page = reverse("admin:audits_schedule_change", args=[number])
        if request.method == "POST":
            launched(self, request, f"plan {schedule.plan}", partial(run_now, schedule, _asked_at(request)))
            return redirect(page)
        models = [one or "the model of the plan" for one in models_of(schedule)]
        paid = any(one.startswith(f"{Scheme.OPENAI}:") for one in models)
        context = {
            **self.admin_site.each_context(request),
            "title": f"Run now: {schedule.plan}",
            "opts": self.opts,
            "schedule": schedule,
            "models": models,
            "paid": paid,
            "page": page,
            "asked_at": clock.now().isoformat(),
        }
        return render(request, "admin/audits/run_now.html", context)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        shown = super().change_view(request, object_id, form_url, extra_context)
        if not may_launch(request) or not object_id.isdecimal():
            return shown
        button = ("Run now", "play_arrow", reverse("admin:audits_schedule_run_now", args=[object_id]))
        return with_buttons(shown, "actions_detail", [button])
