"""The curators' pages: one for each list, and for each kind one of all entries, which filters by list."""

from collections.abc import Mapping
from typing import Any

from django.contrib import admin
from django.contrib.postgres.fields import ArrayField
from django.db.models import Count, Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse
from django.utils.html import format_html
from unfold.admin import ModelAdmin, TabularInline
from unfold.widgets import UnfoldAdminTextInputWidget

from plumbline.vocab.admin.bulk import BulkEdit
from plumbline.vocab.admin.changes import WithHistory, address
from plumbline.vocab.admin.families import family_in_use
from plumbline.vocab.admin.form_notices import WithFormNotices
from plumbline.vocab.admin.group_forms import missing_forms, missing_in_list
from plumbline.vocab.admin.importing import WithExchange, WithExchangeLinks
from plumbline.vocab.admin.links import WithLinks
from plumbline.vocab.admin.list_lock import Alone
from plumbline.vocab.admin.method_pages import admin_bases
from plumbline.vocab.admin.modification_dates import DatesLists
from plumbline.vocab.admin.optimistic_locking import RowForm, SeenInlines, WithSeen
from plumbline.vocab.admin.pairing import WithPairs
from plumbline.vocab.admin.preview import TemplateInput, WithPreview
from plumbline.vocab.admin.proposing import WithProposals
from plumbline.vocab.admin.words import MOST_IN_ONE_FORM, WithWords, is_one_form
from plumbline.vocab.fields import GrammarField
from plumbline.vocab.kinds import KINDS, Kind
from plumbline.vocab.models import Attribute, Group, GroupList

ROOM_FOR_WORDS: Mapping[str, tuple[str, ...]] = {"all": ("admin-plumbline/tables.css",)}

EDITED_IN_TABLES: Mapping[str, tuple[str, ...]] = {
    "names": ("group", "pronoun"),
    "groups": ("singular", "plural", "pronoun"),
    "attributes": ("plural", "category", "article", "group", "family"),
}
"""Columns that people fill for many entries at once, in the table itself."""

WORDS_BETWEEN_SEMICOLONS: Mapping[type[Any], Mapping[str, Any]] = {
    ArrayField: {"delimiter": ";", "widget": UnfoldAdminTextInputWidget},
    GrammarField: {"widget": TemplateInput},
}


class OnlyChanged(RowForm):
    """The form of a row in a table of entries. A check reads the whole list, so unchanged rows are not checked."""

    def _post_clean(self) -> None:
        if self.has_changed():
            super()._post_clean()  # type: ignore[misc] # Django's stubs leave it out


class WordListAdmin(
    Alone,
    WithSeen,
    WithPreview,
    WithPairs,
    WithProposals,
    WithWords,
    WithFormNotices,
    WithExchange,
    WithHistory,
    WithLinks,
    ModelAdmin,
):
    """The admin of one kind of list."""

    list_display = ("slug", "title", "entry_count", "origin", "modified_at")
    list_filter = ("origin",)
    search_fields = ("slug", "title", "description", "source")
    readonly_fields = ("entry_count", "created_at", "modified_at")
    ordering = ("slug",)
    entry_inline: type[TabularInline]

    class Media:
        css = ROOM_FOR_WORDS

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        lists: QuerySet[Any] = super().get_queryset(request).annotate(entries_counted=Count("entries"))
        return lists

    def get_inlines(self, request: HttpRequest, obj: Any | None) -> list[Any]:
        if obj is not None and (not is_one_form(request) or obj.entries.count() > MOST_IN_ONE_FORM):
            return []
        return [self.entry_inline]

    @admin.display(description="entries", ordering="entries_counted")
    def entry_count(self, word_list: Any) -> str:
        """Return the number of entries as a link to them."""
        if word_list.pk is None:
            return "-"
        page = reverse(f"admin:vocab_{self.entry_inline.model._meta.model_name}_changelist")
        count = word_list.entries_counted
        link = '<a class="underline" href="{}?word_list__id__exact={}" data-count="{}">{}</a>'
        return format_html(link, page, word_list.pk, count, count)


class EntryAdmin(Alone, DatesLists, WithFormNotices, WithSeen, WithExchangeLinks, WithLinks, BulkEdit, ModelAdmin):
    """The admin of the entries of all lists of one kind."""

    kind: Kind

    list_select_related = ("word_list",)
    autocomplete_fields = ("word_list",)
    formfield_overrides = WORDS_BETWEEN_SEMICOLONS
    ordering = ("word_list__slug", "position", "id")

    class Media:
        css = ROOM_FOR_WORDS

    def get_changelist_form(self, request: HttpRequest, **kwargs: Any) -> Any:
        return super().get_changelist_form(request, form=OnlyChanged, **kwargs)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Return the initial values of a new entry: its list is the one that the page of entries was filtered by."""
        initial: dict[str, Any] = super().get_changeform_initial_data(request)
        filters = QueryDict(initial.pop("_changelist_filters", ""))
        filtered_by = filters.get("word_list__id__exact", "")
        return {"word_list": filtered_by, **initial} if filtered_by.isascii() and filtered_by.isdecimal() else initial

    def response_post_save_add(self, request: HttpRequest, obj: Any) -> HttpResponseRedirect:
        return self._to_list(request, obj) or super().response_post_save_add(request, obj)

    def response_post_save_change(self, request: HttpRequest, obj: Any) -> HttpResponseRedirect:
        return self._to_list(request, obj) or super().response_post_save_change(request, obj)

    def _to_list(self, request: HttpRequest, entry: Any) -> HttpResponseRedirect | None:
        """Lead to the list of the entry, or back to the filtered table, if the form was opened there."""
        if "_changelist_filters" in request.GET:
            return None
        word_list = getattr(entry, self.kind.parent)
        return HttpResponseRedirect(reverse(f"admin:vocab_{word_list._meta.model_name}_change", args=[word_list.pk]))

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        """Redirect Django's own address of an entry's history to ours."""
        if not object_id.isdecimal():
            raise Http404
        return HttpResponseRedirect(address(self.kind, entry=int(object_id)))


def _inline(kind: Kind) -> type[TabularInline]:
    fields = {
        "model": kind.entry_model,
        "form": RowForm,
        "formset": SeenInlines,
        "fields": ("position", *kind.columns),
        "extra": 1,
        "formfield_overrides": WORDS_BETWEEN_SEMICOLONS,
    }
    if kind.entry_model is Group:
        label, singular, plural, pronoun, *others = kind.columns
        shown = ("position", label, singular, plural, pronoun, "missing", *others)
        fields |= {"fields": shown, "readonly_fields": ("missing",), "missing": staticmethod(missing_forms)}
    if kind.entry_model is Attribute:
        shown = ("position", *kind.columns[:-1], "family_in_use", kind.columns[-1])
        fields |= {"fields": shown, "readonly_fields": ("family_in_use",), "family_in_use": staticmethod(family_in_use)}
    return type(f"{kind.entry_model.__name__}Inline", (TabularInline,), fields)


def _entry_admin(kind: Kind) -> type[EntryAdmin]:
    model: type[Model] = kind.entry_model
    filters = [name for name in ("group", "domain", "dimension", "category", "variation") if name in kind.columns]
    fields = {
        "kind": kind,
        "list_display": (*kind.columns[: kind.entry_model.KEY], "word_list", *kind.columns[kind.entry_model.KEY :]),
        "list_filter": ("word_list", *filters),
        "list_editable": EDITED_IN_TABLES.get(kind.name, ()),
        "search_fields": kind.columns[: kind.entry_model.KEY],
        "fields": ("word_list", "position", *kind.columns),
    }
    if model is Group:
        # Few other columns, so that the forms fit next to each other.
        fields["list_display"] = ("label", "singular", "plural", "pronoun", missing_forms, "word_list")
    if model is Attribute:
        fields["list_display"] = ("text", "word_list", *kind.columns[1:], family_in_use)
        fields |= {
            "fields": ("word_list", "position", *kind.columns, "family_in_use"),
            "readonly_fields": ("family_in_use",),
        }
        fields["family_in_use"] = staticmethod(family_in_use)
    return type(f"{model.__name__}Admin", (EntryAdmin,), fields)


def _list_admin(kind: Kind) -> type[WordListAdmin]:
    fields = {"kind": kind, "entry_inline": _inline(kind)}
    if kind.list_model is GroupList:
        fields |= {"readonly_fields": (missing_in_list, *WordListAdmin.readonly_fields)}
    return type(f"{kind.list_model.__name__}Admin", admin_bases(kind.list_model, WordListAdmin), fields)


for _kind in KINDS.values():
    admin.site.register(_kind.list_model, _list_admin(_kind))
    admin.site.register(_kind.entry_model, _entry_admin(_kind))
