"""The spec that the association probes share: groups, attributes, templates and scoring params."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from plumbline.spec.association_kinds import check_kind
from plumbline.spec.audit import AuditSpec
from plumbline.spec.banks.pairs import pairs_of
from plumbline.spec.content import Attribute, Group
from plumbline.spec.errors import SpecError
from plumbline.spec.field_kinds import CAUSAL, Slots
from plumbline.spec.grammar import render, require
from plumbline.spec.group_lengths import length_sentence
from plumbline.spec.judgements import Judgements, judgements_named
from plumbline.spec.materials import Materials
from plumbline.spec.power import association as planned
from plumbline.spec.power.agreement import of_agreement
from plumbline.spec.power.tests import PlannedTest
from plumbline.spec.prior import Prior
from plumbline.spec.sentences import Words, attribute_word, group_word
from plumbline.spec.sources import (
    Attributes,
    Groups,
    Ratings,
    Strict,
    Templates,
    attributes_of,
    groups_of,
    kinds_of,
)
from plumbline.spec.verdicts import Scale

MOST_ITEMS = 50_000_000


SUMMARY_PARAMS = {"compare", "contrasts", "neutral", "pilot_annotations", "resamples", "permutations", "level", "sides"}


class AssociationParams(Strict):
    """Params that say how association scores are computed and summarised. Every run stores them."""

    contrasts: Literal["pairs", "rest"] | None = None
    """`pairs` compares every pair of groups, `rest` each group with the mean of the others.

    Default: `pairs` for two groups.
    """
    format: Annotated[Literal["raw", "chat"], CAUSAL] = "raw"
    """The format of a causal model's input: the sentence itself, or an assistant's turn after `chat_prompt` (ours)."""
    chat_prompt: Annotated[str, CAUSAL] = "Complete the sentence."
    resamples: Annotated[int, Field(ge=100, le=100_000)] = 2000
    """Number of bootstrap resamples of template frames."""
    permutations: Annotated[int, Field(ge=99, le=1_000_000)] = 9999
    """Number of random sign flips if there are too many patterns to enumerate."""
    level: Annotated[float, Field(gt=0.5, lt=1.0)] = 0.95
    """Confidence level of the intervals."""
    pilot_annotations: Annotated[int, Field(ge=1, le=1000)] = 5
    """The number of judgements per pilot group that choose the templates (Cao et al. 2022, section 5.1)."""


class WholeWordParams(AssociationParams):
    """Params of the probes that score a whole word on causal models (METHODS 2, ours)."""

    suffix: bool = False
    """Whether the score includes the text after the scored slot."""
    ends: Literal["ignored", "required"] = "ignored"
    """`required` adds the probability that the word ends there, so that `liberalism` does not count for `liberal`."""


SLOTS = Slots(("group", "attribute"))


class AssociationSpec(AuditSpec):
    """The spec of an audit that combines groups (or targets) with attributes in templates."""

    groups: Groups
    attributes: Attributes
    templates: Annotated[Templates, SLOTS]
    human: Ratings | None = None
    """People's ratings of the groups on the attributes' pairs, with which the model's scores are compared."""
    params: AssociationParams
    summary_params: ClassVar[Set[str]] = SUMMARY_PARAMS
    scores_groups: ClassVar[bool] = True
    """Whether the score of a group is the same quantity as that of an attribute."""

    def materials(self, snapshots: Mapping[str, Mapping[str, Any]]) -> Materials:
        """Return the words of the spec, inline or from its snapshots.

        Raises SpecError for empty lists and repeated entries.
        """
        attributes = attributes_of(self.attributes, snapshots)
        kinds = kinds_of(self.templates, snapshots)
        return Materials(
            templates=tuple(kinds),
            groups=tuple(groups_of(self.groups, snapshots)),
            attributes=tuple(attribute for attribute, _ in attributes),
            categories=tuple(category for _, category in attributes),
            kinds=tuple(kinds.values()),
        )

    def sentence_words(self, snapshots: Mapping[str, Mapping[str, Any]]) -> Words:
        words = self.materials(snapshots).words()
        return replace(words, pairs=frozenset()) if self.params.contrasts == "rest" else words

    def rated_words(self, snapshots: Mapping[str, Mapping[str, Any]]) -> tuple[Sequence[Group], Sequence[Attribute]]:
        materials = self.materials(snapshots)
        return materials.groups, materials.attributes

    def judgements(self, snapshots: Mapping[str, Mapping[str, Any]]) -> Judgements | None:
        return judgements_named(self.human, snapshots)

    def item_count(self, snapshots: Mapping[str, Mapping[str, Any]]) -> int | None:
        return len(self.materials(snapshots))

    def cautions(self, snapshots: Mapping[str, Mapping[str, Any]]) -> list[str]:
        return list(filter(None, [length_sentence(self.materials(snapshots).groups)]))

    def planned_tests(self, snapshots: Mapping[str, Mapping[str, Any]]) -> list[PlannedTest]:
        from plumbline.spec.registry import PROBES

        materials, difference = self.materials(snapshots), PROBES[self.probe].card.difference
        agreement = of_agreement(
            materials.groups,
            self.human,
            snapshots,
            pairs=len(pairs_of(materials.attributes)),
            draws=self.params.permutations,
            alpha=self.alpha,
            margin=self.margin(Scale.CORRELATION),
        )
        return [
            *planned.of_words(self, materials, difference),
            *planned.of_lists(self, materials, difference),
            *agreement,
        ]

    def check_kind(self, kind: str, snapshots: Mapping[str, Mapping[str, Any]]) -> None:
        check_kind(self, kind, tuple(kinds_of(self.templates, snapshots)))

    def check(self, snapshots: Mapping[str, Mapping[str, Any]]) -> None:
        """Check that templates have the required slots and words the required forms. Raises SpecError if not."""
        materials = self.materials(snapshots)
        if len(materials) > MOST_ITEMS:
            raise SpecError(
                f"the audit has {len(materials):,} items; a run holds at most {MOST_ITEMS:,}. Split the audit."
            )
        pairs = pairs_of(materials.attributes)
        if (judgements := self.judgements(snapshots)) is not None:
            judgements.check(materials.groups, pairs)
        prior: Prior | None = getattr(self, "prior", None)
        for template in materials.templates:
            require(template, SLOTS.bases, f"the probe {self.probe}")
            for group in materials.groups:
                render(template, {"group": group_word(group), "attribute": attribute_word(materials.attributes[0])})
            for attribute in materials.attributes:
                render(template, {"group": group_word(materials.groups[0]), "attribute": attribute_word(attribute)})
            if prior is not None and (prior.singular or prior.plural):
                for group in materials.groups:
                    neutral = prior.neutral(group_word(group))
                    render(template, {"group": neutral, "attribute": attribute_word(materials.attributes[0])})
