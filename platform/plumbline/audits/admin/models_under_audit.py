"""Models under audit and the results of their checks."""

from collections.abc import Iterable
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.defaultfilters import filesizeformat
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.html import format_html
from django.views.decorators.http import require_safe
from unfold.admin import ModelAdmin

from plumbline.audits import presence, questions
from plumbline.audits.admin.launches import may_launch
from plumbline.audits.admin.read_only import ReadOnly
from plumbline.audits.admin.recorded import MODELS, Recorded
from plumbline.audits.forms import ModelForm
from plumbline.audits.model_kinds import KINDS
from plumbline.audits.models import ModelCheck, ModelUnderAudit, Schedule, SpellingRequest
from plumbline.audits.states import Queue, WorkState
from plumbline.spec.bundled_models import bundled_model
from plumbline.vocab.admin.buttons import with_buttons

LATEST = Prefetch(
    "checks",
    ModelCheck.objects.order_by("model_id", "-pk").distinct("model_id").select_related("model"),
    to_attr="latest",
)


@admin.register(ModelUnderAudit)
class ModelUnderAuditAdmin(Recorded, ModelAdmin):
    """The list of models with their latest checks."""

    kind = MODELS
    form = ModelForm
    list_display = (
        "reference",
        "title",
        "tags",
        "owner",
        "verdict",
        "kind_of_model",
        "parameters",
        "tokenizer",
        "vocabulary",
        "created_at",
    )
    list_filter = (("archived_at", admin.EmptyFieldListFilter),)
    list_select_related = ("owner",)
    search_fields = ("reference", "title", "tags", "notes")
    readonly_fields = ("verdict", "fault", "kind_of_model", "parameters", "tokenizer", "vocabulary", "checks")
    actions = ("ask_check",)

    class Media:
        js = ("admin-plumbline/model-check.js",)

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(self.open_checks_view)
        return [path("open-checks/", view, name="audits_modelunderaudit_open_checks"), *super().get_urls()]

    @method_decorator(require_safe)
    def open_checks_view(self, request: HttpRequest) -> JsonResponse:
        """Return the numbers of the checks without an answer, which pages that show one ask for."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        waiting = ModelCheck.objects.exclude(state=WorkState.DONE).order_by("pk")
        return JsonResponse({"open": list(waiting.values_list("pk", flat=True))})

    def get_queryset(self, request: HttpRequest) -> QuerySet[ModelUnderAudit]:
        models: QuerySet[ModelUnderAudit] = super().get_queryset(request).prefetch_related(LATEST)
        return models

    @admin.display(description="check")
    def verdict(self, model: Any) -> str:
        check = _latest(model)
        if check is None:
            return "not checked"
        page = reverse("admin:audits_modelcheck_change", args=[check.pk])
        if check.answered:
            return format_html('<a href="{}">{}</a>', page, check.verdict)
        asking = reverse("admin:audits_modelunderaudit_open_checks")
        return format_html(
            '<a href="{}" data-open-check="{}" data-open-checks="{}">{}</a>', page, check.pk, asking, check.verdict
        )

    @admin.display
    def fault(self, model: Any) -> str:
        return _known(model, "error")

    @admin.display(description="kind")
    def kind_of_model(self, model: Any) -> str:
        bundled = bundled_model(model.reference)
        kind = bundled.kind if bundled else _known(model, "kind")
        return KINDS.get(kind, kind)

    @admin.display
    def parameters(self, model: Any) -> str:
        return _known(model, "parameters")

    @admin.display
    def tokenizer(self, model: Any) -> str:
        return _known(model, "tokenizer")

    @admin.display(description="tokens")
    def vocabulary(self, model: Any) -> str:
        return _known(model, "vocabulary")

    @admin.display(description="all checks")
    def checks(self, model: ModelUnderAudit) -> str:
        page = reverse("admin:audits_modelcheck_changelist")
        return (
            format_html('<a href="{}?model__id__exact={}">all checks</a>', page, model.pk) if model.pk else "none yet"
        )

    def has_check_permission(self, request: HttpRequest) -> bool:
        return may_launch(request)

    @admin.action(description="Check: a worker loads the model and reports its properties", permissions=["check"])
    def ask_check(self, request: HttpRequest, models: QuerySet[ModelUnderAudit]) -> None:
        self._ask(request, models)

    def response_add(
        self, request: HttpRequest, obj: ModelUnderAudit, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Have a worker check the new model, and offer the plan that audits it, in one message."""
        answer = super().response_add(request, obj, post_url_continue)
        if may_launch(request):
            self._ask_first(request, obj)
        return answer

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Lead from the form to the model's audits, and to a new plan."""
        shown = super().change_view(request, object_id, form_url, extra_context)
        model = ModelUnderAudit.objects.filter(pk=object_id).first() if object_id.isdecimal() else None
        if model is None:
            return shown
        audits = ("Its audits", "monitoring", reverse("model", query={"reference": model.reference}))
        plan = ("Make a plan", "add", _plan_page(model))
        return with_buttons(shown, "actions_detail", [audits, plan] if _may_plan(request) else [audits])

    def _ask_first(self, request: HttpRequest, model: ModelUnderAudit) -> None:
        questions.ask_check(model, by=request.user)  # type: ignore[arg-type]  # nobody else may
        nobody = presence.why_no_worker(Queue.GPU)
        told = f"No worker can check it now: {nobody}." if nobody else "A worker checks it. This page shows the answer."
        link = format_html('<a class="message-button" href="{}">Make a plan that audits it</a>', _plan_page(model))
        self.message_user(request, format_html("{} {}", told, link), messages.WARNING if nobody else messages.INFO)

    def _ask(self, request: HttpRequest, models: Iterable[ModelUnderAudit]) -> None:
        for model in models:
            asked = questions.ask_check(model, by=request.user)  # type: ignore[arg-type]  # nobody else may
            told = (
                "a worker checks it; this page shows its answer by itself"
                if asked
                else "this request is already queued"
            )
            self.message_user(request, f"{model}: {told}.")
        if nobody := presence.why_no_worker(Queue.GPU):
            self.message_user(request, f"No worker can answer now: {nobody}.", messages.WARNING)

    def get_deleted_objects(
        self, objs: Iterable[ModelUnderAudit], request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """Return the models alone: their checks are deleted with them, their runs stay.

        A model that a schedule names is protected. Without it, the schedule would silently use the model of its plan.
        """
        models = list(objs)
        named = Schedule.audited_models.through._default_manager.filter(modelunderaudit__in=models)
        protected = [
            f"Schedule {one.schedule.pk} ({one.schedule}) names {one.modelunderaudit}: take the model out of it first"
            for one in named.select_related("schedule__plan", "modelunderaudit").order_by("schedule", "modelunderaudit")
        ]
        names = [str(model) for model in models]
        return names, {"models under audit, with their checks; the runs stay": len(names)}, set(), protected


def _may_plan(request: HttpRequest) -> bool:
    return request.user.has_perm("audits.add_plan")


def _plan_page(model: ModelUnderAudit) -> str:
    return reverse("plan_new", query={"model": model.reference})


def _latest(model: Any) -> ModelCheck | None:
    return next(iter(getattr(model, "latest", ())), None)


def _known(model: Any, what: str) -> str:
    """Return a field of the latest check as text, numbers with commas, or a dash if unknown."""
    found = getattr(_latest(model), what, None)
    return f"{found:,}" if isinstance(found, int) else str(found or "-")


@admin.register(ModelCheck)
class ModelCheckAdmin(ReadOnly, ModelAdmin):
    list_display = ("model", "asked_at", "verdict", "kind", "numbers", "dtype", "size", "device", "error")
    list_filter = ("kind",)
    list_select_related = ("model",)
    search_fields = ("model__reference", "model__title", "digest", "tokenizer_digest")
    fields = (
        "model", "verdict", "error", "kind", "numbers", "vocabulary", "tokenizer", "dtype", "size", "remark",
        "revision", "digest", "tokenizer_digest", "device", "asked_by", "asked_at", "attempts", "leased_by", "seconds",
        "done_at",
    )  # fmt: skip

    @admin.display(description="check")
    def verdict(self, check: ModelCheck) -> str:
        return check.verdict

    @admin.display(description="parameters", ordering="parameters")
    def numbers(self, check: ModelCheck) -> str:
        return "-" if check.parameters is None else f"{check.parameters:,}"

    @admin.display(description="size on disk", ordering="size_on_disk")
    def size(self, check: ModelCheck) -> str:
        return "-" if check.size_on_disk is None else filesizeformat(check.size_on_disk)


@admin.register(SpellingRequest)
class SpellingRequestAdmin(ReadOnly, ModelAdmin):
    list_display = ("slug", "kind", "model", "asked_at", "asked_by", "words", "done_at", "error")
    list_filter = ("kind",)
    list_select_related = ("model", "asked_by")
    search_fields = ("slug", "model__reference")
