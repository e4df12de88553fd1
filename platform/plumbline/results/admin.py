"""The read-only admin of records and measures."""

import re
from typing import Any

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property
from unfold.admin import ModelAdmin

from plumbline.audits.models import Run
from plumbline.results.models import Association, Choice, Effect, Measure

MOST_COUNTED = 10_000
RUNS_SHOWN = 100
RUN_NUMBER = re.compile("[0-9]{1,9}")


class CappedPaginator(Paginator):  # type: ignore[type-arg] # not generic at run time
    """A paginator that counts up to a limit, since counting a fact table reads all of it."""

    object_list: QuerySet[Any]

    @cached_property
    def count(self) -> int:
        return self.object_list[:MOST_COUNTED].count()


class RunFilter(admin.SimpleListFilter):
    """A filter by one of the latest runs."""

    title = "run"
    parameter_name = "run"

    def lookups(self, request: HttpRequest, model_admin: "admin.ModelAdmin[Any]") -> list[tuple[str, str]]:
        return [(str(run.pk), str(run)) for run in Run.objects.only("name").order_by("-pk")[:RUNS_SHOWN]]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the records of the run. Raises IncorrectLookupParameters for a value that is no run's number."""
        if not (value := self.value()):
            return queryset
        if not RUN_NUMBER.fullmatch(value):
            raise IncorrectLookupParameters
        return queryset.filter(run=int(value))


class ReadOnlyAdmin(ModelAdmin):
    """The base of these admins: lists and views, no changes."""

    list_filter = (RunFilter,)
    ordering = ("-id",)
    paginator = CappedPaginator
    show_full_result_count = False
    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Association)
class AssociationAdmin(ReadOnlyAdmin):
    list_display = ("id", "run", "group", "attribute", "template", "score", "scorable", "reason")
    list_select_related = ("group", "attribute", "template", "reason")


@admin.register(Effect)
class EffectAdmin(ReadOnlyAdmin):
    list_display = ("id", "run", "group", "attribute", "draw", "effect_size", "variance", "sentences", "reason")
    list_select_related = ("group", "attribute", "reason")


@admin.register(Choice)
class ChoiceAdmin(ReadOnlyAdmin):
    list_display = ("id", "run", "bank", "item", "condition", "name", "group", "options", "chosen", "gold", "reason")
    list_select_related = ("bank", "item", "condition", "name", "group", "options", "reason")


@admin.register(Measure)
class MeasureAdmin(ReadOnlyAdmin):
    list_display = (
        "run", "statistic", "variant", "group_a", "group_b", "attribute", "template",
        "value", "ci_low", "ci_high", "q_value", "n", "reason",
    )  # fmt: skip
