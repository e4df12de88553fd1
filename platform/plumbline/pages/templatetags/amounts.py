"""Template filters for amounts without a sign: `{{ share.median|amount }}`, `{{ share|amount_limits }}`."""

from django import template

from plumbline.spec import numbers
from plumbline.spec.measure import Measure

register = template.Library()
amount = register.filter("amount", numbers.amount)
counted = register.filter("counted", numbers.counted)


@register.filter
def amount_limits(measure: Measure) -> str:
    """Format the interval of an amount, `[0.31, 0.53]`, or a dash without one."""
    if measure.ci_low is None or measure.ci_high is None:
        return "-"
    return f"[{amount(measure.ci_low)}, {amount(measure.ci_high)}]"
