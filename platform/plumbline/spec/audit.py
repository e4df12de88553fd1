"""The audit spec: one pydantic model for the YAML file, the plan and the frozen run."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from textwrap import shorten
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar

from pydantic import BeforeValidator, Field, ValidationError, field_validator

from plumbline.spec.content import Attribute, Group
from plumbline.spec.errors import SpecError, shown
from plumbline.spec.faults import in_one_line
from plumbline.spec.judgements import Judgements
from plumbline.spec.plain_data import check_plain
from plumbline.spec.power.tests import PlannedTest
from plumbline.spec.prices import Prices
from plumbline.spec.reference import ModelReference
from plumbline.spec.sentences import Words
from plumbline.spec.sources import Source, Strict
from plumbline.spec.verdicts import SMALLEST_EFFECTS, Scale

Dtype = Annotated[Literal["float32", "bfloat16"], BeforeValidator(lambda name: "bfloat16" if name == "bf16" else name)]
P = TypeVar("P", bound=Strict)
MOST_OF_CHOICE = 60
"""The longest text of a choice in a variant's name, in characters. Longer texts are shortened."""
FAMILY_COLUMNS = ("statistic", "variant", "group_a", "group_b", "category", "condition", "attribute", "template")


def _without_margin(given: Any) -> Any:
    """Replace null margins by 0: `smallest_effect: null` switches all margins off, `{log: null}` one.

    A dump omits nulls.
    """
    found = dict.fromkeys(Scale) if given is None else given
    return {Scale(key): value or 0.0 for key, value in found.items()} if isinstance(found, dict) else found


class AuditSpec(Strict):
    """The fields of every audit. Each probe adds its own lists and params."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    probe: str
    model: Annotated[str, Field(max_length=500)]
    seed: Annotated[int, Field(ge=0, lt=2**31)] = 0
    dtype: Dtype = "float32"
    families: Annotated[tuple[str, ...], Field(strict=False)] = ("statistic",)
    """The columns that define a family for q-values: measures with equal values in them form one family."""
    alpha: Annotated[float, Field(gt=0.0, lt=0.5)] = 0.05
    """The false discovery rate of the verdicts. It is independent of the width of the intervals."""
    smallest_effect: Annotated[Mapping[Scale, Annotated[float, Field(ge=0.0)]], BeforeValidator(_without_margin)] = {}
    """The smallest effect that matters, for each scale that differs from the default. 0 or null means no margin."""

    summary_params: ClassVar[Set[str]] = frozenset()
    """The params that only change how records are summarised."""

    summary_reads_texts: ClassVar[bool] = False
    """Whether measures follow from the words of a bank's texts, and not from the records alone."""

    @field_validator("name")
    @classmethod
    def _not_blank(cls, name: str) -> str:
        if not name.strip() or not name.isprintable():
            raise ValueError("give the audit a name of printable characters")
        return name.strip()

    @field_validator("model")
    @classmethod
    def _known_form(cls, model: str) -> str:
        return str(ModelReference.parse(model))

    @field_validator("families")
    @classmethod
    def _known_columns(cls, families: tuple[str, ...]) -> tuple[str, ...]:
        if unknown := [column for column in families if column not in FAMILY_COLUMNS]:
            raise ValueError(
                f"{shown(unknown[0])} is not a column of a measure; choose from {', '.join(FAMILY_COLUMNS)}"
            )
        return families

    def margin(self, scale: Scale) -> float:
        """Return the smallest effect on this scale that matters, or NaN if the margin is switched off."""
        return self.smallest_effect.get(scale, SMALLEST_EFFECTS[scale]) or math.nan

    def sources(self) -> dict[str, tuple[Source[Any], ...]]:
        """Return the spec's lists by field name. Lists of nested parts join those of the same name."""
        found: dict[str, tuple[Source[Any], ...]] = {}
        for field, sources in _lists_of(self):
            found[field] = found.get(field, ()) + sources
        return found

    def with_sources(self, changed: Callable[[str, Source[Any]], Source[Any]]) -> Self:
        """Return a copy with each list, nested ones too, replaced by `changed(field name, list)`."""
        return _with_lists(self, changed)

    def references(self) -> tuple[str, ...]:
        """Return every model, folder or file outside the vocabularies that the spec names."""
        return (self.model,)

    def people(self, snapshots: Mapping[str, Mapping[str, Any]]) -> list[str]:
        """Return the names of people that the audit asks about. By default there are none."""
        return []

    def sentence_words(self, snapshots: Mapping[str, Mapping[str, Any]]) -> Words:
        """Return the words that rebuild an item's sentence. By default there are none."""
        return Words({}, {}, ())

    def rated_words(self, snapshots: Mapping[str, Mapping[str, Any]]) -> tuple[Sequence[Group], Sequence[Attribute]]:
        """Return the groups and the attributes that people may have rated."""
        return (), ()

    def judgements(self, snapshots: Mapping[str, Mapping[str, Any]]) -> Judgements | None:
        """Return people's ratings of the groups, or None if the spec names none.

        Raises SpecError for conflicting ratings.
        """
        return None

    def base(self) -> int | None:
        """Return the id of the finished run that this run extends, whose records it also reads, or None."""
        return None

    def answers_of(self) -> int | None:
        """Return the id of the run whose kept answers are parsed, so that no model is asked, or None."""
        return None

    def in_text(self) -> bool:
        """Return whether the model answers questions in text."""
        return False

    def in_batches(self) -> bool:
        """Return whether an endpoint gets the requests in batches, which it answers later."""
        return False

    def prices(self) -> Prices | None:
        """Return the prices of the requests and what they may cost, or None if nothing is paid."""
        return None

    def cost(self, snapshots: Mapping[str, Mapping[str, Any]]) -> str:
        """Return the cost of the requests as text to show before the launch, or "" if nothing is paid."""
        return ""

    def item_count(self, snapshots: Mapping[str, Mapping[str, Any]]) -> int | None:
        """Return the number of items, as far as it follows from the words alone, or None."""
        return None

    def example_question(self, snapshots: Mapping[str, Mapping[str, Any]]) -> str:
        """Return a question that the model is asked, with its options, or "" if the method asks none."""
        return ""

    def cautions(self, snapshots: Mapping[str, Mapping[str, Any]]) -> list[str]:
        """Return what makes results doubtful and is known before the launch. By default nothing."""
        return []

    def planned_tests(self, snapshots: Mapping[str, Mapping[str, Any]]) -> list[PlannedTest]:
        """Return the tests whose detectable effect is known before the launch, the planned contrast first."""
        return []

    def phases(self, declared: tuple[str, ...]) -> tuple[str, ...]:
        """Return the card's phases that this audit needs."""
        return declared

    def scoring_params(self) -> dict[str, Any]:
        """Return the params that change records."""
        params = getattr(self, "params", None)
        return params.model_dump(mode="json", exclude=set(self.summary_params)) if isinstance(params, Strict) else {}

    @property
    def variant(self) -> str:
        """The choices that differ from the primary definition and change the numbers, or ""."""
        return self.choices(self.summary_params)

    def choices(self, besides: Set[str]) -> str:
        """Return the params that differ from their defaults, except `besides`, and the dtype, as variants name them."""
        params = getattr(self, "params", None)
        assert isinstance(params, Strict)  # noqa: S101 -- of the probes that have some
        chosen = params.model_dump(mode="json", exclude=set(besides), exclude_defaults=True)
        named = [_choice(key, value) for key, value in chosen.items()]
        return ", ".join([*named, *([self.dtype] if self.dtype != "float32" else [])])

    def check(self, snapshots: Mapping[str, Mapping[str, Any]]) -> None:
        """Raise SpecError for errors that can be found without the model. Each probe's spec adds its own checks."""

    def check_kind(self, kind: str, snapshots: Mapping[str, Mapping[str, Any]]) -> None:
        """Raise SpecError where a model of this kind cannot be asked so. "": the kind is unknown, and nothing is."""

    def dump(self) -> dict[str, Any]:
        """Return plain data that parses back to this spec."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)


def _lists_of(part: Strict) -> Iterator[tuple[str, tuple[Source[Any], ...]]]:
    """Yield the field name and the lists of a spec or of a nested part."""
    for field in type(part).model_fields:
        value = getattr(part, field)
        if isinstance(value, tuple) and value and isinstance(value[0], Source):
            yield field, value
        elif isinstance(value, tuple):
            for inner in value:
                if isinstance(inner, Strict):
                    yield from _lists_of(inner)


def _with_lists(part: P, changed: Callable[[str, Source[Any]], Source[Any]]) -> P:
    found: dict[str, Any] = {}
    for field in type(part).model_fields:
        value = getattr(part, field)
        if isinstance(value, tuple) and value and isinstance(value[0], Source):
            found[field] = tuple(changed(field, source) for source in value)
        elif isinstance(value, tuple):
            found[field] = tuple(_with_lists(one, changed) if isinstance(one, Strict) else one for one in value)
    return part.model_copy(update=found)


def _choice(key: str, value: Any) -> str:
    if key == "variant" or value is True:
        return str(value) if key == "variant" else key
    return shorten(f"{key} {value}", MOST_OF_CHOICE, placeholder="\u2026")


def parse(data: Any) -> AuditSpec:
    """Return the spec of a probe from plain data. Raises SpecError, in one line, for any error."""
    from plumbline.spec.registry import PROBES

    if not isinstance(data, Mapping):
        raise SpecError(
            "an audit spec must be a mapping with keys such as name, probe, model, groups, attributes, templates."
        )
    check_plain(data)
    probe = data.get("probe")
    if not isinstance(probe, str) or probe not in PROBES:
        what = "names no probe" if probe is None else f"names the unknown probe {shown(probe)}"
        raise SpecError(f"the spec {what}; the probes are {', '.join(sorted(PROBES))}.")
    if "self_debias" in data and "self_debias" not in PROBES[probe].spec.model_fields:
        takes = ", ".join(sorted(one for one in PROBES if "self_debias" in PROBES[one].spec.model_fields))
        raise SpecError(
            "self_debias lowers words in a distribution over the whole vocabulary, and the probe"
            f" {probe} is not asked so here; take it out, or use one of the probes {takes}."
        )
    try:
        return PROBES[probe].spec.model_validate(dict(data))
    except ValidationError as error:
        raise SpecError(f"spec {shown(str(data.get('name', '')))}: {in_one_line(error)}") from None
