"""The words of an audit: what an inline list holds, and what a curated list gives when a run freezes it."""

import re
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

ROWS = re.compile(r"([1-9][0-9]{0,5}) rows?")


def _named(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    return text


class Entry(BaseModel):
    """One word with its forms. Curated entries carry more (domain, source); a run uses what is declared here."""

    model_config = ConfigDict(frozen=True, extra="ignore", str_strip_whitespace=True)


class Group(Entry):
    """A social group. Only the forms that a template uses are needed; what follows them serves the summary alone."""

    label: str
    singular: str = ""
    plural: str = ""
    pronoun: str = ""
    domain: str = ""
    """What the group is one of, such as Religion; of a pair "Race x Gender", in the order of its components."""
    human_data_key: str = ""
    """The group's name in the human judgements."""
    pilot: bool = False
    """Serves for choosing templates."""
    components: tuple[str, ...] = ()
    """Of a pair: the labels of the two groups that it is made of, in the order in which they stand in it."""
    emergent: tuple[str, ...] = ()
    """Of a pair: attributes, or poles of a dimension ("low Communion"), that people are known to see in it alone."""

    _label = field_validator("label")(_named)

    @field_validator("components")
    @classmethod
    def _none_or_two(cls, labels: tuple[str, ...]) -> tuple[str, ...]:
        if labels and (len(labels) != 2 or len(set(labels)) != 2 or not all(label.strip() for label in labels)):
            raise ValueError("name the two groups that a pair is made of")
        return labels


class Attribute(Entry):
    """A trait, occupation or other word that a group may be tied to; `text` stands in `{attribute}`."""

    text: str
    plural: str = ""
    pole: Literal["", "left", "right"] = ""
    """Which end of its pair of opposites the word is; this and what follows serves the summary alone."""
    pair: str = ""
    """The pair, as "powerless - powerful"; both poles name it alike."""
    dimension: str = ""
    """What the pair tells of, such as Agency."""
    human_data_key: str = ""
    """The pair's name in the human judgements."""
    category: str = ""
    """Part of its set, such as: negative; "171 rows" says how many rows of its source bear the word."""
    article: str = ""
    """What stands before the word where a sentence has {the ...}: "the" of United States; empty for France."""
    group: str = ""
    """Whom the word names, such as: female; empty for a word that says nothing of that."""
    family: str = ""
    """Words that are no independent observations share one, such as the grades of a title; empty: `family_of`."""

    _text = field_validator("text")(_named)

    @property
    def rows(self) -> int:
        """How many rows of its source the word stands for, as its category says; else 1."""
        counted = ROWS.fullmatch(self.category)
        return int(counted[1]) if counted else 1


class Name(Entry):
    """A first name and the group whose members bear it."""

    name: str
    group: str = ""
    pronoun: str = ""
    frequency: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    """In the list's own unit; None: not known."""

    _name = field_validator("name")(_named)


class Rating(Entry):
    """What one person holds of one group on one pair of opposites: 0 is the left pole, 100 the right one."""

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
