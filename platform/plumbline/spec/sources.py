"""Where the words of an audit come from: curated lists by name, or written inline in the spec."""

import unicodedata
from collections.abc import Mapping
from typing import Annotated, Any, Generic, Literal, Self, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from plumbline.spec.content import Attribute, Entry, Group, Rating
from plumbline.spec.errors import SpecError
from plumbline.spec.grammar import expand, frame

E = TypeVar("E")


class Strict(BaseModel):
    """A part of a spec: frozen, and an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, strict=True)


class Source(Strict, Generic[E]):
    """One list: `{list: SLUG, only: [...]}` names a curated one, `{inline: [...]}` holds its entries itself.

    `sha256` is set when a run freezes the spec: the snapshot that holds the list's content.
    """

    slug: str | None = Field(default=None, alias="list")
    only: Annotated[tuple[str, ...], Field(min_length=1, strict=False)] | None = None
    inline: Annotated[tuple[E, ...], Field(min_length=1, strict=False)] | None = None
    sha256: str | None = None

    @model_validator(mode="after")
    def _one_origin(self) -> Self:
        if (self.slug is None) == (self.inline is None):
            raise ValueError("give either 'list' (the slug of a curated list) or 'inline' (the entries)")
        if self.only is not None and self.slug is None:
            raise ValueError("'only' chooses from a curated list; an inline list needs none")
        return self

    def chosen(self, words: Mapping[str, Any]) -> Mapping[str, Any]:
        """What a run freezes of the list's content: all of it, unless a kind of source takes a part. SpecError."""
        return words


class AttributeSource(Source[Attribute]):
    """Attributes; `form: plural` puts the plural of each word into the `{attribute}` slot ("women are nurses")."""

    form: Literal["text", "plural"] = "text"


class RatingSource(Source[Rating]):
    """Human judgements; `flagged: keep` keeps ratings that are hardly what people answered (see `rating_flags`)."""

    flagged: Literal["keep"] | None = None


def _as_tuple(value: Any) -> Any:
    """One source may stand alone; several stand in a list and are joined."""
    sources = (value,) if isinstance(value, Mapping | Source) else value
    if not isinstance(sources, list | tuple) or not all(isinstance(source, Mapping | Source) for source in sources):
        raise ValueError("write {list: NAME} or {inline: [...]}, or a list of these")
    return sources


def entries_with(kind: type[Entry], key: str) -> Any:
    """A bare string in an inline list stands for an entry that has only this label.

    An entry that a person writes has no other keys than those of its kind; curated ones may have more.
    """

    def complete(value: Any) -> Any:
        if not isinstance(value, Mapping) or not isinstance(value.get("inline"), list | tuple):
            return value
        return {**value, "inline": [_entry(entry, kind, key) for entry in value["inline"]]}

    return BeforeValidator(complete)


def _entry(entry: Any, kind: type[Entry], key: str) -> Any:
    if isinstance(entry, str):
        return {key: entry}
    if not isinstance(entry, Mapping | Entry):
        raise ValueError(f"{entry!r} is no text, as YAML reads it; put the word in quotes")
    if isinstance(entry, Mapping) and (unknown := [name for name in entry if name not in kind.model_fields]):
        raise ValueError(f"unknown key {unknown[0]!r}; the keys of an entry are {', '.join(kind.model_fields)}")
    return entry


Joined = BeforeValidator(_as_tuple)
_Some = Field(min_length=1, strict=False)
Groups = Annotated[tuple[Annotated[Source[Group], entries_with(Group, "label")], ...], Joined, _Some]
Attributes = Annotated[tuple[Annotated[AttributeSource, entries_with(Attribute, "text")], ...], Joined, _Some]
Templates = Annotated[tuple[Source[str], ...], Joined, _Some]
Ratings = Annotated[
    tuple[Annotated[RatingSource, entries_with(Rating, "annotator")], ...],
    Joined,
    Field(min_length=1, max_length=1, strict=False),
]
"""One list of human judgements."""


def entries_of(source: Source[Any], snapshots: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any] | str]:
    """The entries of one source: its own, or those of its snapshot that `only` leaves. SpecError for a wrong `only`."""
    if source.inline is not None:
        return [entry.model_dump() if isinstance(entry, Entry) else entry for entry in source.inline]
    if source.sha256 is None:
        raise SpecError(f"list {source.slug!r} is not frozen yet; launch the spec as a run first.")
    entries = list(snapshots[source.sha256]["entries"])
    if source.only is None:
        return entries
    by_label = {_label(entry): entry for entry in entries}
    if missing := [label for label in source.only if label not in by_label]:
        raise SpecError(f"list {source.slug!r} has no entry {missing[0]!r}, which 'only' names.")
    return [by_label[label] for label in source.only]


def _label(entry: Mapping[str, Any]) -> str:
    return str(next(entry[key] for key in ("label", "text", "name", "template") if key in entry))


def groups_of(sources: Groups, snapshots: Mapping[str, Mapping[str, Any]]) -> list[Group]:
    """The groups of a frozen spec, in order. SpecError for an empty list or a label that stands twice."""
    groups = [Group.model_validate(entry) for source in sources for entry in entries_of(source, snapshots)]
    _unique([group.label for group in groups], "group")
    return groups


def attributes_of(sources: Attributes, snapshots: Mapping[str, Mapping[str, Any]]) -> list[tuple[Attribute, str]]:
    """The attributes of a frozen spec with the slug of the list that each comes from ("" for inline ones)."""
    found: list[tuple[Attribute, str]] = []
    for source in sources:
        for entry in entries_of(source, snapshots):
            found.append((_in_form(Attribute.model_validate(entry), source.form), source.slug or ""))
    _unique([attribute.text for attribute, _ in found], "attribute")
    return found


def ratings_of(sources: Ratings, snapshots: Mapping[str, Mapping[str, Any]]) -> list[Rating]:
    """The human judgements of a frozen spec. SpecError for `only`, which has nothing to choose by."""
    if any(source.only is not None for source in sources):
        raise SpecError("'only' does not go with ratings; choose groups with the 'only' of the groups.")
    return [Rating.model_validate(entry) for source in sources for entry in entries_of(source, snapshots)]


def _in_form(attribute: Attribute, form: str) -> Attribute:
    if form == "text":
        return attribute
    if not attribute.plural:
        raise SpecError(f"attribute {attribute.text!r} has no plural, which 'form: plural' asks for: add it.")
    return attribute.model_copy(update={"text": attribute.plural, "plural": ""})


def templates_of(sources: Templates, snapshots: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The templates of a frozen spec, alternatives expanded. SpecError for one that stands twice."""
    return list(kinds_of(sources, snapshots))


def kinds_of(sources: Templates, snapshots: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Each template, alternatives expanded, with its kind of sentence: the list's `variation`, else its own frame.

    SpecError for a template that stands twice.
    """
    entries = [entry for source in sources for entry in entries_of(source, snapshots)]
    rows = [{"template": entry} if isinstance(entry, str) else entry for entry in entries]
    told = [(template, row.get("variation")) for row in rows for template in expand(str(row["template"]))]
    found = [(template, str(kind or frame(template))) for template, kind in told]
    _unique([template for template, _ in found], "template")
    return dict(found)


def _unique(labels: list[str], kind: str) -> None:
    if not labels:
        raise SpecError(f"the list of {kind}s is empty; give at least one {kind}.")
    seen: set[str] = set()
    for label in labels:
        if not label.strip():
            raise SpecError(f"a {kind} is empty; name it or take it out.")
        # Two spellings of one accent look the same to whoever reads the results.
        if (same := unicodedata.normalize("NFC", label)) in seen:
            raise SpecError(f"{kind} {label!r} stands twice; keep it once.")
        seen.add(same)
