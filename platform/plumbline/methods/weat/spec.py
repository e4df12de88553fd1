"""Word embedding association test (Caliskan et al. 2017), in contexts as in Kurita et al. 2019, section 3.1."""

from collections.abc import Mapping, Set
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, field_validator, model_validator

from plumbline.spec.audit import AuditSpec
from plumbline.spec.basis import Basis
from plumbline.spec.card import Card, Statistic
from plumbline.spec.content import Attribute
from plumbline.spec.field_kinds import Slots
from plumbline.spec.finding_rules import FindingRule, FindingRules
from plumbline.spec.grammar import Rendered, Word, render, require
from plumbline.spec.power.tests import PlannedTest
from plumbline.spec.power.word_sets import of_sets
from plumbline.spec.reference import ModelReference
from plumbline.spec.registry import Method
from plumbline.spec.sentences import Words, attribute_word, words_of_sets
from plumbline.spec.shared_statistics import EFFECT_SIZE, SCORABLE_SHARE
from plumbline.spec.sources import Attributes, Strict, Templates, templates_of
from plumbline.spec.verdicts import Scale
from plumbline.spec.word_sets import WordSets, flattened, word_sets

SLOTS = Slots(("target", "attribute"))
SUMMARY_PARAMS = {"cuts", "permutations", "resamples", "level"}


class WeatParams(Strict):
    variant: Literal["paper"] = "paper"
    subwords: Literal["remove", "last"] = "remove"
    """Words that are not one token of the model: removed (the paper's), or embedded by their last subword."""
    neutral: str = ""
    """The word in place of the other slot, for models without a mask token (ours). Empty: the mask."""
    vocabulary: str = ""
    """Another model whose vocabulary must also contain the words: the control on word vectors (section 3.1)."""
    cuts: Annotated[int, Field(ge=1, le=10_000)] = 100
    """The number of random cuts of the larger target set to the size of the smaller one."""
    permutations: Annotated[int, Field(ge=99, le=1_000_000)] = 10_000
    """The number of random splits of the targets in each cut, if there are too many to enumerate."""
    resamples: Annotated[int, Field(ge=100, le=100_000)] = 2000
    """The number of bootstrap resamples of the target words."""
    level: Annotated[float, Field(gt=0.5, lt=1.0)] = 0.95

    @field_validator("vocabulary")
    @classmethod
    def _known_form(cls, reference: str) -> str:
        return str(ModelReference.parse(reference)) if reference else ""


class WeatSpec(AuditSpec):
    """Targets x and y, attributes a and b, and templates with {target} and {attribute}.

    Word vectors need no templates.
    """

    probe: Literal["weat"]
    targets_x: Attributes
    targets_y: Attributes
    attributes_a: Attributes
    attributes_b: Attributes
    templates: Annotated[Templates, SLOTS] | None = None
    params: WeatParams = WeatParams()
    summary_params: ClassVar[Set[str]] = SUMMARY_PARAMS

    _flattened = model_validator(mode="before")(flattened)

    def words(self, snapshots: Mapping[str, Mapping[str, Any]]) -> WordSets:
        return word_sets(self.targets_x, self.targets_y, self.attributes_a, self.attributes_b, snapshots)

    def texts(self, snapshots: Mapping[str, Mapping[str, Any]]) -> tuple[str, ...]:
        """Return the templates. Word vectors have none."""
        return tuple(templates_of(self.templates, snapshots)) if self.templates else ()

    def sentence_words(self, snapshots: Mapping[str, Mapping[str, Any]]) -> Words:
        words = self.words(snapshots)
        return words_of_sets(words.targets, words.attributes, self.texts(snapshots))

    def item_count(self, snapshots: Mapping[str, Mapping[str, Any]]) -> int | None:
        words = self.words(snapshots)
        return len(words.targets) * len(words.attributes) * max(1, len(self.texts(snapshots)))

    def planned_tests(self, snapshots: Mapping[str, Mapping[str, Any]]) -> list[PlannedTest]:
        """Plan the test of the effect size, and of that of each template if there are several."""
        words, templates = self.words(snapshots), self.texts(snapshots)
        return [
            of_sets(
                len(words.x),
                len(words.y),
                draws=self.params.permutations,
                alpha=self.alpha,
                margin=self.margin(Scale.STANDARDISED),
                members=1 + (len(templates) if len(templates) > 1 and "template" not in self.families else 0),
                cut=True,
            )
        ]

    def references(self) -> tuple[str, ...]:
        return (self.model, self.params.vocabulary) if self.params.vocabulary else (self.model,)

    @property
    def variant(self) -> str:
        """The choices that differ from the primary definition and change the numbers, or ""."""
        chosen = {
            "last subword": self.params.subwords == "last",
            f"neutral {self.params.neutral}": bool(self.params.neutral),
            f"vocabulary of {self.params.vocabulary}": bool(self.params.vocabulary),
            self.dtype: self.dtype != "float32",
        }
        return ", ".join(name for name, holds in chosen.items() if holds)

    def check(self, snapshots: Mapping[str, Mapping[str, Any]]) -> None:
        words = self.words(snapshots)
        for template in self.texts(snapshots):
            require(template, SLOTS.bases, f"the probe {self.probe}")
            for target in words.targets:
                sentence(template, target, words.a[0])
            for attribute in words.attributes:
                sentence(template, words.x[0], attribute)


def sentence(template: str, target: Attribute | str, attribute: Attribute | str) -> Rendered:
    """Fill the template. A bare text represents a mask or a neutral word, the same in every form."""
    return render(template, {"target": _word(target), "attribute": _word(attribute)})


def _word(word: Attribute | str) -> Word:
    return Word(word, word, word) if isinstance(word, str) else attribute_word(word)


CARD = Card(
    probe="weat",
    version="1",
    title="Word embedding association test",
    model_kinds=("masked", "causal", "encoder", "static"),
    needs_weights="embeddings are states of the model",
    tables=("association",),
    phases=("embedding",),
    statistics=(
        Statistic(
            name="cosine",
            unit="cosine",
            sentence="How near the embeddings of a target word and of an attribute word are.",
            equation="cos(target, attribute), mean over templates",
            source="Caliskan et al. 2017; Kurita et al. 2019, section 3",
            caveat="In contextual models all words are near each other; only differences of cosines are meaningful.",
        ),
        EFFECT_SIZE,
        Statistic(
            name="effect_size_of_cuts",
            unit="standard deviations",
            sentence="How far the effect size depends on which words of the larger set a random cut keeps.",
            equation="standard deviation, least and greatest of d over the cuts",
            source="Kurita et al. 2019, section 3.1, cuts once; ours",
            caveat="It covers the random cuts alone, not other words, which the interval of the effect size covers.",
        ),
        Statistic(
            name="word_association",
            unit="cosine",
            sentence="How much nearer a target word is to the first attribute set than to the second.",
            equation="s(t, A, B) = mean over a in A of cos(t, a) - mean over b in B of cos(t, b)",
            source="Caliskan et al. 2017; Kurita et al. 2019, section 3",
            caveat="One word alone is little evidence: its embedding depends on these templates.",
        ),
        Statistic(
            name="differential_association",
            unit="cosine",
            sentence="How much more the first target set leans to the first attribute set than the second one does.",
            equation="S(X, Y, A, B) = mean over x in X of s(x, A, B) - mean over y in Y of s(y, A, B)",
            source="Kurita et al. 2019, section 3",
            caveat="Its size depends on the model's space: compare effect sizes between models, not this.",
        ),
        SCORABLE_SHARE,
    ),
    score="cosine",
    difference="effect_size",
    basis=Basis(
        asks="compares the directions of two embeddings",
        prior="has no prior",
        words="leaves out words that are missing from the vocabulary",
        groups="embeds the word for the group",
        either_side=True,
    ),
    findings=FindingRules((FindingRule("effect_size"),)),
    ours=(
        "Models without a mask token put a neutral word in the other slot's place. p over repeated cuts is twice the"
        " mean of theirs. Interval by drawing target words anew. The uncut sets are shown beside."
    ),
    item_unit="cosine",
)


METHODS = {CARD.probe: Method(WeatSpec, CARD)}
