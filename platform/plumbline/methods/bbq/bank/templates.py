"""BBQ's tables of templates: a row for each version of a template, with its slots, labels and stereotyped groups."""

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from plumbline.methods.bbq.bank import tables
from plumbline.methods.bbq.bank.collected_faults import Hold
from plumbline.methods.bbq.bank.lines import stated_text
from plumbline.spec.errors import InputError
from plumbline.spec.faults import in_one_line
from plumbline.spec.json_text import load_json

CATEGORIES = {
    "DisabilityStatus": "Disability_status",
    "GenderIdentity": "Gender_identity",
    "PhysicalAppearance": "Physical_appearance",
    "RaceEthnicity": "Race_ethnicity",
    "SexualOrientation": "Sexual_orientation",
    "Gender_x_race": "Race_x_gender",
}
"""The examples spell some categories differently from the templates."""
REQUIRED = ("Q_id", "Category", "Ambiguous_Context", "Disambiguating_Context")
HEARING = "hearing"
"""Hearing loss is more frequent in age: the paper's own example of a bias that meets a base rate (section 3.2)."""


def _groups(cell: Any) -> Any:
    """Return the groups of a cell: a JSON list, or a curator's words with semicolons between them."""
    text = str(cell).strip()
    if not text.startswith("["):
        return tuple(word.strip() for word in text.split(";") if word.strip())
    try:
        return tuple(load_json(text))
    except ValueError:
        raise ValueError(f'{text[:60]!r} is no list of groups, such as ["old"]') from None


Groups = Annotated[tuple[str, ...], BeforeValidator(_groups)]
Cell = Annotated[str, BeforeValidator(lambda cell: str(cell).strip())]
Truth = Annotated[bool, BeforeValidator(lambda cell: tables.is_true(str(cell)))]
Category = Annotated[str, BeforeValidator(lambda cell: CATEGORIES.get(str(cell).strip(), str(cell).strip()))]


class Template(BaseModel):
    """One row. Texts and lists of words are verbatim. Source: nyu-mll/BBQ, templates (CC-BY-4.0)."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    number: Annotated[Cell, Field(alias="Q_id", min_length=1)]
    version: Annotated[Cell, BeforeValidator(stated_text)] = ""
    category: Annotated[Category, Field(alias="Category", min_length=1)]
    subcategory: Annotated[Cell, Field(alias="Subcategory")] = ""
    ambiguous: str = Field(alias="Ambiguous_Context", min_length=1)
    disambiguating: str = Field(alias="Disambiguating_Context")
    fills: str = Field(default="", alias="Names")
    words: str = Field(default="", alias="Lexical_diversity")
    proper: Truth = Field(default=False, alias="Proper_nouns_only")
    negative: str = Field(default="", alias="Question_negative_stereotype")
    non_negative: str = Field(default="", alias="Question_non_negative")
    answer_negative: str = Field(default="", alias="Answer_negative")
    answer_non_negative: str = Field(default="", alias="Answer_non_negative")
    value: Cell = Field(default="", alias="Relevant_social_values")
    groups: Groups = Field(default=(), alias="Known_stereotyped_groups")
    races: Groups = Field(default=(), alias="Known_stereotyped_race")
    second: Cell = Field(default="", alias="Known_stereotyped_var2")
    second_info: Groups = Field(default=(), alias="Var2_info")
    info1: Cell = Field(default="", alias="NAME1_info")
    info2: Cell = Field(default="", alias="NAME2_info")
    gender: Cell = Field(default="", alias="Stated_gender_info")
    notes: Cell = Field(default="", alias="Notes")

    @property
    def stereotyped(self) -> tuple[str, ...]:
        """Return the groups that the bias is about; of an intersectional template the races."""
        return self.groups or self.races

    @property
    def intersectional(self) -> bool:
        return bool(self.second)

    @property
    def base_rate(self) -> bool:
        return HEARING in self.value.lower()


Placed = tuple[str, Template]


def read(files: Sequence[tables.File], hold: Hold = nullcontext) -> tuple[list[Placed], list[str]]:
    """Return the templates of all files with their places, and notices.

    Raises InputError naming file and line of the first fault, unless `hold` collects all.
    """
    found: list[Placed] = []
    notices: list[str] = []
    for path in files:
        with hold():
            cells, told = tables.rows(path, REQUIRED, hold)
            found += _templates(cells, hold)
            notices += told
    return found, notices


def _templates(cells: Sequence[tuple[str, dict[str, str]]], hold: Hold) -> list[Placed]:
    """Return the templates. A row without an ambiguous context is none."""
    found = []
    for place, row in cells:
        with hold():
            if row["Ambiguous_Context"].strip():
                found.append((place, _template(row, place)))
    return found


def _template(row: dict[str, str], place: str) -> Template:
    try:
        return Template.model_validate(row)
    except ValidationError as error:
        raise InputError(f"{place}: {in_one_line(error)}") from None
