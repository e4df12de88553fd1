"""The admin of schedules and of their launches, comparisons and notices."""

from collections.abc import Iterable
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from unfold.admin import ModelAdmin

from plumbline.audits.admin.launches import may_launch
from plumbline.audits.admin.pausing import WithPause
from plumbline.audits.admin.read_only import ReadOnly
from plumbline.audits.admin.recorded import SCHEDULES, Recorded
from plumbline.audits.admin.run_now import WithRunNow
from plumbline.audits.mail.notices import send_again
from plumbline.audits.models import Comparison, Launch, Notice, Schedule
from plumbline.audits.scheduling.schedule_form import ScheduleForm, TimingForm


@admin.register(Schedule)
class ScheduleAdmin(WithRunNow, WithPause, Recorded, ModelAdmin):
    kind = SCHEDULES
    form = ScheduleForm
    change_form_before_template = "admin/audits/schedule_form.html"
    list_display = ("__str__", "next_due", "last_due", "entries", "created_by")
    list_filter = ("paused",)
    list_select_related = ("plan", "created_by")
    search_fields = ("plan__name", "cron")
    autocomplete_fields = ("plan", "audited_models")
    readonly_fields = ("due", "next_due", "last_due", "entries", "created_by")

    class Media:
        css: ClassVar = {"all": ["admin-plumbline/schedule.css", "admin-plumbline/exchange.css"]}
        js = ("admin-plumbline/schedule.js",)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return the fields of the form; for people who may only look, the time in words instead."""
        timed = list(TimingForm.base_fields)
        may_edit = obj is None or self.has_change_permission(request, obj)
        first = ["plan", "audited_models", *(timed if may_edit else ["due"])]
        others = (one for one in super().get_fields(request, obj) if one not in {*first, *timed, "due"})
        return [*first, *others]

    # A person who schedules launches needs the permission to launch.
    def has_add_permission(self, request: HttpRequest) -> bool:
        return may_launch(request) and super().has_add_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Schedule | None = None) -> bool:
        return may_launch(request) and super().has_change_permission(request, obj)

    @admin.display(description="due")
    def due(self, schedule: Schedule) -> str:
        return schedule.in_words()

    @admin.display(description="next due at", ordering="next_due_at")
    def next_due(self, schedule: Schedule) -> str:
        return schedule.next_due()

    @admin.display(description="last due at", ordering="last_due_at")
    def last_due(self, schedule: Schedule) -> str:
        return schedule.local_time(schedule.last_due_at)

    @admin.display(description="launches")
    def entries(self, schedule: Schedule) -> str:
        if not schedule.pk:
            return "-"
        page = reverse("admin:audits_launch_changelist")
        return format_html('<a href="{}?schedule__id__exact={}">show them</a>', page, schedule.pk)

    def save_model(self, request: HttpRequest, obj: Schedule, form: Any, change: bool) -> None:
        if not change or form.has_changed():
            obj.created_by = request.user  # type: ignore[assignment]  # nobody else may add one
        super().save_model(request, obj, form, change)

    def response_post_save_add(self, request: HttpRequest, obj: Schedule) -> HttpResponseRedirect:
        """Lead to the page of the new schedule: it says when it is due next, and has Run now and Pause."""
        return redirect("admin:audits_schedule_change", obj.pk)

    def get_deleted_objects(
        self, objs: Iterable[Schedule], request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """Return the schedules alone: their launch entries are deleted with them, their runs stay."""
        schedules = [str(schedule) for schedule in objs]
        return schedules, {"schedules, with their launches; the runs stay": len(schedules)}, set(), []


@admin.register(Launch)
class LaunchAdmin(ReadOnly, ModelAdmin):
    list_display = ("due", "schedule", "model", "outcome", "run", "unchanged_since", "missed", "reason")
    list_filter = ("outcome", "schedule__plan")
    list_select_related = ("schedule__plan", "run", "unchanged_since")
    date_hierarchy = "due_at"

    @admin.display(description="due, or asked by Run now, at", ordering="due_at")
    def due(self, launch: Launch) -> str:
        return launch.schedule.local_time(launch.due_at)


@admin.register(Comparison)
class ComparisonAdmin(ReadOnly, ModelAdmin):
    list_display = ("run", "previous", "moved", "cells", "paired", "only_previous", "only_new", "created_at")
    list_select_related = ("run", "previous")
    readonly_fields = ("measures",)
    ordering = ("-run",)

    @admin.display
    def measures(self, comparison: Comparison) -> str:
        page = reverse("admin:results_measure_changelist")
        return format_html('<a href="{}?run={}&statistic=paired_difference">cells</a>', page, comparison.run_id)


@admin.register(Notice)
class NoticeAdmin(ReadOnly, ModelAdmin):
    list_display = ("subject", "created_at", "sent_at", "attempts", "retry_at", "error")
    list_filter = (("sent_at", admin.EmptyFieldListFilter),)
    actions = ("send_again",)

    def has_send_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("audits.change_notice")

    @admin.action(description="Send again, to whom the schedule names now", permissions=["send"])
    def send_again(self, request: HttpRequest, notices: QuerySet[Notice]) -> None:
        asked = notices.count()
        sent = send_again(notices)
        self.message_user(request, f"{sent} of {asked} notices are sent within seconds.")
        if sent < asked:
            self.message_user(request, "The others have no recipient: name one in their schedule.", messages.WARNING)
