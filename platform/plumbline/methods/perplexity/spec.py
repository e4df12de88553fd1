"""Perplexity: how well does a model predict texts that it was not trained on?"""

from collections import Counter
from collections.abc import Mapping, Set
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from plumbline.methods.perplexity.card import CARD
from plumbline.spec.audit import AuditSpec
from plumbline.spec.banks.bank_source import BankSource
from plumbline.spec.content import Entry
from plumbline.spec.errors import SpecError
from plumbline.spec.registry import Method
from plumbline.spec.sources import Joined, Strict, entries_of

Snapshots = Mapping[str, Mapping[str, Any]]


class HeldOutText(Entry):
    """A text by its name in the bank."""

    id: Annotated[str, Field(min_length=1, max_length=200)]
    text: Annotated[str, Field(min_length=1, max_length=5000)]


class TextSource(BankSource[HeldOutText]):
    """`{bank: SLUG}` takes a bank of texts; `{inline: [{id: a, text: "..."}]}` holds texts itself."""


Texts = Annotated[tuple[TextSource, ...], Joined, Field(min_length=1, strict=False)]


class PerplexityParams(Strict):
    """The level of the intervals."""

    level: Annotated[float, Field(gt=0.5, lt=1.0)] = 0.95


class PerplexitySpec(AuditSpec):
    """Texts, each scored by a masked or causal model."""

    probe: Literal["perplexity"]
    bank: Texts
    params: PerplexityParams = PerplexityParams()
    summary_params: ClassVar[Set[str]] = frozenset({"level"})

    def item_count(self, snapshots: Snapshots) -> int | None:
        return len(self.items(snapshots))

    def items(self, snapshots: Snapshots) -> list[HeldOutText]:
        """Return the texts in the order of the banks. SpecError for an id that appears twice."""
        found = [HeldOutText.model_validate(entry) for one in self.bank for entry in entries_of(one, snapshots)]
        if twice := [name for name, times in Counter(one.id for one in found).items() if times > 1]:
            raise SpecError(f"the text {twice[0]!r} appears twice; keep one.")
        return found

    def banks(self, snapshots: Snapshots) -> dict[str, str]:
        """Return the bank of each text by its id; empty for inline texts."""
        every = [(entry, one.slug or "") for one in self.bank for entry in entries_of(one, snapshots)]
        return {HeldOutText.model_validate(entry).id: bank for entry, bank in every}

    def check(self, snapshots: Snapshots) -> None:
        """Raise SpecError if there is no text, or one twice."""
        if not self.items(snapshots):
            raise SpecError("there is no text: import some with 'bank import texts FILE --name SLUG'.")


METHODS = {CARD.probe: Method(PerplexitySpec, CARD)}
