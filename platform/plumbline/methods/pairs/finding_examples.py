"""Example pairs of sentences of a finding: the first ones that go its way, both sentences of each."""

from urllib.parse import urlencode

from django.urls import reverse

from plumbline.audits.models import Run
from plumbline.findings.models import Finding
from plumbline.methods.pairs.card import HALF, SHARES
from plumbline.methods.pairs.content import SentencePair
from plumbline.methods.pairs.figures import boards, found_in
from plumbline.methods.pairs.findings import without_flagged
from plumbline.methods.pairs.items_page import items_of, marked
from plumbline.pages.finding_examples import Example, Examples
from plumbline.results import models
from plumbline.spec.numbers import number


def examples(run: Run, finding: Finding) -> Examples:
    """Return the first pair that goes the way of the finding, and the page with all of them."""
    score = next((score for score, statistic in SHARES.items() if statistic == finding.statistic), "")
    chosen = {"category": finding.category, "scoring": score} if score else {}
    query = urlencode({name: text for name, text in chosen.items() if text})
    address = f"{reverse('run_pair_items', args=[run.pk])}?{query}"
    value = finding.latest.value if finding.latest else None
    if not score or value is None:
        return Examples(address=address)
    shown = _first_pair(run, finding, score, favours_first=value > HALF)
    how = "the first pair of sentences that goes the way of the finding" if shown else ""
    return Examples(shown, how, address, _limits(run, finding, score))


def _limits(run: Run, finding: Finding, score: str) -> list[str]:
    """Return what the share of the finding is without the pairs that have a known fault, if there are any."""
    board = next((one for one in boards(found_in(run)) if one.score == score), None)
    lines = (board.overall, *board.types, *board.directions) if board else ()
    about = (finding.category, finding.condition)
    told = (without_flagged(one) for one in lines if (one.whole.category, one.whole.condition) == about)
    return list(filter(None, told))


def _first_pair(run: Run, finding: Finding, score: str, *, favours_first: bool) -> list[Example]:
    own = models.Pair.objects.filter(run=run.pk, scoring__text=score, scorable=True)
    own = own.filter(score__gt=0) if favours_first else own.filter(score__lt=0)
    if finding.category:
        own = own.filter(category__text=finding.category)
    record = own.select_related("item").order_by("id").first()
    item = items_of(run).get(record.item.text) if record else None
    if record is None or not isinstance(item, SentencePair):
        return []
    scores = (record.first, record.second)
    return [
        Example(pieces, figures="" if one is None else f"score {number(one)}")
        for pieces, one in zip(marked(item.more, item.less), scores, strict=True)
    ]


EXAMPLES = examples
