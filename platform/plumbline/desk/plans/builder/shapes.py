"""Which fields the form of a method has, read from its spec's pydantic fields. No method is named here."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from inspect import get_annotations
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt, MaxLen
from pydantic.fields import FieldInfo

from plumbline.audits.freezing import KIND_OF_FIELD
from plumbline.desk.plans.builder.field_docs import described
from plumbline.spec.audit import AuditSpec
from plumbline.spec.field_kinds import ForKinds, Slots
from plumbline.spec.prior import Prior
from plumbline.spec.reference import NamesModel
from plumbline.spec.registry import PROBES
from plumbline.spec.sources import Source, Strict

OWN_INPUTS = ("name", "probe", "model")
"""Fields that have their own place on the page."""
PARAMS = "params"
MOST_IN_FRONT = 4
"""The most params that stand in front. The others are under "More settings"."""
NUMBERS = {int: "whole", float: "number"}


@dataclass(frozen=True, slots=True)
class Setting:
    """One value that people type or choose. `path` is its place in the spec; empty text means the default."""

    path: tuple[str, ...]
    help: str
    kind: str
    """`text`, `whole`, `number`, `yes_no`, `choice`, or `several`: texts with commas between them."""
    options: tuple[str, ...] = ()
    default: str = ""
    required: bool = False
    least: str = ""
    most: str = ""
    rare: bool = False
    numbers: bool = False
    """Whether the texts of `several` are whole numbers."""
    model: NamesModel | None = None
    """Which models it may name, if it names one."""
    kinds: tuple[str, ...] = ()
    """The kinds of model that it concerns; empty: all."""

    @property
    def key(self) -> str:
        return ".".join(self.path)

    @property
    def title(self) -> str:
        return self.path[-1].replace("_", " ").capitalize()


@dataclass(frozen=True, slots=True)
class ListField:
    """A field that takes lists of words. `options` are settings of each list, whose path is their own key."""

    key: str
    help: str
    kind: str
    """The kind of list in the vocabulary."""
    required: bool
    single: bool
    """Whether the field takes one list only."""
    has_only: bool
    word: str
    """How a spec names a list: `list` or `bank`."""
    options: tuple[Setting, ...]
    entries: Any = None
    """The type of a list's entries, [entries]: what a spec may hold inline."""
    slots: tuple[str, ...] = ()
    """The slots that each template of a list must have; empty: any."""

    @property
    def title(self) -> str:
        return self.key.replace("_", " ").capitalize()


@dataclass(frozen=True, slots=True)
class Shape:
    """The form of one method. `keys` are all fields of its spec."""

    lists: tuple[ListField, ...]
    settings: tuple[Setting, ...]
    has_prior: bool
    keys: frozenset[str]


@cache
def shape_of(probe: str) -> Shape:
    """Return the form's fields for a method. Raises KeyError for an unknown one."""
    spec = PROBES[probe].spec
    fields = described(spec)
    lists = tuple(filter(None, (_list_field(key, field) for key, field in fields.items())))
    known = {one.key for one in lists}
    return Shape(
        lists=lists,
        settings=tuple(_settings(spec, known)),
        has_prior="prior" in fields and _core(fields["prior"].annotation) is Prior,
        keys=frozenset(fields),
    )


def _settings(spec: type[AuditSpec], lists: set[str]) -> Iterator[Setting]:
    fields = {key: field for key, field in described(spec).items() if key not in {*OWN_INPUTS, *lists}}
    common = AuditSpec.model_fields
    yield from filter(None, (_setting((key,), field) for key, field in fields.items() if key not in common))
    params = _core(fields[PARAMS].annotation) if PARAMS in fields else None
    if isinstance(params, type) and issubclass(params, Strict):
        yield from _of_params(params, set(spec.summary_params))
    yield from filter(None, (_setting((key,), field, rare=True) for key, field in fields.items() if key in common))


def _of_params(params: type[Strict], summary: set[str]) -> Iterator[Setting]:
    """Yield the params: some that change what the model is asked in front, the method's own first; the rest as rare."""
    own = get_annotations(params)
    ordered = sorted(described(params).items(), key=lambda pair: pair[0] not in own)
    left = MOST_IN_FRONT
    for key, field in ordered:
        if one := _setting((PARAMS, key), field, rare=key in summary or left < 1):
            left -= not one.rare
            yield one


def _help(field: FieldInfo) -> str:
    """Return the docstring of a field as plain text on one line."""
    return " ".join((field.description or "").replace("`", "").split())


def _core(annotation: Any) -> Any:
    """Return the annotation without Annotated and Optional."""
    if get_origin(annotation) is Annotated:
        return _core(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        others = [one for one in get_args(annotation) if one is not NoneType]
        return _core(others[0]) if len(others) == 1 else annotation
    return annotation


def _setting(path: tuple[str, ...], field: FieldInfo, rare: bool = False) -> Setting | None:
    """Return the setting of a field that holds one plain value or a list of them, else None."""
    kind, options = _kind(_core(field.annotation))
    if not kind or (kind == "choice" and len(options) < 2):
        return None
    least, most = _bounds(field)
    is_set = not field.is_required() and field.default is not None
    return Setting(
        path,
        _help(field),
        kind,
        options,
        default=_as_text(field.default) if is_set else "",
        required=field.is_required(),
        least=least,
        most=most,
        rare=rare,
        model=next((one for one in field.metadata if isinstance(one, NamesModel)), None),
        kinds=next((one.kinds for one in _metadata(field) if isinstance(one, ForKinds)), ()),
        numbers=kind == "several" and _core(get_args(_core(field.annotation))[0]) is int,
    )


def _kind(core: Any) -> tuple[str, tuple[str, ...]]:
    if core is bool:
        return "yes_no", ()
    if core is str or core in NUMBERS:
        return NUMBERS.get(core, "text"), ()
    if get_origin(core) is Literal:
        return "choice", tuple(map(str, get_args(core)))
    if get_origin(core) is tuple:
        inside = {_core(one) for one in get_args(core) if one is not Ellipsis}
        if inside <= {str} or inside <= {int}:
            return "several", ()
        if len(inside) == 1 and get_origin(one := inside.pop()) is Literal:
            return "several", tuple(map(str, get_args(one)))
    return "", ()


def _bounds(field: FieldInfo) -> tuple[str, str]:
    least, most = "", ""
    for one in field.metadata:
        if isinstance(one, Ge | Gt):
            least = f"{one.ge if isinstance(one, Ge) else one.gt}"
        elif isinstance(one, Le | Lt):
            most = f"{one.le if isinstance(one, Le) else one.lt}"
    return least, most


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


def _list_field(key: str, field: FieldInfo) -> ListField | None:
    core = _core(field.annotation)
    source = _core(get_args(core)[0]) if get_origin(core) is tuple else None
    if key not in KIND_OF_FIELD or not isinstance(source, type) or not issubclass(source, Source):
        return None
    own = {name: one for name, one in described(source).items() if name not in Source.model_fields}
    options = tuple(filter(None, (_option(name, one) for name, one in own.items())))
    names = str(source.model_fields["slug"].validation_alias)
    return ListField(
        key,
        _help(field),
        KIND_OF_FIELD[key],
        required=field.is_required(),
        single=any(isinstance(one, MaxLen) and one.max_length == 1 for one in _metadata(field)),
        has_only="categories" not in own and KIND_OF_FIELD[key] != "ratings",
        word="bank" if "bank" in names else "list",
        options=options,
        entries=_core(source.model_fields["inline"].annotation),
        slots=next((one.bases for one in _metadata(field) if isinstance(one, Slots)), ()),
    )


def _option(name: str, field: FieldInfo) -> Setting | None:
    """Return the setting of a list. One choice beside nothing, such as `extra: averaged`, is a setting here, too."""
    core = _core(field.annotation)
    if get_origin(core) is Literal and field.default is None:
        return Setting((name,), _help(field), "choice", tuple(map(str, get_args(core))))
    return _setting((name,), field)


def _metadata(field: FieldInfo) -> list[Any]:
    """Return the metadata of a field, that inside of Optional too."""
    found, annotation = list(field.metadata), field.annotation
    while get_origin(annotation) in (Union, UnionType, Annotated):
        if get_origin(annotation) is Annotated:
            found += get_args(annotation)[1:]
        annotation = get_args(annotation)[0]
    return [inner for one in found for inner in (one.metadata if isinstance(one, FieldInfo) else [one])]
