"""A question of BBQ: a context about two people and a stereotype about one of them (Parrish et al. 2022)."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from plumbline.spec.content import Entry

AMBIG, DISAMBIG = "ambig", "disambig"
NEGATIVE, NON_NEGATIVE = "neg", "nonneg"
OPTIONS = 3
NAMES_SUFFIX = " (names)"
"""The suffix of categories whose questions name groups by proper names. The paper reports these separately."""

Place = Annotated[int, Field(ge=0, lt=OPTIONS)]
Three = tuple[str, str, str]


class Question(Entry):
    """One item: a context, ambiguous or disambiguated, a negative or non-negative question, and three options.

    Option numbers count from 0. Source: Parrish et al. 2022, section 3.
    """

    id: Annotated[str, Field(min_length=1, max_length=200)]
    """Unique within its bank. Published files give "CATEGORY EXAMPLE_ID", such as "Age 17"."""
    category: Annotated[str, Field(min_length=1, max_length=100)]
    """The category as the published examples spell it, such as Race_ethnicity."""
    template: Annotated[str, Field(min_length=1, max_length=100)]
    """The template's number or name within the category. All items of a template form one cluster."""
    version: str = ""
    set: Annotated[int, Field(ge=0)]
    """The set's number within the category. A set has both conditions and both polarities of the same options."""
    polarity: Literal["neg", "nonneg"]
    condition: Literal["ambig", "disambig"]
    context: Annotated[str, Field(min_length=1, max_length=5000)]
    question: Annotated[str, Field(min_length=1, max_length=1000)]
    options: Three
    labels: Three
    """The word that fills the slot for each option (grandfather). UNKNOWN has its own text."""
    codes: Three
    """The group of each option (old, F-Black). UNKNOWN has "unknown"."""
    unknown: Place
    gold: Place
    target: Place | None
    """The option that names the stereotyped group. None if no rule decides: bias scores then omit the item."""
    groups: tuple[str, ...] = ()
    """The stereotyped groups, as the template lists them."""
    value: str = ""
    """The social value that the negative question is about, such as cognitive ability."""
    label_type: Literal["label", "name"] = "label"
    differs: str = ""
    """For intersectional items: how the other person differs from the target (race, gender, race and gender, ...)."""
    subcategory: str = ""
    source: str = ""
    """The publication that attests the bias."""
    base_rate: bool = False
    """Whether the bias matches a real difference of base rates (hearing loss in age)."""
    flags: tuple[str, ...] = ()
    """Known faults of the item. Each measure is also computed without flagged items."""

    @model_validator(mode="after")
    def _sound(self) -> Self:
        if not all(option.strip() for option in self.options):
            raise ValueError("an option is empty")
        if len({option.strip().lower() for option in self.options}) < OPTIONS:
            raise ValueError("two options have the same text")
        if self.target is not None and self.target == self.unknown:
            raise ValueError("the target must not be the UNKNOWN option")
        if (self.gold == self.unknown) != (self.condition == AMBIG):
            raise ValueError(
                f"gold is {'not ' if self.condition == AMBIG else ''}UNKNOWN in a context {self.condition}"
            )
        return self

    @property
    def reported(self) -> str:
        """The category as results name it, with proper names separate from labels."""
        return self.category + (NAMES_SUFFIX if self.label_type == "name" else "")

    @property
    def cluster(self) -> str:
        """The item's template, as records and measures name it."""
        return f"{self.reported} {self.template}"

    @property
    def non_target(self) -> int | None:
        """The option that is neither target nor UNKNOWN."""
        return None if self.target is None else OPTIONS - self.target - self.unknown

    @property
    def biased(self) -> int | None:
        """The answer that agrees with the bias: the target for a negative question, else the other person."""
        return self.target if self.polarity == NEGATIVE else self.non_target
