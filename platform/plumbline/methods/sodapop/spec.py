"""SODAPOP: stereotypes that nobody listed beforehand, from answers about people (An et al. 2023)."""

from collections.abc import Mapping, Set
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, field_validator, model_validator

from plumbline.methods.sodapop.card import CARD
from plumbline.methods.sodapop.planned_tests import of_words
from plumbline.spec.audit import AuditSpec
from plumbline.spec.content import Name
from plumbline.spec.contexts import Context, Contexts, chosen_contexts, refuse_repeats
from plumbline.spec.errors import SpecError
from plumbline.spec.planned.tests import PlannedTest
from plumbline.spec.reference import ModelReference
from plumbline.spec.registry import Method
from plumbline.spec.sources import Attributes, Joined, Source, Strict, entries_of, entries_with

__all__ = ["CARD", "SodapopParams", "SodapopSpec"]

SUMMARY_PARAMS = {"min_occurrences", "per", "stop_words", "permutations", "restarts", "resamples", "level"}
ASKING_PARAMS = {"scoring", "pool", "ask"}
"""Params that the generated distractors do not depend on."""


class SodapopParams(Strict):
    variant: Literal["paper", "released_code"] = "paper"
    """Of the generation: Algorithm 1 as printed, or as the authors' code does it."""
    k: Annotated[int, Field(ge=1, le=4)] = 3
    """Tokens that are replaced, one after the other."""
    top: Annotated[int, Field(ge=1, le=50)] = 10
    """How many tokens are tried at each mask."""
    max_distractors: Annotated[int, Field(ge=0, le=100_000)] = 10_000
    """Of a name and a context, drawn by the seed where there are more; 0: all. A single context keeps all."""
    keep_shorter: bool = False
    """Keep the distractors of fewer than k steps, too."""
    ask: bool = True
    scoring: Literal["mean_token", "sum", "pmi"] = "mean_token"
    """How a causal model's likelihood of an option becomes its score."""
    pool: Literal["own", "shared"] = "own"
    """Each name is asked with its own distractors, or with those of all names."""
    min_occurrences: Annotated[int, Field(ge=1, le=1_000_000)] = 50
    per: Literal["name", "total"] = "name"
    """Whether a word must occur so often with each name, or with all of them together."""
    stop_words: bool = True
    """Leave stop words out."""
    permutations: Annotated[int, Field(ge=99, le=10_000_000)] = 1_000_000
    restarts: Annotated[int, Field(ge=1, le=1000)] = 10
    """Of K-means."""
    resamples: Annotated[int, Field(ge=100, le=100_000)] = 2000
    level: Annotated[float, Field(gt=0.5, lt=1.0)] = 0.95


Names = Annotated[
    tuple[Annotated[Source[Name], entries_with(Name, "name")], ...], Joined, Field(min_length=1, strict=False)
]


class SodapopSpec(AuditSpec):
    """Names of groups, contexts, a masked model that makes distractors, and the model that must not fall for them."""

    probe: Literal["sodapop"]
    names: Names
    contexts: Contexts
    generator: Annotated[str, Field(max_length=500)]
    definitional: Attributes | None = None
    """Words that name a gender by definition (girl, husband): they are shown apart."""
    fragments: Attributes | None = None
    """Pieces of words (ly, ness) that a generator may put where a word should be: shown apart, too."""
    params: SodapopParams = SodapopParams()
    summary_params: ClassVar[Set[str]] = SUMMARY_PARAMS

    @model_validator(mode="before")
    @classmethod
    def _generator_alone(cls, data: Any) -> Any:
        """Where nobody is asked, the generator is the model under audit."""
        if not isinstance(data, Mapping) or "model" in data:
            return data
        params = data.get("params")
        if isinstance(params, Mapping) and params.get("ask") is False and "generator" in data:
            return {**data, "model": data["generator"]}
        return data

    @field_validator("generator")
    @classmethod
    def _known_generator(cls, generator: str) -> str:
        return str(ModelReference.parse(generator))

    def references(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.model, self.generator)))

    def names_of(self, snapshots: Mapping[str, Mapping[str, Any]]) -> list[Name]:
        """In order. SpecError for a name that stands twice or has no group."""
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
        """In order. SpecError where a source chooses nothing, or a context stands twice."""
        return chosen_contexts(self.contexts, snapshots)

    def cap(self, contexts: int) -> int | None:
        """The most distractors of a name and a context; None: no limit (section 4.2 caps no single context)."""
        return (self.params.max_distractors or None) if contexts > 1 else None

    def phases(self, declared: tuple[str, ...]) -> tuple[str, ...]:
        return declared if self.params.ask else declared[:1]

    def generating_params(self) -> dict[str, Any]:
        """Those that the generated distractors depend on."""
        return self.params.model_dump(mode="json", exclude=SUMMARY_PARAMS | ASKING_PARAMS)

    @property
    def variant(self) -> str:
        """Empty for the primary definition, else the choices that change the numbers."""
        return self.choices({"permutations", "restarts", "resamples", "level", "ask"})

    def check(self, snapshots: Mapping[str, Mapping[str, Any]]) -> None:
        names, contexts = self.names_of(snapshots), self.contexts_of(snapshots)
        if not contexts:
            raise SpecError("no context is chosen; name a bank that has some, or write them inline.")
        if self.params.ask and len({one.group for one in names}) < 2:
            raise SpecError("all names are of one group; give names of two groups at least, to compare them.")


METHODS = {CARD.probe: Method(SodapopSpec, CARD)}
