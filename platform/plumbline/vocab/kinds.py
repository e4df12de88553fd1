"""The kinds of curated lists, by the word that commands and files use."""

from dataclasses import dataclass
from typing import Any

from plumbline.spec.errors import InputError
from plumbline.vocab.models import (
    Attribute,
    AttributeSet,
    Group,
    GroupList,
    Name,
    NameList,
    Pairing,
    PairingList,
    Rating,
    RatingList,
    SentenceTemplate,
    TemplateList,
    TraitList,
    TraitPair,
)


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of curated list: the model of its lists and that of their entries."""

    name: str
    list_model: type[Any]
    entry_model: type[Any]
    parent: str = "word_list"
    """The foreign key from an entry to its list."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the curated fields of an entry, in the order of files."""
        return (*self.entry_model.COLUMNS, "note")


KINDS = {
    kind.name: kind
    for kind in (
        Kind("names", NameList, Name),
        Kind("groups", GroupList, Group),
        Kind("traits", TraitList, TraitPair),
        Kind("attributes", AttributeSet, Attribute),
        Kind("templates", TemplateList, SentenceTemplate),
        Kind("pairings", PairingList, Pairing),
        Kind("ratings", RatingList, Rating),
    )
}


def kind_named(name: str) -> Kind:
    """Return the kind of that name. Raises InputError if there is none."""
    if name not in KINDS:
        raise InputError(f"unknown kind {name!r}; the kinds are {', '.join(KINDS)}.")
    return KINDS[name]
