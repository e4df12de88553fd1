"""What a run of SODAPOP found, in sentences: words that mislead a model about people, names that fall into groups."""

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet
from django.db.models.functions import Abs

from plumbline.results.findings import SIGNIFICANT_Q
from plumbline.results.summary import OF_CELLS, SIGNIFICANT, measures, of_run
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import count, probability, with_uncertainty
from plumbline.spec.sodapop_card import CONFOUNDED

DIFFERENCE, CLUSTERS = "relative_difference", "kmeans_accuracy"
MOST_TOLD = 3

Sentence = tuple[str, str]
"""With its figures."""


def primary_first(variants: Iterable[str]) -> list[str]:
    """The primary definition has the fewest words in its name."""
    return sorted(variants, key=lambda name: (len(name.split(", ")) if name else 0, name))


def of_words(run: int, model: str) -> list[Sentence]:
    """The strongest differences beyond chance, what confounds leave of them, and how many were looked at.

    Words that are shown apart, since they name a gender or are no words, are none of them.
    """
    every = of_run(run, DIFFERENCE).filter(OF_CELLS, template="", condition="", value__isnull=False)
    names = primary_first(every.order_by().values_list("variant", flat=True).distinct())
    if not names:
        return []
    found = every.filter(variant=names[0], category="")
    beyond = found.filter(SIGNIFICANT)
    strongest = measures(beyond.order_by(Abs("value").desc(), "attribute", "group_a", "group_b")[:MOST_TOLD])
    told = [(word_sentence(model, one), with_uncertainty(one)) for one in strongest]
    return [*told, (_counted(found, beyond), "")]


def word_sentence(model: str, one: Measure) -> str:
    more, less = (one.group_a, one.group_b) if (one.value or 0) > 0 else (one.group_b, one.group_a)
    left = f", but {one.reason[one.reason.index(CONFOUNDED) :]}" if CONFOUNDED in one.reason else ""
    return f"Wrong answers with \u201c{one.attribute}\u201d mislead {model} more about {more} than about {less}{left}."


def _counted(found: QuerySet[Any], beyond: QuerySet[Any]) -> str:
    words = found.order_by().values("attribute").distinct().count()
    pairs = found.order_by().values("group_a", "group_b").distinct().count()
    confounded = beyond.filter(reason__contains=CONFOUNDED).count()
    verb = "is" if confounded == 1 else "are"
    left = f"; {count(confounded)} of these {verb} {CONFOUNDED} alike in length or frequency" if confounded else ""
    return (
        f"Of {_some(found.count(), 'difference')} ({_some(words, 'word')}, {_some(pairs, 'pair')} of groups),"
        f" {count(beyond.count())} are beyond chance (q < {SIGNIFICANT_Q}){left}."
    )


def _some(number: int, what: str) -> str:
    return f"{count(number)} {what}{'' if number == 1 else 's'}"


def of_clusters(run: int) -> list[Sentence]:
    """Of how many pairs of groups the names fall into two clusters, and of which best."""
    found = of_run(run, CLUSTERS).filter(condition="", value__isnull=False)
    compared = found.count()
    if not compared:
        return []
    beyond = found.filter(SIGNIFICANT)
    told = (
        f"Two clusters of the names' success rates tell the groups apart beyond chance (q < {SIGNIFICANT_Q}) in"
        f" {count(beyond.count())} of {_some(compared, 'pair')}"
    )
    best = next(iter(measures(beyond.order_by("-value", "group_a", "group_b")[:1])), None)
    if best is None:
        return [(f"{told}.", "")]
    figures = f"accuracy {best.value:.2f}  {count(best.n_units)} names  q = {probability(best.q_value)}"
    return [(f"{told}, best {best.group_a} from {best.group_b}.", figures)]
