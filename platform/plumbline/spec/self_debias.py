"""Self-Debias as a way of asking: a text is also asked below descriptions of a bias (Schick et al. 2021).

self_debias: {list: self-descriptions-gender}           # with decay: 50
self_debias: {inline: ["This text holds a prejudice: {text}"], decay: 10}
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from plumbline.spec.audit import AuditSpec
from plumbline.spec.errors import SpecError
from plumbline.spec.field_kinds import Slots
from plumbline.spec.grammar import Slot, expand, parse
from plumbline.spec.measure import join_variants
from plumbline.spec.sources import Joined, Source, entries_of

VARIANT = "self_debias"
DECAY = 50.0
"""The decay constant. Source: Schick et al. 2021, section 4.2."""
PLACE = "{text}"


class DescriptionSource(Source[str]):
    """Descriptions of a bias, each with the place of the text at its end. `decay` is the paper's lambda."""

    decay: Annotated[float, Field(ge=0.0, le=1000.0)] = DECAY


Descriptions = Annotated[
    tuple[DescriptionSource, ...],
    Joined,
    Field(min_length=1, max_length=1, strict=False),
]


@dataclass(frozen=True, slots=True)
class SelfDebiasing:
    """What stands before the text in each description, and the decay."""

    descriptions: tuple[str, ...]
    decay: float

    def content(self) -> dict[str, Any]:
        """Return plain data for content keys."""
        return {"descriptions": list(self.descriptions), "decay": self.decay}


class SelfDebiasSpec(AuditSpec):
    """The spec of a probe whose probabilities may be asked with Self-Debias."""

    self_debias: Annotated[Descriptions, Slots(("text",))] | None = None

    def self_debiasing(self, snapshots: Mapping[str, Mapping[str, Any]]) -> SelfDebiasing | None:
        """Return the descriptions of a frozen spec, or None for a plain run.

        Raises SpecError for a description without the place for the text.
        """
        if self.self_debias is None:
            return None
        (source,) = self.self_debias
        rows = [row if isinstance(row, str) else str(row["template"]) for row in entries_of(source, snapshots)]
        found = dict.fromkeys(text for row in rows for text in _descriptions(row))
        return SelfDebiasing(tuple(found), source.decay)

    @property
    def way_of_asking(self) -> str:
        """How the model is asked, as variants name it; empty for plain probabilities."""
        if self.self_debias is None:
            return ""
        decay = self.self_debias[0].decay
        return VARIANT if decay == DECAY else f"{VARIANT} decay {decay:g}"

    @property
    def variant(self) -> str:
        return join_variants(super().variant, self.way_of_asking)

    def check(self, snapshots: Mapping[str, Mapping[str, Any]]) -> None:
        super().check(snapshots)
        self.self_debiasing(snapshots)


def _descriptions(row: str) -> list[str]:
    """Return what stands before the text in each description that the grammar text stands for."""
    if PLACE not in row:
        raise SpecError(f"self_debias: the description {row!r} has no place for the text; end it with {PLACE}.")
    return [_before(one) for one in expand(row)]


def _before(description: str) -> str:
    match parse(description):
        case (str(before), Slot(text="{text}")) if before.strip():
            return before.strip()
    raise SpecError(
        f"self_debias: the description {description!r} must be words of its own that end with {PLACE}: a causal model"
        " would not read what follows the text."
    )
