"""Example questions of a finding of BBQ: ambiguous or not as the finding is, with answers on its side."""

from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from plumbline.audits.models import Run
from plumbline.findings.models import Finding
from plumbline.methods.bbq.choices import AGAINST, BIASED, Wanted, page
from plumbline.methods.bbq.item_display import AnsweredItem, answered_items, samples_of
from plumbline.pages.finding_examples import Example, Examples

MOST = 2


def examples(run: Run, finding: Finding) -> Examples:
    """Return the first questions whose answer goes the way of the finding."""
    value = finding.latest.value if finding.latest else None
    answer = BIASED if (value or 0.0) > 0 else AGAINST
    labels = {name: text for name in ("category", "condition") if (text := getattr(finding, name))}
    chosen = labels | ({} if finding.statistic == "accuracy_cost" else {"answer": answer})
    address = f"{reverse('run_bbq_items', args=[run.pk])}?{urlencode(chosen)}"
    found = page(run.pk, Wanted(**chosen), MOST * samples_of(run)).answers
    first: dict[tuple[int, int], Any] = {}
    for one in found:
        first.setdefault((one.item_id, one.options_id), one)
    shown = [_shown(one) for one in answered_items(run, list(first.values())[:MOST])]
    return Examples(shown, "the first questions whose answer goes the way of the finding" if shown else "", address)


def _shown(one: AnsweredItem) -> Example:
    options = ", ".join(f"{option.text}{' (chosen)' if option.chosen else ''}" for option in one.options)
    asked = f"{one.question.context} {one.question.question}" if one.question else "The question is no longer stored."
    return Example(text=f"{asked} \u2014 {options}", figures=one.verdict)


EXAMPLES = examples
