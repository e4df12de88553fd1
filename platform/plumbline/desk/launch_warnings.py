"""What a person must know before a launch: its cost, its size, and that it cannot show anything."""

from plumbline.audits.costs import cost_of
from plumbline.audits.estimated_time import Size, planned_size
from plumbline.audits.models import Plan
from plumbline.findings.sensitivity import Sensitivity, sensitivity
from plumbline.spec.errors import InputError
from plumbline.spec.several_models import parse_each


def plan_cost(plan: Plan) -> str:
    """Return the cost of the plan, or "" for an invalid plan. The launch reports what is wrong with it."""
    try:
        return "; ".join(dict.fromkeys(filter(None, map(cost_of, parse_each(plan.spec)))))
    except InputError:
        return ""


def plan_size(plan: Plan) -> Size:
    """Return the size of the plan with today's words. It is unknown for an invalid plan, which the launch reports."""
    try:
        return planned_size(parse_each(plan.spec))
    except InputError:
        return Size(None)


def plan_sensitivity(plan: Plan) -> Sensitivity:
    """Return the sensitivity of the plan with today's words. Raises InputError like a launch."""
    return sensitivity(parse_each(plan.spec)[0])


def significance_warning(plan: Plan) -> str:
    """Return the warning that a plan cannot show anything, or "" for every other plan. The launch reports a fault."""
    try:
        shows_nothing = plan_sensitivity(plan).nothing_possible
    except InputError:
        return ""
    return "no result of this plan can become significant." if shows_nothing else ""
