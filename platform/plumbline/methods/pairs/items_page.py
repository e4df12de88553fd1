"""The page of the sentences of a run of pairs with their scores, sorted by score and filtered by the address."""

from difflib import SequenceMatcher
from typing import Any

from django.core.paginator import Paginator
from django.db.models import F, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from plumbline.audits.freezing import frozen_spec
from plumbline.audits.models import Run
from plumbline.methods.pairs.content import STEREOTYPES, GestSentence, Item, SentencePair
from plumbline.methods.pairs.scores import SCORE_NAMES
from plumbline.methods.pairs.spec import PairsSpec
from plumbline.pages.roles import viewers_only
from plumbline.pages.run_context import run_context
from plumbline.results import models
from plumbline.spec.errors import InputError
from plumbline.spec.sentences import Piece

SHOWN = 50
TERMS = ("item", "category", "scoring", "template", "reason")
ORDERS = {"": F("score").desc(nulls_last=True), "rising": F("score").asc(nulls_last=True), "bank": F("id").asc()}
"""The orders by their names in the address: pairs that follow the stereotype first, last, or in the shards' order."""
FILTERS = ("category", "scoring", "template", "flagged", "scorable", "reason", "sort")


@require_safe
@viewers_only
def run_pair_items(request: HttpRequest, number: int) -> HttpResponse:
    """Show pairs with both sentences. `category`, `scoring`, `template`, `flagged`, `scorable`, `sort` select them."""
    context = run_context(request, number, "pair_items")
    run: Run = context["run"]
    items = items_of(run)
    own = models.Pair.objects.filter(run=run.pk)
    known = {name: _labels(own, name) for name in ("category", "scoring", "template")}
    chosen = {name: request.GET.get(name, "") for name in FILTERS}
    if chosen["scoring"] not in known["scoring"] and known["scoring"] and not chosen["reason"]:
        chosen["scoring"] = known["scoring"][0]
    page = Paginator(_records(own, chosen, items), SHOWN).get_page(request.GET.get("page"))
    context |= {
        "page": page,
        "rows": [_row(record, items.get(record.item.text)) for record in page.object_list],
        "chosen": chosen,
        "known": known,
        "names": SCORE_NAMES,
        "stereotypes": {str(key): text for key, text in STEREOTYPES.items()},
        "is_gest": any(isinstance(item, GestSentence) for item in items.values()),
    }
    return render(request, "pairs/items.html", context)


def items_of(run: Run) -> dict[str, Item]:
    """Return the items that the run froze; none if its spec can no longer be read."""
    try:
        spec, snapshots = frozen_spec(run)
        return {item.id: item for item in spec.items(snapshots)} if isinstance(spec, PairsSpec) else {}
    except (InputError, KeyError, ValueError):
        return {}


def _labels(own: QuerySet[Any], name: str) -> list[str]:
    texts = own.order_by().values_list(f"{name}__text", flat=True).distinct()
    scores = list(SCORE_NAMES)
    return sorted(filter(None, texts), key=lambda text: (scores.index(text) if text in scores else -1, text.zfill(3)))


def _records(own: QuerySet[Any], chosen: dict[str, str], items: dict[str, Item]) -> QuerySet[Any]:
    found = own.select_related(*TERMS)
    for name in ("category", "scoring", "template", "reason"):
        if chosen[name]:
            found = found.filter(**{f"{name}__text": chosen[name]})
    if chosen["scorable"] == "no":
        found = found.filter(scorable=False)
    if chosen["flagged"] in ("yes", "no"):
        flagged = [name for name, item in items.items() if item.flags]
        found = (
            found.filter(item__text__in=flagged)
            if chosen["flagged"] == "yes"
            else found.exclude(item__text__in=flagged)
        )
    return found.order_by(ORDERS.get(chosen["sort"], ORDERS[""]), "id")


def _row(record: Any, item: Item | None) -> dict[str, Any]:
    pieces: list[list[Piece]] = []
    if isinstance(item, SentencePair):
        pieces = list(marked(item.more, item.less))
    elif item is not None:
        pieces = [[Piece(item.sentence)]]
    return {"record": record, "item": item, "pieces": pieces}


def marked(more: str, less: str) -> tuple[list[Piece], list[Piece]]:
    """Return both sentences as pieces, with the differing words marked."""
    one, other = more.split(" "), less.split(" ")
    first: list[Piece] = []
    second: list[Piece] = []
    for kind, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        slot = "" if kind == "equal" else "group"
        for words, pieces in ((one[a:b], first), (other[c:d], second)):
            if words:
                pieces += [Piece(" ")] * bool(pieces) + [Piece(" ".join(words), slot)]
    return first, second
