"""The admin of runs and their phases."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.contrib.auth.models import User
from django.db.models import Count, Q, QuerySet
from django.db.models.fields.json import KeyTextTransform
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from unfold.admin import ModelAdmin, TabularInline

from plumbline.audits.admin.launches import launched, may_launch
from plumbline.audits.admin.read_only import ReadOnly
from plumbline.audits.keeping import reasons_to_keep
from plumbline.audits.models import Phase, Run
from plumbline.audits.staleness import relaunch, stale_lists
from plumbline.audits.states import LIVE, WorkState


class PhaseInline(ReadOnly, TabularInline):
    """The phases of a run. A run may have thousands of shards, so only their counts are shown."""

    model = Phase
    fields = ("name", "state", "shards_done", "attempts", "leased_by", "lease_until", "seconds", "done_at")
    readonly_fields = ("shards_done",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Phase]:
        done = Count("shards", Q(shards__state=WorkState.DONE))
        phases: QuerySet[Phase] = super().get_queryset(request).annotate(done=done, all=Count("shards"))
        return phases

    @admin.display(description="shards done")
    def shards_done(self, phase: Any) -> str:
        if not phase.sharded:
            return "-"
        page = reverse("admin:audits_shard_changelist")
        return format_html('<a href="{}?phase__id__exact={}">{} of {}</a>', page, phase.pk, phase.done, phase.all)


class RunList(ChangeList):
    """A page of runs. It reads each curated list once for all of them."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        runs = list(self.result_list)
        changed = stale_lists(runs)
        for run in runs:
            run.lists_that_changed = changed[run.pk]
        self.result_list = runs


@admin.register(Run)
class RunAdmin(ReadOnly, ModelAdmin):
    """The admin of runs, which are launched and stopped elsewhere.

    Superusers may delete a finished run and its records.
    """

    list_display = ("id", "name", "state", "stale", "probe", "model", "planned_items", "created_at", "finished_at")
    list_display_links = ("id", "name")
    list_filter = ("state", "probe")
    search_fields = ("name", "model")
    date_hierarchy = "created_at"
    exclude = ("snapshots",)
    readonly_fields = ("frozen_lists", "changed_lists")
    inlines = (PhaseInline,)
    actions = ("ask_what_is_new",)

    def get_changelist(self, request: HttpRequest, **options: Any) -> type[ChangeList]:
        return RunList

    @admin.display(description="its lists")
    def stale(self, run: Any) -> str:
        return "list changed" if run.lists_that_changed else ""

    @admin.display(description="lists that changed since")
    def changed_lists(self, run: Run) -> str:
        return ", ".join(map(str, stale_lists([run])[run.pk])) or "none"

    def has_launch_permission(self, request: HttpRequest) -> bool:
        return may_launch(request)

    @admin.action(description="Run again with today's words: known answers are copied", permissions=["launch"])
    def ask_what_is_new(self, request: HttpRequest, runs: QuerySet[Run]) -> None:
        for run in runs.select_related("plan"):
            launched(self, request, f"run {run}", partial(_relaunched, run))

    @admin.display
    def frozen_lists(self, run: Run) -> str:
        """Return links to the snapshots, named by their slugs. The content may be long and is not read here."""
        found = run.snapshots.values_list("sha256", KeyTextTransform("slug", "content")).order_by("sha256")
        links = ((reverse("admin:audits_snapshot_change", args=[sha256]), slug) for sha256, slug in found)
        return format_html_join(", ", '<a href="{}">{}</a>', links)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)

    def get_deleted_objects(
        self, objs: Iterable[Run], request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """Return the runs alone: a list of everything deleted with them would load every shard."""
        runs = list(objs)
        live = [f"run {run} is {run.state}: cancel it first" for run in runs if run.state in LIVE]
        kept = [f"run {run} is kept: {reason}" for run in runs for reason in reasons_to_keep(run)]
        return [str(run) for run in runs], {"runs, with their shards and records": len(runs)}, set(), [*live, *kept]


def _relaunched(run: Run, by: User) -> list[Run]:
    return [relaunch(run, by)]
