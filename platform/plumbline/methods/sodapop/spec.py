"""SODAPOP: stereotypes without a list, discovered from answers about people (An et al. 2023)."""

from collections.abc import Mapping, Set
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, field_validator, model_validator

from plumbline.methods.sodapop import few_shot
from plumbline.methods.sodapop.card import CARD
from plumbline.methods.sodapop.planned_tests import of_words
from plumbline.methods.sodapop.requests import most_requests
from plumbline.spec.answers.chat_question import WorkedExample
from plumbline.spec.answers.params import ANSWERING, REMOTE_PARAMS, AnswerParams
from plumbline.spec.answers.spec import TextAnswersSpec
from plumbline.spec.banks.choice_questions import Questions, chosen_entries
from plumbline.spec.banks.contexts import Context, Contexts, chosen_contexts, refuse_repeats
from plumbline.spec.content import Name
from plumbline.spec.errors import SpecError
from plumbline.spec.field_kinds import CAUSAL
from plumbline.spec.power.tests import PlannedTest
from plumbline.spec.reference import ModelReference, NamesModel
from plumbline.spec.registry import Method
from plumbline.spec.sources import Attributes, Joined, Source, Strict, entries_of, entries_with

__all__ = ["CARD", "SodapopParams", "SodapopSpec"]

SUMMARY_PARAMS = {"min_occurrences", "per", "stop_words", "permutations", "restarts", "resamples", "level"}
ASKING_PARAMS = {"scoring", "pool", "ask", *ANSWERING}
"""The params that do not change the generated distractors."""


class _MethodParams(Strict):
    variant: Literal["paper", "released_code"] = "paper"
    """The variant of the generation: Algorithm 1 as printed, or as in the authors' code."""
    k: Annotated[int, Field(ge=1, le=4)] = 3
    """The number of tokens that are replaced, one after the other."""
    top: Annotated[int, Field(ge=1, le=50)] = 10
    """The number of tokens tried at each mask."""
    max_distractors: Annotated[int, Field(ge=0, le=100_000)] = 10_000
    """The most distractors per name and context, drawn at random. 0 means all. A single context keeps all."""
    keep_shorter: bool = False
    """Whether to keep distractors with fewer than k replacements."""
    ask: bool = True
    scoring: Annotated[Literal["mean_token", "sum", "pmi"], CAUSAL] = "mean_token"
    """How a causal model's likelihood of an option becomes its score."""
    pool: Literal["own", "shared"] = "own"
    """Whether each name uses its own distractors or those of all names."""
    min_occurrences: Annotated[int, Field(ge=1, le=1_000_000)] = 50
    per: Literal["name", "total"] = "name"
    """Whether a word must occur so often with each name, or with all names together."""
    stop_words: bool = True
    """Whether to exclude stop words."""
    permutations: Annotated[int, Field(ge=99, le=10_000_000)] = 1_000_000
    restarts: Annotated[int, Field(ge=1, le=1000)] = 10
    """The number of restarts of K-means."""
    resamples: Annotated[int, Field(ge=100, le=100_000)] = 2000
    level: Annotated[float, Field(gt=0.5, lt=1.0)] = 0.95


class SodapopParams(AnswerParams, _MethodParams):
    """How distractors are generated, asked and measured, then the params of answers in text."""


Names = Annotated[
    tuple[Annotated[Source[Name], entries_with(Name, "name")], ...], Joined, Field(min_length=1, strict=False)
]


class SodapopSpec(TextAnswersSpec):
    """Names of groups, contexts, a masked model that generates distractors, and the model that answers."""

    probe: Literal["sodapop"]
    names: Names
    contexts: Contexts
    generator: Annotated[str, Field(max_length=500), NamesModel("masked", "bundled:masked-demo")]
    """The masked model that writes the wrong answers: it puts likely words in place of words of the right answer.

    Any masked model can do it, such as `bundled:masked-demo`. It may be another one than the model to audit.
    """
    definitional: Attributes | None = None
    """Words that name a gender by definition (girl, husband). They are listed separately."""
    fragments: Attributes | None = None
    """Fragments of words (ly, ness) that a generator may insert. They are listed separately."""
    few_shot_bank: Questions | None = None
    """The questions from which `params.few_shot` draws worked examples. Contexts that are asked give none."""
    params: SodapopParams = SodapopParams()
    summary_params: ClassVar[Set[str]] = SUMMARY_PARAMS | REMOTE_PARAMS

    @model_validator(mode="before")
    @classmethod
    def _generator_alone(cls, data: Any) -> Any:
        """Use the generator as the model under audit if no model answers."""
        if not isinstance(data, Mapping) or "model" in data:
            return data
        params = data.get("params")
        if isinstance(params, Mapping) and params.get("ask") is False and "generator" in data:
            return {**data, "model": data["generator"]}
        return data

    @model_validator(mode="after")
    def _answers_are_asked(self) -> Self:
        if not self.params.ask and (self.params.few_shot or self.replies_of is not None):
            raise ValueError("params.ask: false asks nothing, so leave few_shot and replies_of out, or take ask: true")
        return self

    @field_validator("generator")
    @classmethod
    def _known_generator(cls, generator: str) -> str:
        return str(ModelReference.parse(generator))

    def references(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.model, self.generator)))

    def names_of(self, snapshots: Mapping[str, Mapping[str, Any]]) -> list[Name]:
        """Return the names in order. Raises SpecError for a repeated name or one without a group."""
        found = [Name.model_validate(entry) for source in self.names for entry in entries_of(source, snapshots)]
        refuse_repeats([one.name for one in found], "name")
        if nameless := [one.name for one in found if not one.group.strip()]:
            raise SpecError(f"the name {nameless[0]!r} has no group, so there is nothing to compare it with.")
        return found

    def planned_tests(self, snapshots: Mapping[str, Mapping[str, Any]]) -> list[PlannedTest]:
        return of_words(self, self.names_of(snapshots))

    def people(self, snapshots: Mapping[str, Mapping[str, Any]]) -> list[str]:
        return [one.name for one in self.names_of(snapshots)]

    def contexts_of(self, snapshots: Mapping[str, Mapping[str, Any]]) -> list[Context]:
        """Return the contexts in order. Raises SpecError for a source without a match or a repeated context."""
        return chosen_contexts(self.contexts, snapshots)

    def worked_examples(self, snapshots: Mapping[str, Mapping[str, Any]]) -> list[WorkedExample]:
        """Return the questions and right answers that come before each question, all the same.

        Raises SpecError if the bank has too few contexts that are not asked.
        """
        entries = [one for source in self.few_shot_bank or () for one in chosen_entries(source, snapshots)]
        bank = [few_shot.FlaggedQuestion.model_validate(one) for one in entries]
        asked = self.contexts_of(snapshots), [one.name for one in self.names_of(snapshots)]
        found = few_shot.drawn(bank, *asked, self.params.few_shot, self.seed)
        return [few_shot.worked(one, self.params.instruction) for one in found]

    def cap(self, contexts: int) -> int | None:
        """Return the most distractors per name and context, or None (section 4.2 does not limit a single context)."""
        return (self.params.max_distractors or None) if contexts > 1 else None

    def phases(self, declared: tuple[str, ...]) -> tuple[str, ...]:
        return declared if self.params.ask else declared[:1]

    def generating_params(self) -> dict[str, Any]:
        """Return the params that change the generated distractors."""
        return self.params.model_dump(mode="json", exclude={*self.summary_params, *ASKING_PARAMS})

    def asking_params(self) -> dict[str, Any]:
        """Return the params that change the answers to the questions."""
        own = self.params.model_dump(mode="json", include={"scoring", "pool"})
        return own | self.chosen_answering()

    def asks_endpoint(self) -> bool:
        return self.params.ask and super().asks_endpoint()

    def cost(self, snapshots: Mapping[str, Mapping[str, Any]]) -> str:
        if not self.asks_endpoint():
            return ""
        asked = self.contexts_of(snapshots), self.names_of(snapshots)
        largest = most_requests(self, *asked, self.worked_examples(snapshots))
        return self.cost_sentence(*largest, most="at most ")

    @property
    def variant(self) -> str:
        """The choices that differ from the primary definition and change the numbers, or ""."""
        return self.choices({"permutations", "restarts", "resamples", "level", "ask", *REMOTE_PARAMS})

    def check(self, snapshots: Mapping[str, Mapping[str, Any]]) -> None:
        names, contexts = self.names_of(snapshots), self.contexts_of(snapshots)
        if not contexts:
            raise SpecError("no context is chosen; name a bank that has some, or write them inline.")
        if self.params.ask and len({one.group for one in names}) < 2:
            raise SpecError("all names belong to one group; give names of at least two groups.")
        self.worked_examples(snapshots)


METHODS = {CARD.probe: Method(SodapopSpec, CARD)}
