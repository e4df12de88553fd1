"""Do embeddings of names reveal gender and race or ethnicity? The analysis of An et al. 2023, section 2."""

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from plumbline.spec.audit import AuditSpec
from plumbline.spec.banks.contexts import SLOT, Context, Contexts, chosen_contexts
from plumbline.spec.card import Card, Statistic
from plumbline.spec.content import Name
from plumbline.spec.errors import SpecError
from plumbline.spec.finding_rules import FindingRules
from plumbline.spec.registry import Method
from plumbline.spec.sources import Joined, Source, Strict, entries_of, entries_with

SUMMARY_PARAMS = {"level"}
TRAITS = ("gender", "race")
PARTS = TRAIN, TEST = "train", "test"
CHANCE = "chance"
CONFOUNDS = "subword count and frequency"
"""The features of the classifier that stands for spelling: a variant of its measures."""
FEWEST = 3
"""The fewest names of each gender and race, so that each is in both parts of a split."""


class LabelledName(Name):
    """A name with the labels that a classifier predicts from its embedding. An empty label is ignored."""

    gender: str = ""
    race: str = ""


Names = Annotated[
    tuple[Annotated[Source[LabelledName], entries_with(LabelledName, "name")], ...],
    Joined,
    Field(min_length=1, strict=False),
]


class NameEmbeddingParams(Strict):
    variant: Literal["paper"] = "paper"
    splits: Annotated[int, Field(ge=2, le=1000)] = 100
    """The number of random splits into training and test names."""
    test_share: Annotated[float, Field(gt=0, lt=1)] = 1 / 3
    """The share of test names. The paper tests 208 of 622."""
    strength: Annotated[float, Field(gt=0, le=1e6)] = 1.0
    """The inverse of the penalty on squared weights in the logistic regression."""
    level: Annotated[float, Field(gt=0.5, lt=1.0)] = 0.95
    """The level of the range of accuracies over splits."""


class NameEmbeddingSpec(AuditSpec):
    """Names with their gender or race, and contexts with the name's slot, over which embeddings are averaged."""

    probe: Literal["name_embedding"]
    names: Names
    contexts: Contexts
    params: NameEmbeddingParams = NameEmbeddingParams()
    summary_params: ClassVar[Set[str]] = SUMMARY_PARAMS

    def names_of(self, snapshots: Mapping[str, Mapping[str, Any]]) -> list[LabelledName]:
        """Return the names in order. Raises SpecError for a repeated name."""
        found = [LabelledName.model_validate(entry) for source in self.names for entry in entries_of(source, snapshots)]
        counted = Counter(one.name for one in found)
        if twice := [name for name, times in counted.items() if times > 1]:
            raise SpecError(f"name {twice[0]!r} appears twice; keep one.")
        return found

    def people(self, snapshots: Mapping[str, Mapping[str, Any]]) -> list[str]:
        return [one.name for one in self.names_of(snapshots)]

    def texts_of(self, snapshots: Mapping[str, Mapping[str, Any]]) -> list[Context]:
        """Return the contexts whose text contains the name, not only their question."""
        return [one for one in chosen_contexts(self.contexts, snapshots) if SLOT in one.context]

    @property
    def variant(self) -> str:
        """The choices that differ from the primary definition and change the numbers, or ""."""
        return self.choices({"splits", "level"})

    def check(self, snapshots: Mapping[str, Mapping[str, Any]]) -> None:
        if not self.texts_of(snapshots):
            raise SpecError("no context has the slot {name} in its text; choose other contexts.")
        names = self.names_of(snapshots)
        told = traits_of(names)
        if not told:
            raise SpecError("all names lack gender and race, or have the same: add names with two genders or races.")
        if fault := faults_of(names, told):
            raise SpecError(f"the spec {self.name!r} cannot be classified: {fault}")


def traits_of(names: Sequence[LabelledName]) -> list[str]:
    """Return the traits of which the names have at least two kinds."""
    return [trait for trait in TRAITS if len({getattr(one, trait) for one in names} - {""}) > 1]


def faults_of(names: Sequence[LabelledName], traits: Sequence[str]) -> str:
    """Return why these traits cannot be predicted from these names, or ""."""
    for trait in traits:
        counted = Counter(getattr(one, trait) for one in names)
        if "" in counted:
            nameless = next(one.name for one in names if not getattr(one, trait))
            return f"the name {nameless!r} has no {trait}, which others have: add it or remove the name."
        kind, times = min(counted.items(), key=lambda pair: pair[1], default=("", 0))
        if times < FEWEST or len(counted) < 2:
            return f"{times} have the {trait} {kind!r}; give at least {FEWEST} of each of two kinds."
    return ""


_PAPER = "An et al. 2023 (SODAPOP), section 2"

CARD = Card(
    probe="name_embedding",
    version="1",
    title="Embeddings of names",
    model_kinds=("masked", "causal", "encoder"),
    needs_weights="embeddings are states of the model",
    tables=("choice", "association"),
    phases=("embedding",),
    statistics=(
        Statistic(
            name="classifier_accuracy",
            unit="fraction",
            sentence="How often a linear classifier predicts the gender or race of a name from its embedding.",
            equation="right answers / names, mean over random splits (conditions train and test)",
            source=f"{_PAPER}, Table 1",
            caveat=(
                "Names of groups differ in length and frequency, too: compare it with the variant that knows these"
                " alone, and beside chance."
            ),
        ),
        Statistic(
            name="accuracy_beyond_confounds",
            unit="fraction",
            sentence="How much better a classifier predicts from embeddings than from subword count and frequency.",
            equation="test accuracy on embeddings - test accuracy on subword count and log frequency, split by split",
            source=f"ours, on {_PAPER}",
            caveat="Embeddings may hold other traits of spelling that differ between groups; none of that is excluded.",
        ),
        Statistic(
            name="name_projection",
            unit="map units",
            sentence="The place of a name on a map that keeps names with similar embeddings together.",
            equation="t-SNE of the mean embeddings, in two dimensions (conditions x and y)",
            source=f"{_PAPER}, Figure 2",
            caveat="Distances between clusters, their sizes and the axes mean nothing; another seed draws another map.",
        ),
    ),
    score="name_projection",
    difference="accuracy_beyond_confounds",
    findings=FindingRules(
        none_because="The splits of its classifiers share their names, so none of its figures has a test."
    ),
    ours=(
        "Splits keep the shares of each kind; features are standardised on the names trained on; the classifier on"
        " subword count and frequency. On causal models a name's embedding sees only what stands before it."
    ),
    item_unit="map units",
    measured="what a classifier reads out of a model's embeddings of these names",
)


METHODS = {CARD.probe: Method(NameEmbeddingSpec, CARD)}
