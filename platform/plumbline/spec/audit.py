"""The audit spec: one pydantic model serves the YAML file, the plan and the frozen run."""

import math
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from pathlib import Path
from textwrap import shorten
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar

import yaml
from pydantic import BeforeValidator, Field, ValidationError, field_validator

from plumbline.spec.content import Attribute, Group
from plumbline.spec.errors import SpecError
from plumbline.spec.faults import in_one_line
from plumbline.spec.judgements import Judgements
from plumbline.spec.planned.tests import PlannedTest
from plumbline.spec.reference import ModelReference
from plumbline.spec.sentences import Words
from plumbline.spec.sources import Source, Strict
from plumbline.spec.verdicts import SMALLEST_EFFECTS, Scale

Dtype = Annotated[Literal["float32", "bfloat16"], BeforeValidator(lambda name: "bfloat16" if name == "bf16" else name)]
P = TypeVar("P", bound=Strict)
MOST_OF_CHOICE = 60
"""A choice that is a longer text is named by its beginning."""
FAMILY_COLUMNS = ("statistic", "variant", "group_a", "group_b", "category", "condition", "attribute", "template")


def _without_margin(given: Any) -> Any:
    """`smallest_effect: null` switches all margins off, `{log: null}` one; a dump leaves null out, so it becomes 0."""
    found = dict.fromkeys(Scale) if given is None else given
    return {Scale(key): value or 0.0 for key, value in found.items()} if isinstance(found, dict) else found


class AuditSpec(Strict):
    """What every audit declares. Each probe adds its own lists and params."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    probe: str
    model: Annotated[str, Field(max_length=500)]
    seed: Annotated[int, Field(ge=0, lt=2**31)] = 0
    dtype: Dtype = "float32"
    families: Annotated[tuple[str, ...], Field(strict=False)] = ("statistic",)
    """Measures that agree in these columns form one family for q-values."""
    alpha: Annotated[float, Field(gt=0.0, lt=0.5)] = 0.05
    """The false discovery rate that a verdict claims; the width of intervals is another matter."""
    smallest_effect: Annotated[Mapping[Scale, Annotated[float, Field(ge=0.0)]], BeforeValidator(_without_margin)] = {}
    """By scale from which size on an effect matters, where it is not as by default; 0 or null: no margin."""

    summary_params: ClassVar[Set[str]] = frozenset()
    """Those of a probe's params that only change how records are summarised."""

    @field_validator("name")
    @classmethod
    def _not_blank(cls, name: str) -> str:
        if not name.strip() or not name.isprintable():
            raise ValueError("give the audit a name that can be read")
        return name.strip()

    @field_validator("model")
    @classmethod
    def _known_form(cls, model: str) -> str:
        return str(ModelReference.parse(model))

    @field_validator("families")
    @classmethod
    def _known_columns(cls, families: tuple[str, ...]) -> tuple[str, ...]:
        if unknown := [column for column in families if column not in FAMILY_COLUMNS]:
            raise ValueError(f"{unknown[0]!r} is no column of a measure; use some of {', '.join(FAMILY_COLUMNS)}")
        return families

    def margin(self, scale: Scale) -> float:
        """From which size on an effect on this scale matters; NaN where the margin is switched off."""
        return self.smallest_effect.get(scale, SMALLEST_EFFECTS[scale]) or math.nan

    def sources(self) -> dict[str, tuple[Source[Any], ...]]:
        """The spec's lists by field name, with those of its parts of the same name."""
        found: dict[str, tuple[Source[Any], ...]] = {}
        for field, sources in _lists_of(self):
            found[field] = found.get(field, ()) + sources
        return found

    def with_sources(self, changed: Callable[[str, Source[Any]], Source[Any]]) -> Self:
        """The same with each list, also those of its parts, as `changed` makes it of its field's name and itself."""
        return _with_lists(self, changed)

    def references(self) -> tuple[str, ...]:
        """Every model, folder or file outside of the vocabularies that the spec names."""
        return (self.model,)

    def people(self, snapshots: Mapping[str, Mapping[str, Any]]) -> list[str]:
        """The names of people that it asks about, if it asks about any."""
        return []

    def sentence_words(self, snapshots: Mapping[str, Mapping[str, Any]]) -> Words:
        """The words that put an item's sentence together again; none where sentences are not made of words."""
        return Words({}, {}, ())

    def rated_words(self, snapshots: Mapping[str, Mapping[str, Any]]) -> tuple[Sequence[Group], Sequence[Attribute]]:
        """The groups and the attributes that people may have judgements of."""
        return (), ()

    def judgements(self, snapshots: Mapping[str, Mapping[str, Any]]) -> Judgements | None:
        """What people hold of groups; None where the spec names no ratings. SpecError for ratings at odds."""
        return None

    def base(self) -> int | None:
        """The finished run whose records this one reads beside its own, if it only adds to one."""
        return None

    def cost(self, snapshots: Mapping[str, Mapping[str, Any]]) -> str:
        """What asking costs, as it is shown before the start; empty where nobody is paid."""
        return ""

    def planned_tests(self, snapshots: Mapping[str, Mapping[str, Any]]) -> list[PlannedTest]:
        """The tests of which it can be said before the launch what they detect; the planned contrast first."""
        return []

    def phases(self, declared: tuple[str, ...]) -> tuple[str, ...]:
        """Those of the card's phases that this audit needs."""
        return declared

    def scoring_params(self) -> dict[str, Any]:
        """The params that change records."""
        params = getattr(self, "params", None)
        return params.model_dump(mode="json", exclude=set(self.summary_params)) if isinstance(params, Strict) else {}

    @property
    def variant(self) -> str:
        """Empty for the primary definition, else the choices that change the numbers."""
        return self.choices(self.summary_params)

    def choices(self, besides: Set[str]) -> str:
        """The params chosen in place of their defaults, but `besides`, and the dtype: as variants name them."""
        params = getattr(self, "params", None)
        assert isinstance(params, Strict)  # noqa: S101 -- of the probes that have some
        chosen = params.model_dump(mode="json", exclude=set(besides), exclude_defaults=True)
        named = [_choice(key, value) for key, value in chosen.items()]
        return ", ".join([*named, *([self.dtype] if self.dtype != "float32" else [])])

    def check(self, snapshots: Mapping[str, Mapping[str, Any]]) -> None:
        """What can be told wrong without the model; each probe's spec says more. Raises SpecError."""

    def dump(self) -> dict[str, Any]:
        """Plain data that parses back to this spec."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)


def _lists_of(part: Strict) -> Iterator[tuple[str, tuple[Source[Any], ...]]]:
    """Field and lists of a spec, or of a part of one."""
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
    """The spec of a probe from plain data. SpecError, in one line, for anything wrong."""
    from plumbline.spec.registry import PROBES

    if not isinstance(data, Mapping):
        raise SpecError("an audit spec is a mapping of keys such as name, probe, model, groups, attributes, templates.")
    probe = data.get("probe")
    if not isinstance(probe, str) or probe not in PROBES:
        what = "names no probe" if probe is None else f"names the unknown probe {probe!r}"
        raise SpecError(f"the spec {what}; the probes are {', '.join(sorted(PROBES))}.")
    _refuse_control_characters(data)
    try:
        return PROBES[probe].spec.model_validate(dict(data))
    except ValidationError as error:
        raise SpecError(f"spec {str(data.get('name', ''))!r}: {in_one_line(error)}") from None


def _refuse_control_characters(data: Any) -> None:
    """A NUL or a lone surrogate is in no word, and PostgreSQL cannot keep it."""
    if isinstance(data, str):
        if any(unicodedata.category(character) in ("Cc", "Cs") for character in set(data) - {"\n", "\t"}):
            raise SpecError(f"{data!r} contains a control character; take it out.")
    elif isinstance(data, Mapping):
        for key, value in data.items():
            _refuse_control_characters(key)
            _refuse_control_characters(value)
    elif isinstance(data, list | tuple):
        for value in data:
            _refuse_control_characters(value)


class _Loader(yaml.SafeLoader):
    """Safe YAML in which a key that stands twice is an error instead of the last one winning."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        if twice := [key for index, key in enumerate(keys) if key in keys[:index]]:
            raise yaml.YAMLError(f"the key {twice[0]!r} stands twice on line {node.start_mark.line + 1} or below")
        return super().construct_mapping(node, deep)


def read_yaml(path: Path) -> Any:
    """The plain data of a YAML file. SpecError when it cannot be read or is no YAML."""
    try:
        return yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader)  # noqa: S506 -- a SafeLoader
    except OSError as error:
        raise SpecError(f"cannot read the spec {path}: {error.strerror}.") from None
    except RecursionError:
        raise SpecError(f"{path} is nested too deeply for an audit spec.") from None
    except (yaml.YAMLError, ValueError) as error:  # ValueError: no UTF-8, or what only looks like a date or a number
        raise SpecError(f"{path} is no valid YAML in UTF-8: {error}") from None
