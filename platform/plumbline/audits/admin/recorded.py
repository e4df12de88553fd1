"""Plans and schedules keep their history, and their pages know what they showed, as those of the vocabularies do."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse

from plumbline.audits.models import AuditedModel, Plan, Schedule
from plumbline.vocab.admin.buttons import with_buttons
from plumbline.vocab.admin.changes import WithHistory, address
from plumbline.vocab.admin.list_lock import AloneWithRow
from plumbline.vocab.admin.optimistic_locking import WithSeen


@dataclass(frozen=True, slots=True)
class Decided:
    """Rows that people decide upon, and those that belong to them, for the history (`Past`)."""

    list_model: type[Any]
    entry_model: type[Any] | None = None
    parent: str = ""


PLANS = Decided(Plan)
SCHEDULES = Decided(Schedule, AuditedModel, "schedule")


class Recorded(AloneWithRow, WithSeen, WithHistory):
    """The admin of one of these."""

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        shown = super().changelist_view(request, extra_context)
        return with_buttons(shown, "actions_list", [("History", "history", address(self.kind))])
