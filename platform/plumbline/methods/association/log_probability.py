"""Log probability bias score (Kurita et al. 2019, section 2)."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from plumbline.analyses.alignment.statistics import ALIGNMENT
from plumbline.analyses.intersections.statistics import STATISTICS as INTERSECTIONS
from plumbline.methods.association.bases import TARGET
from plumbline.methods.association.finding_rules import finding_rules
from plumbline.methods.association.preference_statistics import STATISTICS as PREFERENCE
from plumbline.spec.association import AssociationSpec, WholeWordParams
from plumbline.spec.card import Card
from plumbline.spec.errors import SpecError
from plumbline.spec.finding_rules import FindingRule
from plumbline.spec.materials import Materials
from plumbline.spec.power.association import of_shares
from plumbline.spec.power.tests import PlannedTest
from plumbline.spec.power.word_sets import of_sets
from plumbline.spec.self_debias import SelfDebiasSpec
from plumbline.spec.shared_statistics import (
    ALIKE_FRAMES,
    EFFECT_SIZE,
    INCREASED_LOG_PROBABILITY,
    LOG_PROBABILITY_BIAS,
    PAIR_SCORE,
    PAIR_SCORE_AVERAGED,
    SCORABLE_SHARE,
    centred,
)
from plumbline.spec.verdicts import Scale

Side = Annotated[tuple[str, ...], Field(strict=False)]


class LogProbabilityParams(WholeWordParams):
    variant: Literal["paper"] = "paper"
    prior_masks: Literal["one", "per_subword"] = "one"
    """The number of masks for the attribute in the prior sentence: one (the paper's), or one for each subword."""
    compare: Annotated[tuple[str, str], Field(strict=False)] | None = None
    """Two attribute lists whose mean bias scores are compared by an effect size (section 3.2)."""
    sides: Annotated[tuple[Side, Side], Field(strict=False)] | None = None
    """The labels of the targets on each side of a comparison. Two targets need none."""
    neutral: str | None = None
    """The list of neutral attributes, which shows a shift that all words share (ours)."""


class LogProbabilitySpec(SelfDebiasSpec, AssociationSpec):
    """The spec. `groups` are the targets. The method has its own prior, so there is no `prior` key."""

    probe: Literal["log_probability"]
    params: LogProbabilityParams = LogProbabilityParams()

    def sides(self, labels: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the labels of the targets on each side. Raises SpecError if the spec does not determine them."""
        if self.params.sides is None and len(labels) != 2:
            raise SpecError("a comparison needs two targets, or params.sides: [[TARGET, ...], [TARGET, ...]].")
        first, second = self.params.sides or ((labels[0],), (labels[1],))
        if unknown := [label for label in (*first, *second) if label not in labels]:
            raise SpecError(f"params.sides names {unknown[0]!r}, which is not one of the targets {', '.join(labels)}.")
        if not first or not second or set(first) & set(second):
            raise SpecError("params.sides: name at least one target on each side and no target on both.")
        return first, second

    def planned_tests(self, snapshots: Mapping[str, Mapping[str, Any]]) -> list[PlannedTest]:
        materials = self.materials(snapshots)
        compared = len(materials.groups) == 2 or self.params.sides is not None
        shares = of_shares(self, materials) if compared else []
        return [*self._planned_sets(materials), *super().planned_tests(snapshots), *shares]

    def _planned_sets(self, materials: Materials) -> list[PlannedTest]:
        """Return the test of the effect size of the two lists in `params.compare`."""
        if self.params.compare is None:
            return []
        first, second = (materials.categories.count(name) for name in self.params.compare)
        margin = self.margin(Scale.STANDARDISED)
        return [of_sets(first, second, draws=self.params.permutations, alpha=self.alpha, margin=margin)]

    def check(self, snapshots: Mapping[str, Mapping[str, Any]]) -> None:
        super().check(snapshots)
        params, materials = self.params, self.materials(snapshots)
        if params.sides and not (params.compare or params.neutral):
            raise SpecError("params.sides needs params.compare (or params.neutral): name lists there.")
        if params.compare or params.neutral:
            self.sides([group.label for group in materials.groups])
        named = {"compare": params.compare or (), "neutral": (params.neutral,) if params.neutral else ()}
        for key, slugs in named.items():
            if missing := [slug for slug in slugs if slug not in materials.categories]:
                raise SpecError(f"params.{key} names {missing[0]!r}, which is not a list under attributes.")
        if params.compare and params.compare[0] == params.compare[1]:
            raise SpecError("params.compare names one list twice: name two.")


CARD = Card(
    probe="log_probability",
    version="1",
    title="Log probability bias score",
    model_kinds=("masked", "causal"),
    tables=("association",),
    phases=("scoring",),
    statistics=(
        INCREASED_LOG_PROBABILITY,
        LOG_PROBABILITY_BIAS,
        centred("log_probability_bias", "Kurita et al. 2019, section 2"),
        EFFECT_SIZE,
        *PREFERENCE,
        SCORABLE_SHARE,
        ALIKE_FRAMES,
        PAIR_SCORE,
        PAIR_SCORE_AVERAGED,
        *ALIGNMENT,
        *INTERSECTIONS,
    ),
    score="increased_log_probability",
    difference="log_probability_bias",
    basis=TARGET,
    findings=finding_rules(
        "log_probability_bias", FindingRule("effect_size"), FindingRule("attribute_preference", between_groups=True)
    ),
    ours="On causal models the slot that comes later is scored, relative to its mean over the targets (or attributes).",
)
