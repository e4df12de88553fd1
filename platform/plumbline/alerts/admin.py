"""The admin of alerts: auditors keep sets of rules, admins keep webhooks and see their deliveries."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from plumbline.alerts.forms import RuleSetForm, WebhookForm
from plumbline.alerts.models import Delivery, RuleSet, Webhook
from plumbline.alerts.outbox import put_out_test
from plumbline.alerts.webhooks import signing
from plumbline.alerts.webhooks.delivering import deliver_again
from plumbline.audits.admin.read_only import ReadOnly


@admin.register(RuleSet)
class RuleSetAdmin(ModelAdmin):
    form = RuleSetForm
    list_display = ("name", "probe", "plan", "model", "is_active")
    list_filter = ("is_active", "probe")
    list_select_related = ("plan",)
    search_fields = ("name", "rules")
    autocomplete_fields = ("plan",)
    fields = ("name", "is_active", "plan", "probe", "model", "rules", "notify")


@admin.register(Webhook)
class WebhookAdmin(ModelAdmin):
    form = WebhookForm
    list_display = ("name", "url", "is_active", "waiting", "failed")
    autocomplete_fields = ("rule_sets",)
    actions = ("test", "new_secret")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Webhook]:
        unsent = Q(deliveries__sent_at__isnull=True, deliveries__isnull=False)
        waits = Count("deliveries", filter=unsent & Q(deliveries__retry_at__isnull=False))
        failed = Count("deliveries", filter=unsent & Q(deliveries__retry_at__isnull=True))
        found: QuerySet[Webhook] = super().get_queryset(request)
        return found.annotate(_waiting=waits, _failed=failed)

    @admin.display(description="deliveries waiting")
    def waiting(self, webhook: Webhook) -> int:
        return int(getattr(webhook, "_waiting", 0))

    @admin.display(description="given up")
    def failed(self, webhook: Webhook) -> int:
        return int(getattr(webhook, "_failed", 0))

    def save_model(self, request: HttpRequest, obj: Webhook, form: Any, change: bool) -> None:
        if not change:
            self._seal_new_secret(request, obj)
        super().save_model(request, obj, form, change)

    @admin.action(description="Send a test", permissions=["change"])
    def test(self, request: HttpRequest, chosen: QuerySet[Webhook]) -> None:
        for webhook in chosen:
            put_out_test(webhook)
        messages.info(request, "The scheduler sends the tests within seconds. Deliveries shows what became of them.")

    @admin.action(description="Make a new secret", permissions=["change"])
    def new_secret(self, request: HttpRequest, chosen: QuerySet[Webhook]) -> None:
        for webhook in chosen:
            self._seal_new_secret(request, webhook)
            webhook.save(update_fields=["sealed_secret"])

    def _seal_new_secret(self, request: HttpRequest, webhook: Webhook) -> None:
        secret = signing.new_secret()
        webhook.sealed_secret = signing.seal(secret)
        messages.warning(request, f"The secret of {webhook.name}, shown only now: {secret}")


@admin.register(Delivery)
class DeliveryAdmin(ReadOnly, ModelAdmin):
    list_display = ("__str__", "created_at", "attempts", "sent_at", "retry_at", "error")
    list_filter = ("webhook",)
    list_select_related = ("webhook", "alert")
    actions = ("again",)

    @admin.action(description="Try again what was given up", permissions=["view"])
    def again(self, request: HttpRequest, chosen: QuerySet[Delivery]) -> None:
        messages.info(request, f"{deliver_again(chosen)} deliveries are tried again.")
