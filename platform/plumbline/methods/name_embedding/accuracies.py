"""The rows of Table 1: how well a trait of new names can be read from embeddings, beside what spelling alone gives."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from plumbline.methods.name_embedding.spec import CHANCE, CONFOUNDS, PARTS, TEST, TRAIN
from plumbline.spec.measure import Measure

ACCURACY, GAIN, PROJECTION = "classifier_accuracy", "accuracy_beyond_confounds", "name_projection"
PUBLISHED = {"race": (1.0, 0.8269, 0.25), "gender": (0.9952, 0.8558, 0.5)}
"""An et al. 2023, Table 1: train, test and random accuracy of BERT on 414 and 208 names."""


@dataclass(slots=True)
class Row:
    """The accuracies of one trait: from embeddings and from spelling, by part, with chance and the gain."""

    trait: str
    embedding: dict[str, Measure] = field(default_factory=dict)
    spelling: dict[str, Measure] = field(default_factory=dict)
    chance: Measure | None = None
    gain: Measure | None = None

    @property
    def train(self) -> Measure | None:
        return self.embedding.get(TRAIN)

    @property
    def test(self) -> Measure | None:
        return self.embedding.get(TEST)

    @property
    def spelling_test(self) -> Measure | None:
        return self.spelling.get(TEST)

    @property
    def published(self) -> tuple[float, float, float] | None:
        return PUBLISHED.get(self.trait)


def rows(found: Iterable[Measure]) -> list[Row]:
    """Return a row for each trait, in the order of the measures."""
    by_trait: dict[str, Row] = {}
    for one in found:
        _place(by_trait.setdefault(one.category, Row(one.category)), one)
    return list(by_trait.values())


def _place(row: Row, one: Measure) -> None:
    if one.statistic == GAIN:
        row.gain = one
    elif one.condition == CHANCE:
        row.chance = one
    elif one.condition in PARTS:
        (row.spelling if CONFOUNDS in one.variant else row.embedding)[one.condition] = one
