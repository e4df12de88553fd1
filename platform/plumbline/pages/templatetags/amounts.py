"""The template filter for amounts without a sign: `{{ share.median|amount }}`."""

from django import template

register = template.Library()


@register.filter
def amount(number: float) -> str:
    """Format a number with two significant digits (`0.028`, `0.10`), from 10 on as a whole number (`1,234`)."""
    return f"{number:#.2g}" if number < 9.95 else f"{number:,.0f}"
