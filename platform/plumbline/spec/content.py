"""The words of an audit: what an inline list holds, and what a curated list gives when a run freezes it."""

from pydantic import BaseModel, ConfigDict, field_validator


def _named(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    return text


class Entry(BaseModel):
    """One word with its forms. Curated entries carry more (domain, source); a run uses what is declared here."""

    model_config = ConfigDict(frozen=True, extra="ignore", str_strip_whitespace=True)


class Group(Entry):
    """A social group. Only the forms that a template uses are needed."""

    label: str
    singular: str = ""
    plural: str = ""
    pronoun: str = ""

    _label = field_validator("label")(_named)


class Attribute(Entry):
    """A trait, occupation or other word that a group may be tied to; `text` stands in `{attribute}`."""

    text: str
    plural: str = ""

    _text = field_validator("text")(_named)


class Name(Entry):
    """A first name and the group whose members bear it."""

    name: str
    group: str = ""
    pronoun: str = ""

    _name = field_validator("name")(_named)
