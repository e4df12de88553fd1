"""Variants of models: the card of each, the runs that use it, and the removal of its files."""

from collections.abc import Iterable

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from unfold.admin import ModelAdmin

from plumbline.audits import variants
from plumbline.audits.admin.launches import may_launch
from plumbline.audits.admin.read_only import ReadOnly
from plumbline.audits.models import Variant
from plumbline.spec.errors import InputError
from plumbline.spec.variant import OWN_WEIGHTS, swapped_words


@admin.register(Variant)
class VariantAdmin(ReadOnly, ModelAdmin):
    """Nobody edits a card. Removing a variant removes its files and keeps the card."""

    list_display = ("reference", "method", "of", "left", "runs", "created_at", "removed_at")
    list_filter = ("method", ("removed_at", admin.EmptyFieldListFilter))
    list_select_related = ("parent",)
    search_fields = ("slug", "parent__reference", "digest")
    fields = (
        "reference", "method", "of", "layer", "lists", "text", "params", "seed", "left", "loss", "swapped", "runs",
        "digest", "parent_digest", "versions", "created_by", "created_at", "removed_by", "removed_at",
    )  # fmt: skip
    readonly_fields = fields

    @admin.display(description="model of")
    def of(self, variant: Variant) -> str:
        return variant.made.parent

    @admin.display
    def layer(self, variant: Variant) -> str:
        return "last" if variant.made.layer is None else str(variant.made.layer)

    @admin.display
    def lists(self, variant: Variant) -> str:
        parts = [(f"{part.slug} ({part.kind}, version {part.sha256[:12]})",) for part in variant.made.lists]
        return format_html_join(", ", "{}", parts) or "-"

    @admin.display
    def text(self, variant: Variant) -> str:
        text, unit = variant.made.text, "passages" if variant.method in OWN_WEIGHTS else "sentences"
        return f"{text.name}, {text.sentences:,} {unit} used (SHA-256 {text.sha256[:12]})"

    @admin.display
    def params(self, variant: Variant) -> str:
        return ", ".join(f"{name} {value}" for name, value in variant.made.params.items()) or "-"

    @admin.display
    def seed(self, variant: Variant) -> int:
        return variant.made.seed

    @admin.display
    def versions(self, variant: Variant) -> str:
        return ", ".join(f"{name} {value}" for name, value in variant.made.versions.items())

    @admin.display(description="a fresh classifier names the group")
    def left(self, variant: Variant) -> str:
        """Such as: 93% before, 52% after (by chance 50%)."""
        found = variant.made.found
        if not {"before", "after"} <= found.keys():
            return f"not measured: {found['not_measured']}" if "not_measured" in found else "-"
        after = found["after"]
        before, now = found["before"]["accuracy"], after["accuracy"]
        return f"{before:.0%} before, {now:.0%} after (by chance {after['majority']:.0%}, {after['n']:,} sentences)"

    @admin.display(description="loss on passages held out")
    def loss(self, variant: Variant) -> str:
        """Such as: 3.412 before, 3.201 after (5,120 tokens)."""
        if not (loss := variant.made.found.get("loss")):
            return "-"
        return f"{loss['before']:.3f} before, {loss['after']:.3f} after ({loss['tokens']:,} tokens)"

    @admin.display(description="words swapped in counterfactual passages")
    def swapped(self, variant: Variant) -> str:
        """Such as: she -> he 1,204, he -> she 1,180; ambiguous: her 310."""
        return swapped_words(variant.made) or "-"

    @admin.display
    def runs(self, variant: Variant) -> str:
        count = variants.resting_on(variant).count()
        page = f"{reverse('model')}?reference={variant.reference}"
        return format_html('<a href="{}">{} run{}</a>', page, count, "" if count == 1 else "s") if count else "none"

    def has_delete_permission(self, request: HttpRequest, obj: Variant | None = None) -> bool:
        return may_launch(request) and (obj is None or obj.removed_at is None)

    def get_deleted_objects(
        self, objs: Iterable[Variant], request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """Say what is removed and what stays, such as the runs that use it."""
        chosen = list(objs)
        told = [f"The files of {one}; its card stays, and its {_runs(one)}" for one in chosen]
        protected = [f"{child}, which is made of {one}" for one in chosen for child in variants.made_of(one)]
        return told, {"variants, their files only": len(chosen)}, set(), protected

    def delete_model(self, request: HttpRequest, variant: Variant) -> None:
        self.delete_queryset(request, Variant.objects.filter(pk=variant.pk))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Variant]) -> None:
        for variant in queryset:
            try:
                variants.remove(variant, request.user)  # type: ignore[arg-type]  # nobody else may
            except InputError as error:
                self.message_user(request, str(error), messages.ERROR)


def _runs(variant: Variant) -> str:
    count = variants.resting_on(variant).count()
    return f"{count} run{'' if count == 1 else 's'}"
