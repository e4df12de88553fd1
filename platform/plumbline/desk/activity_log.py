"""The activity log in the admin: a list with filters, and its export."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from unfold.admin import ModelAdmin

from plumbline.accounts.models import ActivityEntry
from plumbline.audits.admin.read_only import ReadOnly
from plumbline.desk.activity_file import activity_file


@admin.register(ActivityEntry)
class ActivityAdmin(ReadOnly, ModelAdmin):
    """The list, which nobody may change. Its names are those of today."""

    list_display = ("at", "activity", "who", "concerns", "about", "address")
    list_filter = ("activity", "at")
    search_fields = ("about", "command", "address", "who_name", "account_name")
    search_help_text = "A name, a file, a network address"
    date_hierarchy = "at"
    list_per_page = 50
    show_full_result_count = False
    actions = ("export",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[ActivityEntry]:
        entries: QuerySet[ActivityEntry] = super().get_queryset(request)
        return entries.annotate(who_name=_present_name("person"), account_name=_present_name("account"))

    @admin.display(description="who")
    def who(self, entry: Any) -> str:
        return who_did(entry)

    @admin.display(description="account")
    def concerns(self, entry: Any) -> str:
        return named(entry.account, entry.account_name)

    @admin.action(description="Export the selected entries as CSV", permissions=["view"])
    def export(self, request: HttpRequest, entries: QuerySet[ActivityEntry]) -> HttpResponse:
        rows = [
            {
                "at": entry.at.isoformat(),
                "activity": entry.activity,
                "who": who_did(entry),
                "account": named(entry.account, getattr(entry, "account_name", "")),
                "about": entry.about,
                "address": entry.address or "",
            }
            for entry in entries
        ]
        return activity_file(rows)


def _present_name(field: str) -> Subquery:
    return Subquery(User.objects.filter(pk=OuterRef(field)).values("username")[:1])


def who_did(entry: Any) -> str:
    """Return the person or the command of an entry."""
    return named(entry.person, entry.who_name) or (f"command {entry.command}" if entry.command else "nobody signed in")


def named(number: int | None, name: str | None) -> str:
    """Return the present name of an account; its number if it is deleted."""
    return "" if number is None else name or f"account {number}, deleted since"
