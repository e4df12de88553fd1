"""A question of BBQ: two people of whom a context tells, and a stereotype about one of them (Parrish et al. 2022)."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from plumbline.spec.content import Entry

AMBIG, DISAMBIG = "ambig", "disambig"
NEGATIVE, NON_NEGATIVE = "neg", "nonneg"
OPTIONS = 3
NAMES_SUFFIX = " (names)"
"""After the category of questions that tell groups by proper names: the paper reports these apart."""

Place = Annotated[int, Field(ge=0, lt=OPTIONS)]
Three = tuple[str, str, str]


class Question(Entry):
    """One item: a context, ambiguous or disambiguated, a negative or non-negative question, and three options.

    Source: Parrish et al. 2022, section 3. Places count the options from 0 on.
    """

    id: Annotated[str, Field(min_length=1, max_length=200)]
    """Unique in its bank; of the published files "CATEGORY EXAMPLE_ID", such as "Age 17"."""
    category: Annotated[str, Field(min_length=1, max_length=100)]
    """As the published examples spell it, such as Race_ethnicity."""
    template: Annotated[str, Field(min_length=1, max_length=100)]
    """Its number or name in the category; all items of a template are one cluster."""
    version: str = ""
    set: Annotated[int, Field(ge=0)]
    """Number of its set of four in the category: both conditions, both polarities, same options in the same order."""
    polarity: Literal["neg", "nonneg"]
    condition: Literal["ambig", "disambig"]
    context: Annotated[str, Field(min_length=1, max_length=5000)]
    question: Annotated[str, Field(min_length=1, max_length=1000)]
    options: Three
    labels: Three
    """What was put into the slot that the option names (grandfather); of UNKNOWN its own text."""
    codes: Three
    """The group of each option (old, F-Black); of UNKNOWN: unknown."""
    unknown: Place
    gold: Place
    target: Place | None
    """The option that names the stereotyped group; None: no rule decides, and bias scores leave the item out."""
    groups: tuple[str, ...] = ()
    """The stereotyped groups, as the template lists them."""
    value: str = ""
    """The social value that the negative question is about, such as cognitive ability."""
    label_type: Literal["label", "name"] = "label"
    differs: str = ""
    """Of intersectional items: in what the other person differs from the target: race, gender, race and gender, ..."""
    subcategory: str = ""
    source: str = ""
    """Where the bias is attested."""
    base_rate: bool = False
    """The bias matches a real difference of base rates (hearing loss in age)."""
    flags: tuple[str, ...] = ()
    """Known faults of the item; each measure is also given without the items that have one."""

    @model_validator(mode="after")
    def _sound(self) -> Self:
        if not all(option.strip() for option in self.options):
            raise ValueError("an option is empty")
        if len({option.strip().lower() for option in self.options}) < OPTIONS:
            raise ValueError("two options have the same text")
        if self.target is not None and self.target == self.unknown:
            raise ValueError("the target is the option that says UNKNOWN")
        if (self.gold == self.unknown) != (self.condition == AMBIG):
            raise ValueError(
                f"gold is {'not ' if self.condition == AMBIG else ''}UNKNOWN in a context {self.condition}"
            )
        return self

    @property
    def reported(self) -> str:
        """The category as results name it, proper names apart from labels."""
        return self.category + (NAMES_SUFFIX if self.label_type == "name" else "")

    @property
    def cluster(self) -> str:
        """Its template, as records and measures name it."""
        return f"{self.reported} {self.template}"

    @property
    def non_target(self) -> int | None:
        """The option that is neither target nor UNKNOWN."""
        return None if self.target is None else OPTIONS - self.target - self.unknown

    @property
    def biased(self) -> int | None:
        """The answer that agrees with the bias: the target where the question is negative, else the other person."""
        return self.target if self.polarity == NEGATIVE else self.non_target
