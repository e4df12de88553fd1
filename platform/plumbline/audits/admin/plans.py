"""Plans, which people edit and launch."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import ClassVar

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from unfold.admin import ModelAdmin

from plumbline.audits.admin.launches import launched, may_launch
from plumbline.audits.admin.recorded import PLANS, Recorded
from plumbline.audits.forms import PlanForm
from plumbline.audits.keeping import reasons_to_keep_plan
from plumbline.audits.launching import launch_plan_on_all
from plumbline.audits.models import Plan, Run, Schedule
from plumbline.spec.reference import Scheme
from plumbline.spec.several_models import model_names


@admin.register(Plan)
class PlanAdmin(Recorded, ModelAdmin):
    kind = PLANS
    form = PlanForm
    list_display = ("name", "probe", "audited_model", "modified_at")
    search_fields = ("name", "description")
    actions = ("launch_now",)
    before_launch: ClassVar[list[Callable[[Plan], str]]] = []
    """Checks that other apps run before a launch from the list. Each returns a warning, or "" for none."""

    @admin.display
    def probe(self, plan: Plan) -> str:
        return str(plan.spec.get("probe", ""))

    @admin.display(description="model")
    def audited_model(self, plan: Plan) -> str:
        return ", ".join(model_names(plan.spec))

    def has_launch_permission(self, request: HttpRequest) -> bool:
        return may_launch(request)

    @admin.action(description="Launch now", permissions=["launch"])
    def launch_now(self, request: HttpRequest, plans: QuerySet[Plan]) -> None:
        for plan in plans:
            if self._is_paid_for(plan):
                told = f"plan {plan} asks an endpoint that may charge: launch it at the desk, which says how much"
                self.message_user(request, told, messages.WARNING)
                continue
            launched(self, request, f"plan {plan}", partial(launch_plan_on_all, plan))
            for text in filter(None, (say(plan) for say in self.before_launch)):
                self.message_user(request, format_html("plan {}: {}", plan, text), messages.WARNING)

    def _is_paid_for(self, plan: Plan) -> bool:
        return any(one.startswith(f"{Scheme.OPENAI}:") for one in model_names(plan.spec))

    def get_deleted_objects(
        self, objs: Iterable[Plan], request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """Return the plans alone: their schedules are deleted with them, their runs stay without a plan.

        A plan on which something rests is protected: without it, nobody would miss what is to be decided.
        """
        plans = list(objs)
        scheduled = Schedule.objects.filter(plan__in=plans).count()
        lacking = {"schedule"} if scheduled and not request.user.has_perm("audits.delete_schedule") else set()
        counts = {
            "plans": len(plans),
            "schedules, with their launches": scheduled,
            "runs that stay, but belong to no plan any more": Run.objects.filter(plan__in=plans).count(),
        }
        protected = [why for plan in plans for why in reasons_to_keep_plan(plan)]
        known = {what: count for what, count in counts.items() if count}
        return [str(plan) for plan in plans], known, lacking, protected
