"""Models under audit and plans are edited here; runs, with their phases, shards and snapshots, are looked at."""

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.db.models import Count, Func, IntegerField, Q, QuerySet
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join

from plumbline.audits.forms import ModelForm, PlanForm
from plumbline.audits.models import ModelUnderAudit, Phase, Plan, Run, Shard, Snapshot
from plumbline.audits.states import LIVE, WorkState


class ReadOnly:
    """Shown to who may view; added, changed or deleted by nobody."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(ModelUnderAudit)
class ModelUnderAuditAdmin(admin.ModelAdmin[ModelUnderAudit]):
    form = ModelForm
    list_display = ("reference", "title", "created_at")
    search_fields = ("reference", "title", "notes")


@admin.register(Plan)
class PlanAdmin(admin.ModelAdmin[Plan]):
    form = PlanForm
    list_display = ("name", "probe", "audited_model", "modified_at")
    search_fields = ("name", "description")

    @admin.display
    def probe(self, plan: Plan) -> str:
        return str(plan.spec.get("probe", ""))

    @admin.display(description="model")
    def audited_model(self, plan: Plan) -> str:
        return str(plan.spec.get("model", ""))


class PhaseInline(ReadOnly, admin.TabularInline[Phase, Run]):
    """The phases of a run; of its shards, which may be thousands, only how many are done."""

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


@admin.register(Run)
class RunAdmin(ReadOnly, admin.ModelAdmin[Run]):
    """Runs are launched and stopped elsewhere. A superuser may delete one that has ended, with its records."""

    list_display = ("id", "name", "state", "probe", "model", "planned_items", "created_at", "finished_at")
    list_display_links = ("id", "name")
    list_filter = ("state", "probe")
    search_fields = ("name", "model")
    date_hierarchy = "created_at"
    exclude = ("snapshots",)
    readonly_fields = ("frozen_lists",)
    inlines = (PhaseInline,)

    @admin.display
    def frozen_lists(self, run: Run) -> str:
        """The slug of each snapshot, which leads to it: its content may be long, and is not read here."""
        found = run.snapshots.values_list("sha256", KeyTextTransform("slug", "content")).order_by("sha256")
        links = ((reverse("admin:audits_snapshot_change", args=[sha256]), slug) for sha256, slug in found)
        return format_html_join(", ", '<a href="{}">{}</a>', links)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)

    def get_deleted_objects(
        self, objs: Iterable[Run], request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """The runs alone: to list all that goes with them would be to load every shard."""
        runs = list(objs)
        live = [f"run {run} is {run.state}: cancel it first" for run in runs if run.state in LIVE]
        return [str(run) for run in runs], {"runs, with their shards and records": len(runs)}, set(), live


@admin.register(Shard)
class ShardAdmin(ReadOnly, admin.ModelAdmin[Shard]):
    """Reached from a run's phase. Its items are left out: there may be ten thousand of them."""

    fields = (
        "run", "phase", "number", "state", "attempts", "leased_by", "lease_until", "seconds", "done_at",
        "key", "planned_rows", "reused_from",
    )  # fmt: skip
    list_display = ("__str__", "phase", "state", "attempts", "leased_by", "lease_until", "seconds", "done_at")
    list_filter = ("state",)
    list_select_related = ("phase",)
    search_fields = ("key",)
    ordering = ("-run", "number")
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Shard]:
        return super().get_queryset(request).defer("items")


@admin.register(Snapshot)
class SnapshotAdmin(ReadOnly, admin.ModelAdmin[Snapshot]):
    list_display = ("sha256", "kind", "slug", "entry_count", "created_at")
    search_fields = ("sha256",)
    ordering = ("-created_at",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Snapshot]:
        """What the page of all needs of the content, without the content itself."""
        count = Func(KeyTransform("entries", "content"), function="jsonb_array_length", output_field=IntegerField())
        kind, slug = KeyTextTransform("kind", "content"), KeyTextTransform("slug", "content")
        snapshots: QuerySet[Snapshot] = (
            super().get_queryset(request).annotate(of_kind=kind, of_slug=slug, entries=count)
        )
        return snapshots.defer("content")

    @admin.display
    def kind(self, snapshot: Any) -> str:
        return str(snapshot.of_kind)

    @admin.display
    def slug(self, snapshot: Any) -> str:
        return str(snapshot.of_slug)

    @admin.display(description="entries")
    def entry_count(self, snapshot: Any) -> int:
        return int(snapshot.entries)
