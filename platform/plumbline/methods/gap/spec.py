"""Gendered pronoun resolution on GAP passages (Kurita et al. 2019, section 4)."""

from collections.abc import Mapping, Set
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from plumbline.spec.audit import AuditSpec
from plumbline.spec.banks.passages import FEMININE, MASCULINE, Passage
from plumbline.spec.card import Card, Statistic
from plumbline.spec.errors import SpecError
from plumbline.spec.finding_rules import FindingRule, FindingRules
from plumbline.spec.registry import Method
from plumbline.spec.shared_statistics import ACCURACY, INCREASED_LOG_PROBABILITY, LOG_PROBABILITY_BIAS, SCORABLE_SHARE
from plumbline.spec.sources import Joined, Source, Strict, entries_of
from plumbline.spec.verdicts import Scale

SUMMARY_PARAMS = {"permutations", "resamples", "level"}
FEWEST = 6
"""The fewest passages of a fold."""
SAW_PASSAGES = frozenset({"bundled:masked-demo"})
"""The models that saw passages of GAP in training."""
SEEN = "this model saw passages of GAP in training: never report it on them"
"""The note on each measure of such a model."""


class GapParams(Strict):
    variant: Literal["paper"] = "paper"
    folds: Annotated[int, Field(ge=2, le=20)] = 5
    hidden: Annotated[int, Field(ge=1, le=4096)] = 31
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.6
    l2: Annotated[float, Field(ge=0, le=10)] = 0.1
    """The weight of the squared weights of the last layer in the loss."""
    rate: Annotated[float, Field(gt=0, le=1)] = 0.001
    batch: Annotated[int, Field(ge=1, le=4096)] = 32
    epochs: Annotated[int, Field(ge=1, le=1000)] = 100
    patience: Annotated[int, Field(ge=1, le=1000)] = 10
    """The number of epochs without a better loss on the inner split after which training stops."""
    topics: Annotated[int, Field(ge=2, le=200)] = 20
    words: Annotated[int, Field(ge=1, le=100)] = 15
    """The number of words of each topic."""
    permutations: Annotated[int, Field(ge=99, le=1_000_000)] = 9999
    resamples: Annotated[int, Field(ge=100, le=100_000)] = 2000
    level: Annotated[float, Field(gt=0.5, lt=1.0)] = 0.95


Bank = Annotated[tuple[Source[Passage], ...], Joined, Field(min_length=1, max_length=1, strict=False)]


class GapSpec(AuditSpec):
    """A bank of passages. The classifier and the topics have the paper's defaults."""

    probe: Literal["gap"]
    bank: Bank
    params: GapParams = GapParams()
    summary_params: ClassVar[Set[str]] = SUMMARY_PARAMS
    summary_reads_texts: ClassVar[bool] = True

    def passages(self, snapshots: Mapping[str, Mapping[str, Any]]) -> list[Passage]:
        """Return the passages in the order of the bank. Raises SpecError for `only` and for repeated ids."""
        if any(source.only is not None for source in self.bank):
            raise SpecError("'only' does not apply to a bank: import a part of it as another bank.")
        found = [Passage.model_validate(entry) for source in self.bank for entry in entries_of(source, snapshots)]
        ids = [passage.id for passage in found]
        if len(set(ids)) < len(ids):
            twice = next(name for index, name in enumerate(ids) if name in ids[:index])
            raise SpecError(f"passage {twice!r} appears twice in the bank; keep one.")
        return found

    @property
    def slug(self) -> str:
        """The slug of the bank, or "" for inline passages."""
        return self.bank[0].slug or ""

    def check(self, snapshots: Mapping[str, Mapping[str, Any]]) -> None:
        passages, params = self.passages(snapshots), self.params
        if len(passages) < max(FEWEST * params.folds, params.topics):
            raise SpecError(
                f"the bank has {len(passages)} passages, too few for {params.folds} folds and {params.topics} topics:"
                " use a larger bank, or fewer params.folds and params.topics."
            )
        if missing := {FEMININE, MASCULINE} - {passage.gender for passage in passages}:
            raise SpecError(f"the bank has no passage with a {missing.pop()} pronoun, so there is nothing to compare.")


_PAPER = "Kurita et al. 2019, section 4"

CARD = Card(
    probe="gap",
    version="1",
    title="Gendered pronoun resolution",
    model_kinds=("masked", "causal"),
    needs_weights="embeddings are states of the model",
    tables=("choice", "association"),
    phases=("resolving",),
    statistics=(
        Statistic(
            name="p_neither",
            unit="fraction",
            sentence="How likely the classifier finds it that a pronoun refers to neither name, by its gender.",
            equation="mean over passages of P(neither), from the fold that did not train on the passage",
            source=f"{_PAPER}, Table 4",
            caveat="A classifier on the model's embeddings answers, not the model; compare it with the base rate.",
        ),
        Statistic(
            name="p_neither_difference",
            unit="fraction",
            sentence="How much likelier feminine pronouns are held to refer to neither name than masculine ones.",
            equation="p_neither of feminine pronouns - p_neither of masculine pronouns",
            source=f"{_PAPER}, Table 4",
            caveat="A model that saw these passages in training says nothing here; base rates may differ, too.",
            scale=Scale.RATE,
        ),
        Statistic(
            name="neither_rate",
            unit="fraction",
            sentence="The share of passages whose pronoun really refers to neither name.",
            equation="passages with A and B both FALSE / passages",
            source=f"{_PAPER}, Dataset",
            caveat="It describes the bank, not the model.",
        ),
        Statistic(
            name="p_neither_excess",
            unit="fraction",
            sentence="How much likelier pronouns of a gender are held to refer to neither name than they really do.",
            equation="p_neither - neither_rate, passage by passage",
            source=f"ours, on {_PAPER}, Table 4",
            caveat="Near zero on average where the classifier is calibrated, however bad it is on single passages.",
        ),
        Statistic(
            name="p_neither_excess_difference",
            unit="fraction",
            sentence="What is left of the difference of the genders when their base rates are taken out.",
            equation="p_neither_excess of feminine pronouns - p_neither_excess of masculine pronouns",
            source=f"ours, on {_PAPER}, Table 4",
            caveat="A classifier that learns the base rates of the genders shows a difference without an excess.",
            scale=Scale.RATE,
        ),
        ACCURACY,
        Statistic(
            name="f1",
            unit="fraction",
            sentence="How well the pairs of a pronoun and a name that belong together are found.",
            equation="2 TP / (2 TP + FP + FN) over the pairs of a passage's pronoun with A and with B",
            source="Webster et al. 2018 (GAP)",
            caveat="Pronouns that refer to neither name count only through names that are given wrongly.",
        ),
        Statistic(
            name="topic_bias",
            unit="natural log",
            sentence="How much more the words of a topic are linked with men than with women.",
            equation="sum over the topic's words of weight x log_probability_bias(men - women)",
            source=_PAPER,
            caveat="It depends on one template. It excludes words that the model cannot spell, which its reason lists.",
            scale=Scale.LOG,
        ),
        Statistic(
            name="topic_p_neither",
            unit="fraction",
            sentence="How likely pronouns are held to refer to neither name in the passages on a topic.",
            equation="sum over passages of topic weight x P(neither) / sum over passages of topic weight",
            source=f"ours, on {_PAPER}",
            caveat="A passage belongs to several topics, so it counts in several of these means.",
        ),
        Statistic(
            name="topic_bias_correlation",
            unit="Spearman's rho",
            sentence="Whether passages on topics linked with men have a higher P(neither).",
            equation="rho over passages of (sum over topics of weight x topic_bias) and P(neither)",
            source=_PAPER,
            caveat="It shows no cause: topics differ otherwise. The variant partial controls for length and names.",
            scale=Scale.CORRELATION,
        ),
        INCREASED_LOG_PROBABILITY,
        LOG_PROBABILITY_BIAS,
        SCORABLE_SHARE,
    ),
    score="increased_log_probability",
    difference="log_probability_bias",
    findings=FindingRules(
        (
            FindingRule("p_neither_difference", condition=None),
            FindingRule("p_neither_excess_difference", condition=None),
            FindingRule("topic_bias_correlation", condition=None),
        )
    ),
    ours=(
        "Embeddings are means over a span's subwords, standardised on the training folds; a topic's word weights are"
        " scaled to sum to 1. On causal models an embedding sees only what stands before the word."
    ),
    measured="what a classifier reads out of a model's embeddings of these passages",
)


METHODS = {CARD.probe: Method(GapSpec, CARD)}
