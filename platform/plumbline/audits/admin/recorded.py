"""The admin of plans and schedules with history and protection against simultaneous edits."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse

from plumbline.audits.models import AuditedModel, ModelUnderAudit, Plan, Schedule
from plumbline.vocab.admin.buttons import with_buttons
from plumbline.vocab.admin.changes import WithHistory, address
from plumbline.vocab.admin.list_lock import AloneWithRow
from plumbline.vocab.admin.optimistic_locking import WithSeen


@dataclass(frozen=True, slots=True)
class Decided:
    """The models of rows that people edit and of the rows that belong to them, as the history needs them (`Past`)."""

    list_model: type[Any]
    entry_model: type[Any] | None = None
    parent: str = ""


MODELS = Decided(ModelUnderAudit)
PLANS = Decided(Plan)
SCHEDULES = Decided(Schedule, AuditedModel, "schedule")


class Recorded(AloneWithRow, WithSeen, WithHistory):
    """The base of these admins."""

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        shown = super().changelist_view(request, extra_context)
        return with_buttons(shown, "actions_list", [("History", "history", address(self.kind))])
