"""Template filters for figures and words: `{{ measure|uncertain }}`, `{{ run.planned_items|thousands }}`."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django import template
from django.template import Context

from plumbline.audits.models import Run
from plumbline.findings import contrasts, prior_agreement, sentences
from plumbline.findings.identity import labels_of
from plumbline.pages import titles
from plumbline.pages.model_names import model_names
from plumbline.pages.tabs import items_tab
from plumbline.pages.visible import visible as shown
from plumbline.pages.visible import visible_lines
from plumbline.spec import numbers
from plumbline.spec.measure import Measure

register = template.Library()


@register.simple_tag(takes_context=True)
def model_title(context: Context, reference: str) -> str:
    """Return the name of a model for a page: its title, or its reference."""
    return str(shown(model_names(context.get("request")).name(reference)))


@register.simple_tag(takes_context=True)
def model_remark(context: Context, reference: str) -> str:
    """Return what a reader must know of a model before reading its figures, as one sentence, or ""."""
    return model_names(context.get("request")).remark(reference)


@register.simple_tag(takes_context=True)
def with_model_title(context: Context, sentence: str, reference: str) -> str:
    """Return a finding's sentence with the model's title in place of its reference, at the start or in quotes."""
    name = model_names(context.get("request")).name(reference)
    return str(shown(sentence.replace(reference, name, 1)))


@register.filter
def has_items(probe: str) -> bool:
    """Return whether runs of a probe have a page of items."""
    return items_tab(probe) is not None


figure = register.filter("figure", numbers.number)
proportion = register.filter("proportion", numbers.proportion)
probability = register.filter("probability", numbers.probability)
equals = register.filter("equals", lambda value: numbers.compared(numbers.probability(value)))
"""A probability as it stands after its name: `q {{ value|equals }}` is `q = 0.003` or `q < 0.000001`."""
unsigned = register.filter("unsigned", lambda value: numbers.number(value).removeprefix("+"))
value_of = register.filter("value_of", numbers.value_of)
interval = register.filter("interval", numbers.with_interval)
limits = register.filter("limits", numbers.limits)
uncertain = register.filter("uncertain", numbers.with_uncertainty)
duration = register.filter("duration", numbers.duration)
thousands = register.filter("thousands", numbers.count)
money = register.filter("money", numbers.money)
visible = register.filter("visible", shown)
register.filter("visible_lines", visible_lines)
present = register.filter("present", contrasts.is_present)
group_name = register.filter("group_name", sentences.group_name)
verdict_clause = register.filter("verdict_clause", contrasts.verdict_clause)
prior_title = register.filter("prior_title", prior_agreement.prior_title)
named = register.filter("named", titles.title)
probe_title = register.filter("probe_title", titles.probe_title)


@register.filter
def pin_query(measure: Measure) -> str:
    """Return the query that pins a measure as a finding."""
    return urlencode(labels_of(measure))


@register.filter
def percent(share: float | None) -> str:
    """Format a share as `98.2%`, or a dash for None."""
    return "-" if share is None else f"{share:.1%}"


@register.filter
def took(run: Run) -> float | None:
    """Return the seconds from a run's first work to its end, None where the server's clock was set back meanwhile."""
    if run.started_at is None or run.finished_at is None or run.finished_at < run.started_at:
        return None
    return (run.finished_at - run.started_at).total_seconds()


@register.filter
def until(since: datetime, now: datetime) -> float:
    """Return the seconds between two times, at least 0."""
    return max(0.0, (now - since).total_seconds())


@register.filter
def of(found: Mapping[Any, Any], key: Any) -> Any:
    return found.get(key)


@register.filter
def hundredths(share: float | None) -> str:
    """Format a share as a length in a drawing that is 100 wide."""
    return f"{100 * (share or 0.0):.1f}"


@register.filter
def compact(value: Any) -> str:
    """Format a value of a spec in one line. Texts have no quotes."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


@register.filter
def pretty(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


@register.filter
def plain(length: float) -> str:
    """Format a length in a drawing with a decimal point in every locale."""
    return f"{length:.1f}"


@register.filter
def add_to(length: float, more: float) -> str:
    return plain(length + more)
