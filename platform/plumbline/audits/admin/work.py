"""The admin of shards, snapshots and processes."""

import json
from datetime import datetime
from typing import Any

from django.contrib import admin
from django.db.models import F, Func, IntegerField, JSONField, QuerySet, Value
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from unfold.admin import ModelAdmin

from plumbline.audits.admin.read_only import ReadOnly
from plumbline.audits.models import QueueMove, Shard, Snapshot, WorkerProcess


@admin.register(Shard)
class ShardAdmin(ReadOnly, ModelAdmin):
    """The admin of shards, which a run's phase links to. It omits their items: a shard may have ten thousand."""

    fields = (
        "run", "phase", "number", "state", "attempts", "leased_by", "lease_until", "seconds", "done_at",
        "key", "planned_rows", "rows_reused", "reused_from",
    )  # fmt: skip
    list_display = ("__str__", "phase", "state", "attempts", "leased_by", "lease_until", "seconds", "done_at")
    list_filter = ("state",)
    list_select_related = ("phase",)
    search_fields = ("key",)
    ordering = ("-run", "number")
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Shard]:
        shards: QuerySet[Shard] = super().get_queryset(request)
        return shards.defer("items")


ENTRIES_SHOWN = 100
"""The number of entries on a page of a snapshot. A snapshot may have tens of thousands."""


def first_entry(text: str) -> int:
    """Return the number of the first entry that an address asks for; 0 for what is no number."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else 0


def entries_from(sha256: str, start: int) -> tuple[list[Any], dict[str, Any]]:
    """Return some entries of a snapshot from this number on, and the content without entries. The database cuts it."""
    path = Value(f"$.entries[{start} to {start + ENTRIES_SHOWN - 1}]")
    some = Func(
        F("content"),
        path,
        function="jsonb_path_query_array",
        template="%(function)s(%(expressions)s::jsonpath)",
        output_field=JSONField(),
    )
    rest = Func(F("content"), template="(%(expressions)s - 'entries')", output_field=JSONField())
    found: tuple[list[Any], dict[str, Any]] = Snapshot.objects.filter(pk=sha256).values_list(some, rest).get()
    return found


@admin.register(Snapshot)
class SnapshotAdmin(ReadOnly, ModelAdmin):
    list_display = ("sha256", "kind", "slug", "entry_count", "created_at")
    search_fields = ("sha256",)
    ordering = ("-created_at",)
    fields = ("sha256", "kind", "slug", "entry_count", "created_at", "about", "shown_entries")
    readonly_fields = ("kind", "slug", "entry_count", "about", "shown_entries")

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """Return the snapshot with the entries from number `from` on, as its address says, and without the others."""
        snapshot: Any = super().get_object(request, object_id, from_field)
        if snapshot is not None:
            snapshot.start = first_entry(request.GET.get("from", ""))
            snapshot.slice, snapshot.rest = entries_from(snapshot.pk, snapshot.start)
        return snapshot

    @admin.display(description="about the list")
    def about(self, snapshot: Any) -> str:
        """Return the content without the entries."""
        return json.dumps(snapshot.rest, ensure_ascii=False, indent=2)

    @admin.display(description="frozen entries")
    def shown_entries(self, snapshot: Any) -> str:
        """Return some entries, one on a line, with links to the earlier and the later ones."""
        last = snapshot.start + len(snapshot.slice)
        earlier = max(0, snapshot.start - ENTRIES_SHOWN)
        links = [
            *([(earlier, "Earlier entries")] if snapshot.start else []),
            *([(last, "Later entries")] if last < (snapshot.entries or 0) else []),
        ]
        lines = "\n".join(json.dumps(entry, ensure_ascii=False) for entry in snapshot.slice)
        return format_html(
            "<p>Entries {} to {} of {}. {}</p><pre>{}</pre>",
            f"{min(snapshot.start + 1, last):,}",
            f"{last:,}",
            f"{snapshot.entries or 0:,}",
            format_html_join(" ", '<a class="underline" href="?from={}">{}</a>', links),
            lines,
        )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Snapshot]:
        """Return the snapshots with the fields of the list page, but without their content."""
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


@admin.register(WorkerProcess)
class WorkerProcessAdmin(ReadOnly, ModelAdmin):
    """The list of processes. A living process updates its row every few seconds and deletes it at its end.

    A hung process keeps updating its row. The time since when it does the same work shows it.
    """

    list_display = ("name", "what", "state_name", "work", "since", "seen")
    list_filter = ("role", "state")

    @admin.display(description="role", ordering="role")
    def what(self, process: WorkerProcess) -> str:
        """Return the role with the device: `worker (cpu)`. A scheduler has no device."""
        return f"{process.role} ({process.device})" if process.device else process.role

    @admin.display(description="state", ordering="state")
    def state_name(self, process: WorkerProcess) -> str:
        return process.state

    @admin.display(ordering="run")
    def work(self, process: WorkerProcess) -> str:
        """Return the current work: `run 3, shard 4: 1,200 items`."""
        parts = [f"run {process.run_id}" if process.run_id else "", process.doing]
        doing = ", ".join(part for part in parts if part)
        return f"{doing}: {process.items:,} items" if doing and process.items else doing or "-"

    @admin.display(description="since (UTC)", ordering="doing_since")
    def since(self, process: WorkerProcess) -> str:
        return _moment(process.doing_since)

    @admin.display(description="seen at (UTC)", ordering="seen_at")
    def seen(self, process: WorkerProcess) -> str:
        return _moment(process.seen_at)


@admin.register(QueueMove)
class QueueMoveAdmin(ReadOnly, ModelAdmin):
    """Who reordered the queue. The queue's own page makes the changes."""

    list_display = ("moved_at", "run", "kind", "by", "position_before", "position_after", "priority_after")
    list_filter = ("kind",)
    list_select_related = ("run", "by")


def _moment(time: datetime | None) -> str:
    return f"{time:%Y-%m-%d %H:%M:%S}" if time else "-"
