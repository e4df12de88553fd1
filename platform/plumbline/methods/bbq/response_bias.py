"""Response bias: how often each place and UNKNOWN are chosen, and which answers are left out of a BBQ score."""

from dataclasses import dataclass

from plumbline.methods.bbq.variants import PER_OFFER, Figures
from plumbline.results.summary import measures, of_run
from plumbline.spec.banks.bbq_question import AMBIG, DISAMBIG, OPTIONS
from plumbline.spec.measure import Measure

STATISTICS = ("position_share", "unknown_share", "unmatched_answers", "excluded_answers")
WORDINGS = "unknown_string_share"
PLACES = tuple(str(place + 1) for place in range(OPTIONS))
CONDITIONS = (AMBIG, DISAMBIG)
FAR = 0.1
"""The difference from a third at which a share is named above the table."""


@dataclass(frozen=True, slots=True)
class ResponseBias:
    """Shares of places and of UNKNOWN, and counts by condition, of the whole run (no category) or of one category."""

    category: str
    places: tuple[Measure | None, ...]
    unknown: tuple[Measure | None, ...]
    unmatched: tuple[Measure | None, ...]
    excluded: tuple[Measure | None, ...]

    @property
    def uneven(self) -> bool:
        """Return whether a place is chosen far more, or less, often than a third of the time."""
        return any(one and one.value is not None and abs(one.value - 1 / OPTIONS) > FAR for one in self.places)


@dataclass(frozen=True, slots=True)
class Wording:
    """One wording of UNKNOWN: its share of the UNKNOWN answers, and how often it is chosen when it is offered."""

    text: str
    share: Measure | None
    per_offer: Measure | None


def read(run: int) -> Figures:
    """Return shares and counts of whole categories and of the whole run, in one query."""
    found = of_run(run, *STATISTICS).filter(template="", group_a="", group_b="")
    return Figures(measures(found))


def response_biases(figures: Figures, rule: str, *, flagged: bool) -> list[ResponseBias]:
    """Return the whole first, then the categories. The rule decides what is left out."""
    return [_response_bias(figures, category, rule, flagged) for category in ("", *figures.categories())]


def _response_bias(figures: Figures, category: str, rule: str, flagged: bool) -> ResponseBias:
    def find(statistic: str, condition: str = "", by: str = "", place: str = "") -> Measure | None:
        about = {"condition": condition, "category": category, "attribute": place}
        return figures.find(statistic, about, by, flagged=flagged)

    return ResponseBias(
        category,
        tuple(find("position_share", place=place) for place in PLACES),
        tuple(find("unknown_share", condition) for condition in CONDITIONS),
        tuple(find("unmatched_answers", condition) for condition in CONDITIONS),
        tuple(find("excluded_answers", condition, rule) for condition in CONDITIONS),
    )


def wordings(run: int, category: str = "") -> list[Wording]:
    """Return Figure 7 of one category, or of the whole run, the most frequent first."""
    figures = Figures(measures(of_run(run, WORDINGS).filter(category=category, template="")))
    texts = {one.attribute for one in figures if one.attribute}
    found = [
        Wording(
            text,
            figures.find(WORDINGS, {"category": category, "attribute": text}),
            figures.find(WORDINGS, {"category": category, "attribute": text, "condition": PER_OFFER}),
        )
        for text in texts
    ]
    return sorted(found, key=lambda one: (-_value(one.share), one.text))


def _value(one: Measure | None) -> float:
    return one.value if one and one.value is not None else 0.0
