"""The words of an audit: the entries of inline lists and of frozen curated lists."""

import re
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

ROWS = re.compile(r"([1-9][0-9]{0,5}) rows?")


def _named(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    return text


class Entry(BaseModel):
    """One word with its forms.

    Curated entries have more fields (domain, source). A run uses the fields declared here.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", str_strip_whitespace=True)


class Group(Entry):
    """A social group.

    Templates need only the forms that they use. The summary alone uses the fields after the forms.
    """

    label: str
    singular: str = ""
    plural: str = ""
    pronoun: str = ""
    domain: str = ""
    """The kind of group, such as Religion. For a pair: "Race x Gender", in the order of its components."""
    human_data_key: str = ""
    """The group's name in people's ratings."""
    pilot: bool = False
    """Whether the group takes part in choosing templates."""
    components: tuple[str, ...] = ()
    """For a pair: the labels of the two groups that it combines, in order."""
    emergent: tuple[str, ...] = ()
    """For a pair: the attributes or poles of a dimension ("low Communion") that people ascribe to the combination
    alone.
    """

    _label = field_validator("label")(_named)

    @field_validator("components")
    @classmethod
    def _none_or_two(cls, labels: tuple[str, ...]) -> tuple[str, ...]:
        if labels and (len(labels) != 2 or len(set(labels)) != 2 or not all(label.strip() for label in labels)):
            raise ValueError("name the two groups that a pair is made of")
        return labels


class Attribute(Entry):
    """A trait, occupation or other word that a model may link with a group. `text` fills `{attribute}`."""

    text: str
    plural: str = ""
    pole: Literal["", "left", "right"] = ""
    """The end of its pair of opposites that the word names. The summary alone uses this and the fields below."""
    pair: str = ""
    """The pair, such as "powerless - powerful". Both poles give the same name."""
    dimension: str = ""
    """The dimension that the pair belongs to, such as Agency."""
    human_data_key: str = ""
    """The pair's name in people's ratings."""
    category: str = ""
    """A part of its set, such as: negative. "171 rows" says that 171 rows of its source have the word."""
    article: str = ""
    """The article before the word if a sentence has {the ...}: "the" for United States, empty for France."""
    group: str = ""
    """The group that the word names, such as: female. Empty for a word that names none."""
    family: str = ""
    """The family of words that are not independent observations, such as the grades of a title.

    Empty: see `family_of`.
    """
    extra: tuple[str, ...] = ()
    """Adjectives that mean the same as this pole. Scores use them only if the spec asks for them."""

    _text = field_validator("text")(_named)

    @property
    def rows(self) -> int:
        """The number of rows of its source that the word stands for, according to its category, else 1."""
        counted = ROWS.fullmatch(self.category)
        return int(counted[1]) if counted else 1


class Name(Entry):
    """A first name and the group whose members have it."""

    name: str
    group: str = ""
    pronoun: str = ""
    frequency: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    """The frequency in the list's own unit, or None if unknown."""

    _name = field_validator("name")(_named)


class Rating(Entry):
    """One person's rating of one group on one pair of opposites: 0 is the left pole, 100 the right one."""

    annotator: str
    group: str
    left: str
    right: str
    rating: Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]
    gender: str = ""
    race: str = ""
    age: str = ""
    education: str = ""
    area: str = ""

    _filled = field_validator("annotator", "group", "left", "right")(_named)
