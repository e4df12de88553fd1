"""Contextualized embedding association test: Cao et al. 2022, section 3.1, and Guo and Caliskan 2021."""

from collections.abc import Mapping, Sequence, Set
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, field_validator, model_validator

from plumbline.analyses.alignment.statistics import ALIGNMENT
from plumbline.spec.audit import AuditSpec
from plumbline.spec.banks.pairs import Pair, pairs_of
from plumbline.spec.basis import Basis
from plumbline.spec.card import Card, Statistic
from plumbline.spec.content import Attribute, Group
from plumbline.spec.errors import SpecError, shown
from plumbline.spec.finding_rules import FindingRule, FindingRules, Rows
from plumbline.spec.judgements import Judgements, judgements_named
from plumbline.spec.power.agreement import of_agreement
from plumbline.spec.power.tests import PlannedTest
from plumbline.spec.reference import ModelReference, Scheme
from plumbline.spec.registry import Method
from plumbline.spec.sentences import Words, attribute_word, group_word, words_of_sets
from plumbline.spec.shared_statistics import SCORABLE_SHARE
from plumbline.spec.sources import Attributes, Groups, Ratings, Strict, attributes_of, groups_of
from plumbline.spec.verdicts import Scale
from plumbline.spec.word_sets import WordSets, flattened, word_sets

SETS = ("targets_x", "targets_y", "attributes_a", "attributes_b")
FEWEST_TESTED = 30
"""Minimum sentences of the rarest word. With fewer, the test rejects up to 7% of true nulls (bench/calibration.py)."""
SUMMARY_PARAMS = {"permutations", "resamples", "level"}


class CeatParams(Strict):
    variant: Literal["paper", "released_code"] = "paper"
    """`released_code`: the squared standard deviation is the variance of an effect size, and p is one-sided (two sets).
    """
    samples: Annotated[int, Field(ge=2, le=100_000)] = 1000
    """The number of sentences per word. If the corpus has fewer, they are drawn with replacement."""
    case: Literal["as_written", "ignore"] = "as_written"
    """`as_written`: a word with a capital letter matches exactly, others in any case.

    `ignore`: all match in any case.
    """
    permutations: Annotated[int, Field(ge=99, le=1_000_000)] = 9999
    resamples: Annotated[int, Field(ge=100, le=100_000)] = 2000
    level: Annotated[float, Field(gt=0.5, lt=1.0)] = 0.95


class CeatSpec(AuditSpec):
    """A corpus of text with either groups and pairs of opposites, or targets x and y and attributes a and b."""

    probe: Literal["ceat"]
    corpus: Annotated[str, Field(max_length=1000)]
    groups: Groups | None = None
    attributes: Attributes | None = None
    targets_x: Attributes | None = None
    targets_y: Attributes | None = None
    attributes_a: Attributes | None = None
    attributes_b: Attributes | None = None
    human: Ratings | None = None
    """People's ratings of the groups on the pairs, with which the model is compared."""
    params: CeatParams = CeatParams()
    summary_params: ClassVar[Set[str]] = SUMMARY_PARAMS

    _flattened = model_validator(mode="before")(flattened)

    @field_validator("corpus")
    @classmethod
    def _a_path(cls, corpus: str) -> str:
        if corpus.partition(":")[0] != Scheme.PATH:
            raise ValueError(f"{shown(corpus)} names no text: write path:FILE or path:DIR, a file or folder of text")
        return str(ModelReference.parse(corpus))

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        groups, sets = [self.groups, self.attributes], [getattr(self, name) for name in SETS]
        one, other = (groups, sets) if any(groups) else (sets, groups)
        if not all(one) or any(other):
            raise ValueError(
                "give groups and attributes (a trait list), or targets: {x: ..., y: ...} and attributes:"
                " {a: ..., b: ...}"
            )
        if self.groups is not None and self.params.variant != "paper":
            raise ValueError(
                "params.variant: released_code applies to the two-set form; remove it from a spec with groups"
            )
        if any(source.extra for source in self.attributes or ()):
            raise ValueError("'extra: averaged' applies to scores in templates; CEAT compares the poles alone")
        if self.human is not None and self.groups is None:
            raise ValueError("human judgements need groups and a trait list")
        return self

    def references(self) -> tuple[str, ...]:
        return self.model, self.corpus

    def sets(self, snapshots: Mapping[str, Mapping[str, Any]]) -> WordSets | None:
        """Return the four sets, or None for the form with groups."""
        if self.targets_x is None or self.targets_y is None or self.attributes_a is None or self.attributes_b is None:
            return None
        return word_sets(self.targets_x, self.targets_y, self.attributes_a, self.attributes_b, snapshots)

    def of_groups(self, snapshots: Mapping[str, Mapping[str, Any]]) -> tuple[list[Group], list[Attribute]]:
        """Return the groups and the adjectives. Both are empty for the form with sets."""
        if self.groups is None or self.attributes is None:
            return [], []
        return groups_of(self.groups, snapshots), [word for word, _ in attributes_of(self.attributes, snapshots)]

    def pairs(self, snapshots: Mapping[str, Mapping[str, Any]]) -> tuple[Pair, ...]:
        return pairs_of(self.of_groups(snapshots)[1])

    def sentence_words(self, snapshots: Mapping[str, Mapping[str, Any]]) -> Words:
        """Return the words. The sentences come from the corpus, so there are no templates."""
        if (sets := self.sets(snapshots)) is not None:
            return words_of_sets(sets.targets, sets.attributes, ())
        groups, attributes = self.of_groups(snapshots)
        poles = {one.name: (attributes[one.left].text, attributes[one.right].text) for one in self.pairs(snapshots)}
        named = {group.label: group_word(group) for group in groups}
        return Words(named, {one.text: attribute_word(one) for one in attributes}, (), poles=poles)

    def rated_words(self, snapshots: Mapping[str, Mapping[str, Any]]) -> tuple[Sequence[Group], Sequence[Attribute]]:
        return self.of_groups(snapshots)

    def judgements(self, snapshots: Mapping[str, Mapping[str, Any]]) -> Judgements | None:
        return judgements_named(self.human, snapshots)

    def planned_tests(self, snapshots: Mapping[str, Mapping[str, Any]]) -> list[PlannedTest]:
        return of_agreement(
            self.of_groups(snapshots)[0],
            self.human,
            snapshots,
            pairs=len(self.pairs(snapshots)),
            draws=self.params.permutations,
            alpha=self.alpha,
            margin=self.margin(Scale.CORRELATION),
        )

    @property
    def variant(self) -> str:
        """The choices that differ from the primary definition and change the numbers, or ""."""
        return self.choices(SUMMARY_PARAMS | {"samples"})

    def check(self, snapshots: Mapping[str, Mapping[str, Any]]) -> None:
        if self.sets(snapshots) is not None:
            return
        groups, _ = self.of_groups(snapshots)
        pairs = self.pairs(snapshots)
        if not pairs:
            raise SpecError("ceat compares the poles of pairs: use a trait list, or attributes with 'pair' and 'pole'.")
        if (judgements := self.judgements(snapshots)) is not None:
            judgements.check(groups, pairs)


CARD = Card(
    probe="ceat",
    version="1",
    title="Contextualized embedding association test",
    model_kinds=("masked", "causal", "encoder"),
    needs_weights="embeddings are states of the model",
    tables=("association", "effect"),
    phases=("embedding",),
    statistics=(
        Statistic(
            name="ceat",
            title="Effect size of each group",
            unit="standard deviations",
            sentence="How much nearer a group's occurrences are to the right pole of a pair than to the left one.",
            equation="(mean cos(g, right) - mean cos(g, left)) / standard deviation of both, over sampled sentences",
            source="Cao et al. 2022, section 3.1",
            caveat="Each word has its own place in the space: compare groups on one pair, not pairs within a group.",
            scale=Scale.STANDARDISED,
        ),
        Statistic(
            name="combined_effect_size",
            unit="standard deviations",
            sentence="How much more one target set is linked with the first attributes than the other, over contexts.",
            equation="sum(w_i d_i) / sum(w_i), w_i = 1 / (own variance + variance between draws), d_i WEAT's of a draw",
            source="Guo and Caliskan 2021 (CEAT)",
            caveat=(
                "The draws share their words, so p is about other sentences, not other words; it falls with samples,"
                " so none is given where draws repeat a sentence."
            ),
            scale=Scale.STANDARDISED,
        ),
        Statistic(
            name="ceat_difference",
            title="Effect size beyond that of the other groups",
            unit="standard deviations",
            sentence="How much nearer a group is to the right pole of a pair than the other groups are on average.",
            equation="ceat of the group - mean of ceat over the other groups",
            source="ours, on Cao et al. 2022, section 3.1",
            caveat="It depends on this corpus: what the corpus says about a group is not due to the model.",
            scale=Scale.STANDARDISED,
        ),
        *ALIGNMENT,
        SCORABLE_SHARE,
    ),
    score="ceat",
    difference="ceat_difference",
    basis=Basis(
        asks="compares the directions of embeddings in sentences of a corpus",
        prior="has no prior",
        words="compares the two poles of a pair of words",
        groups="embeds the word for the group",
        is_signed=True,
    ),
    findings=FindingRules(
        (
            FindingRule("combined_effect_size"),
            FindingRule("ceat_difference", Rows.WORDS, most=10),
            FindingRule("kendall_tau_excess", condition="model", category="", between_groups=False),
        )
    ),
    ours=(
        "How a group's sentences enter: the i-th of each word make the i-th draw, and means and standard deviation run"
        " over draws. The interval is that of other sentences of the words; where two sets have draws that repeat a"
        " sentence there is none."
    ),
    item_unit="cosine",
    measured="how far a model sets these groups apart in sentences of this corpus",
)


METHODS = {CARD.probe: Method(CeatSpec, CARD)}
