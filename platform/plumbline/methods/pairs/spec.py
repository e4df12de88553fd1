"""Pairs of sentences: is the one that a stereotype favours the likelier one (CrowS-Pairs, GEST and others)?"""

from collections import Counter
from collections.abc import Mapping, Set
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, ValidationError, model_validator

from plumbline.methods.pairs.card import CARD
from plumbline.methods.pairs.content import GestSentence, Item, SentencePair, item_of
from plumbline.methods.pairs.params import SUMMARY_PARAMS, PairsParams
from plumbline.methods.pairs.scores import OF_KIND, TEMPLATES
from plumbline.spec.banks.bank_source import BankSource, CategorySource
from plumbline.spec.content import Entry
from plumbline.spec.errors import SpecError
from plumbline.spec.faults import in_one_line
from plumbline.spec.measure import join_variants
from plumbline.spec.reference import ModelReference, Scheme
from plumbline.spec.registry import Method
from plumbline.spec.self_debias import SelfDebiasSpec
from plumbline.spec.sources import Joined, entries_of

__all__ = ["CARD", "PairsParams", "PairsSpec", "StoredScore"]


class PairSource(CategorySource[SentencePair]):
    """Pairs: `{bank: SLUG, categories: [...]}` takes types of a bank, `{inline: [...]}` holds pairs itself."""

    @staticmethod
    def category_of(entry: Mapping[str, Any]) -> str:
        return str(entry.get("stereotype", entry.get("category", "")))


class StoredScore(Entry):
    """An imported score of one item: the score of the first sentence minus that of the second."""

    id: Annotated[str, Field(min_length=1, max_length=200)]
    """The id of the item in its bank."""
    score: Annotated[float, Field(allow_inf_nan=False)]


class ScoreSource(BankSource[StoredScore]):
    """The source of imported scores: `{bank: SLUG}`."""


Pairs = Annotated[tuple[PairSource, ...], Joined, Field(min_length=1, strict=False)]
Scores = Annotated[tuple[ScoreSource, ...], Joined, Field(min_length=1, max_length=1, strict=False)]
Snapshots = Mapping[str, Mapping[str, Any]]


class PairsSpec(SelfDebiasSpec):
    """Banks of pairs that a model scores, or imported scores (`answers`) with `model: answers:NAME`."""

    probe: Literal["pairs"]
    bank: Pairs
    answers: Scores | None = None
    params: PairsParams = PairsParams()
    summary_params: ClassVar[Set[str]] = SUMMARY_PARAMS

    @model_validator(mode="after")
    def _answers_or_model(self) -> Self:
        stored = ModelReference.parse(self.model).scheme is Scheme.ANSWERS
        if stored != (self.answers is not None):
            raise ValueError("imported scores need both: model: answers:NAME and answers: {bank: SLUG}")
        return self

    @property
    def variant(self) -> str:
        """Each score has a statistic of its own name, so that no choice of scores is part of the variant."""
        return join_variants("" if self.dtype == "float32" else self.dtype, self.way_of_asking)

    def items(self, snapshots: Snapshots) -> list[Item]:
        """Return the items in the order of the banks. SpecError: an id appears twice, or banks are mixed."""
        found = [_item(entry) for source in self.bank for entry in entries_of(source, snapshots)]
        if twice := [name for name, times in Counter(item.id for item in found).items() if times > 1]:
            raise SpecError(f"the pair {twice[0]!r} appears twice; keep one.")
        if len({type(item) for item in found}) > 1:
            raise SpecError("GEST and pairs are scored in different ways: make one audit for each bank.")
        return found

    def banks(self, snapshots: Snapshots) -> dict[str, str]:
        """Return the bank of each item by its id; empty for inline pairs."""
        return {str(entry["id"]): one.slug or "" for one in self.bank for entry in _entries(one, snapshots)}

    def stored(self, snapshots: Snapshots) -> dict[str, float]:
        """Return the imported scores by item; empty if a model computes them."""
        if self.answers is None:
            return {}
        found = [StoredScore.model_validate(entry) for entry in entries_of(self.answers[0], snapshots)]
        return {one.id: one.score for one in found}

    def check(self, snapshots: Snapshots) -> None:
        """Raise SpecError if there are no items, a param does not fit the bank, or a score has no item."""
        if not (items := self.items(snapshots)):
            raise SpecError("the bank holds no pair of these categories.")
        _check_params(self, isinstance(items[0], GestSentence))
        known = {item.id for item in items}
        if foreign := [name for name in self.stored(snapshots) if name not in known]:
            raise SpecError(f"the score of {foreign[0]!r} belongs to no item of the bank.")


def _entries(source: PairSource, snapshots: Snapshots) -> list[Mapping[str, Any]]:
    return [entry for entry in entries_of(source, snapshots) if isinstance(entry, Mapping)]


def _item(entry: Any) -> Item:
    try:
        return item_of(entry)
    except ValidationError as error:
        raise SpecError(in_one_line(error)) from None


def _check_params(spec: PairsSpec, is_gest: bool) -> None:
    """Raise SpecError for a param that would have no effect."""
    if is_gest and spec.params.scores:
        raise SpecError("params.scores is for banks of pairs; for GEST use params.templates.")
    if not is_gest and spec.params.templates:
        raise SpecError("params.templates is for GEST; for pairs use params.scores.")
    if spec.answers is not None and len(spec.params.scores or spec.params.templates or ()) != 1:
        raise SpecError(
            "say which score was imported: one of params.scores for pairs"
            f" ({', '.join(name for names in OF_KIND.values() for name in names)}), one of params.templates for GEST."
        )
    most = max(map(len, TEMPLATES.values()))
    if any(number >= most for number in spec.params.templates or ()):
        raise SpecError(f"params.templates: GEST's templates are 0 to {most - 1}.")


METHODS = {CARD.probe: Method(PairsSpec, CARD)}
