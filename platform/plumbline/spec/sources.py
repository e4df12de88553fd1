"""Sources of an audit's words: curated lists by name, or inline lists in the spec."""

import unicodedata
from collections.abc import Mapping
from typing import Annotated, Any, Generic, Literal, Self, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from plumbline.spec.content import Attribute, Entry, Group, Rating
from plumbline.spec.errors import SpecError
from plumbline.spec.grammar import expand, frame

E = TypeVar("E")


class Strict(BaseModel):
    """A part of a spec. It is frozen, and an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, strict=True)


class Source(Strict, Generic[E]):
    """One list: `{list: SLUG, only: [...]}` names a curated list, `{inline: [...]}` holds its own entries.

    `sha256` names the snapshot with the list's content. A run sets it when it freezes the spec.
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
            raise ValueError("'only' chooses from a curated list; remove it from the inline list")
        return self

    def chosen(self, words: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the part of the list's content that a run freezes: all of it, unless a subclass chooses.

        Subclasses may raise SpecError.
        """
        return words


class AttributeSource(Source[Attribute]):
    """Attributes. `form: plural` puts the plural of each word into the `{attribute}` slot ("women are nurses").

    `extra: averaged` also asks the adjectives beside each pole (Cao et al. 2022, footnote 4 and Table A7).
    """

    form: Literal["text", "plural"] = "text"
    extra: Literal["averaged"] | None = None

    @model_validator(mode="after")
    def _extra_as_text(self) -> Self:
        if self.extra and self.form == "plural":
            raise ValueError("'extra: averaged' applies to adjectives, which have no plural; remove 'form: plural'")
        return self


class RatingSource(Source[Rating]):
    """Human judgements. `flagged: keep` keeps suspicious ratings (see `rating_flags`)."""

    flagged: Literal["keep"] | None = None


def _as_tuple(value: Any) -> Any:
    """Put a single source into a tuple. Raises ValueError for anything but a source or a list of sources."""
    sources = (value,) if isinstance(value, Mapping | Source) else value
    if not isinstance(sources, list | tuple) or not all(isinstance(source, Mapping | Source) for source in sources):
        raise ValueError("write {list: NAME} or {inline: [...]}, or a list of these")
    return sources


def entries_with(kind: type[Entry], key: str) -> Any:
    """Return a validator that replaces bare strings in an inline list by entries with only that label.

    Entries that a person writes may have only the keys of their kind. Curated entries may have more.
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
        raise ValueError(f"{entry!r} is not text in YAML; put the word in quotes")
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
"""One list of people's ratings."""


def entries_of(source: Source[Any], snapshots: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any] | str]:
    """Return the entries of one source: inline ones, or those of its snapshot that match `only`.

    Raises SpecError if `only` names an unknown entry, or the list is not frozen.
    """
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
    """Return the groups of a frozen spec, in order. Raises SpecError for an empty list or a repeated label."""
    groups = [Group.model_validate(entry) for source in sources for entry in entries_of(source, snapshots)]
    _unique([group.label for group in groups], "group")
    return groups


def attributes_of(sources: Attributes, snapshots: Mapping[str, Mapping[str, Any]]) -> list[tuple[Attribute, str]]:
    """Return the attributes of a frozen spec, each with the slug of its list ("" for inline ones).

    Adjectives beside the poles come last, each once, if the spec asks for them. Raises SpecError for an empty list, a
    repeated word, or a missing plural.
    """
    found: list[tuple[Attribute, str]] = []
    for source in sources:
        for entry in entries_of(source, snapshots):
            found.append((_as_asked(Attribute.model_validate(entry), source), source.slug or ""))
    _unique([attribute.text for attribute, _ in found], "attribute")
    return found + _extras(found)


def _extras(found: list[tuple[Attribute, str]]) -> list[tuple[Attribute, str]]:
    """Return the adjectives beside the poles that are no attributes themselves. Two poles may share one."""
    known = {attribute.text for attribute, _ in found}
    beside = [(word, pole.dimension, slug) for pole, slug in found for word in pole.extra]
    first = {word: (dimension, slug) for word, dimension, slug in reversed(beside) if word not in known}
    words = dict.fromkeys(word for word, _, _ in beside if word in first)
    return [(Attribute(text=word, dimension=first[word][0]), first[word][1]) for word in words]


def ratings_of(sources: Ratings, snapshots: Mapping[str, Mapping[str, Any]]) -> list[Rating]:
    """Return the ratings of a frozen spec. Raises SpecError for `only`, which does not apply to ratings."""
    if any(source.only is not None for source in sources):
        raise SpecError("ratings have no 'only'; choose groups with the 'only' of the groups.")
    return [Rating.model_validate(entry) for source in sources for entry in entries_of(source, snapshots)]


def _as_asked(attribute: Attribute, source: AttributeSource) -> Attribute:
    if attribute.extra and not source.extra:
        attribute = attribute.model_copy(update={"extra": ()})
    if source.form == "text":
        return attribute
    if not attribute.plural:
        raise SpecError(f"attribute {attribute.text!r} has no plural, which 'form: plural' asks for: add it.")
    return attribute.model_copy(update={"text": attribute.plural, "plural": ""})


def templates_of(sources: Templates, snapshots: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the templates of a frozen spec with expanded alternatives. Raises SpecError for a repeated template."""
    return list(kinds_of(sources, snapshots))


def kinds_of(sources: Templates, snapshots: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Return each template, with expanded alternatives, and its kind of sentence: the list's `variation`, else its
    frame.

    Raises SpecError for a repeated template.
    """
    entries = [entry for source in sources for entry in entries_of(source, snapshots)]
    rows = [{"template": entry} if isinstance(entry, str) else entry for entry in entries]
    expanded = [(template, row.get("variation")) for row in rows for template in expand(str(row["template"]))]
    found = [(template, str(kind or frame(template))) for template, kind in expanded]
    _unique([template for template, _ in found], "template")
    return dict(found)


def _unique(labels: list[str], kind: str) -> None:
    if not labels:
        raise SpecError(f"the list of {kind}s is empty; give at least one {kind}.")
    seen: set[str] = set()
    for label in labels:
        if not label.strip():
            raise SpecError(f"a {kind} is empty; name it or take it out.")
        # Two Unicode spellings of one accent look the same in the results.
        if (same := unicodedata.normalize("NFC", label)) in seen:
            raise SpecError(f"{kind} {label!r} appears twice; keep one.")
        seen.add(same)
