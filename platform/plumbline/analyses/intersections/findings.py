"""Findings on what pairs of groups add to their components."""

from collections.abc import Iterator

from django.db.models.functions import Abs

from plumbline.findings.by_method import Writer
from plumbline.findings.contrasts import is_present
from plumbline.findings.sentences import Sentence
from plumbline.results.summary import PRESENT, measures, of_run, statistics_there
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import with_uncertainty

MOST_TOLD = 3


def of_intersections(run: int, model: str) -> list[Sentence]:
    return list(_intersections(run, model))


def _intersections(run: int, model: str) -> Iterator[Sentence]:
    if not statistics_there(run, WRITERS):
        return
    order = of_run(run, "identity_order").filter(group_a="", category="nearer component", condition="model - chance")
    nearer = measures(order.exclude(verdict="").filter(value__isnull=False))
    yield from ((nearer_sentence(model, one), with_uncertainty(one)) for one in nearer)
    dominant = of_run(run, "domain_dominance").filter(PRESENT).order_by(Abs("value").desc(), "group_a", "group_b")
    yield from ((dominance_sentence(one), with_uncertainty(one)) for one in measures(dominant[:MOST_TOLD]))
    emergent = of_run(run, "emergent_trait").filter(PRESENT, condition="above").order_by("-value")
    yield from ((emergent_sentence(model, one), with_uncertainty(one)) for one in measures(emergent[:1]))


def nearer_sentence(model: str, one: Measure) -> str:
    more = "less" if is_present(one) and (one.value or 0) < 0 else "more"
    told = (
        f"a pair's traits agree {more} with those of its nearer component than with those of the nearer of two groups"
        " that are not its components."
    )
    return f"For {model}, {told}" if is_present(one) else f"It is not shown for {model} that {told}"


def dominance_sentence(one: Measure) -> str:
    first, second = (one.group_a, one.group_b) if (one.value or 0) > 0 else (one.group_b, one.group_a)
    return (
        f"The traits of pairs of {first} and {second} agree more with those of their component of {first} than with"
        f" those of their component of {second}."
    )


def emergent_sentence(model: str, one: Measure) -> str:
    """Return the sentence of an attribute that is linked with a pair more than with its components."""
    return f"{model} links {one.group_a} with \u201c{one.attribute}\u201d more strongly than either of its components."


WRITERS: dict[str, Writer] = {
    "identity_order": lambda run, one: nearer_sentence(run.subject, one),
    "domain_dominance": lambda run, one: f"For {run.subject}, {_lower(dominance_sentence(one))}",
    "emergent_trait": lambda run, one: emergent_sentence(run.subject, one),
}


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]
