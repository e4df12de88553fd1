"""Rules of a gate, as a YAML file gives them."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import Field, ValidationError, model_validator

from plumbline.spec.errors import InputError, shown
from plumbline.spec.faults import in_one_line
from plumbline.spec.plain_data import check_plain
from plumbline.spec.sources import Strict
from plumbline.spec.yaml_file import MOST_BYTES, load, read_yaml

Against = Literal["nothing", "last run", "baseline"]
Counts = Literal["breach", "undecided", "pass"]


class Rule(Strict):
    """One rule: the figures that it is about, and the smallest effect, or change, that it forbids."""

    name: str = Field(min_length=1, max_length=200)
    statistic: str = Field(min_length=1)
    smallest_effect: float = Field(gt=0, allow_inf_nan=False)
    """In the unit of the statistic, from its value without any effect; of a change in the unit of the change."""
    against: Against = "nothing"
    group_a: str | None = None
    group_b: str | None = None
    category: str | None = None
    condition: str | None = ""
    """The condition of the figures; None for any."""
    attribute: str = ""
    every_word: bool = False
    """Whether the rule is about each single word instead of the figures over all words."""
    variant: str | None = None
    """None for the primary definition."""
    missing: Counts = "breach"
    not_testable: Counts = "breach"
    no_baseline: Counts = "breach"
    """What it counts as if there is no earlier run to compare with, or it measured in another way."""

    @model_validator(mode="after")
    def _fits_together(self) -> "Rule":
        if self.attribute and self.every_word:
            raise ValueError("give attribute or every_word, not both")
        if self.variant is not None and self.against != "nothing":
            raise ValueError("a comparison of two runs has no variant; take variant out")
        return self


class Rules(Strict):
    rules: list[Rule] = Field(min_length=1, max_length=500)

    @model_validator(mode="after")
    def _different_names(self) -> "Rules":
        again = [name for name, times in Counter(one.name for one in self.rules).items() if times > 1]
        if again:
            raise ValueError(f"two rules have the name {shown(again[0])}; give each its own")
        return self


def read_rules(path: Path) -> list[Rule]:
    """Return the rules of a file. Raises InputError, in one line, for any error."""
    return _rules(read_yaml(path, "rules"), str(path))


def rules_of_text(text: str) -> list[Rule]:
    """Return the rules of a YAML text. Raises InputError, in one line, for any error."""
    if len(text) > MOST_BYTES:
        raise InputError(f"the rules have more than {MOST_BYTES:,} characters; make several sets of them.")
    try:
        data = load(text)
    except (yaml.YAMLError, ValueError) as error:
        raise InputError(f"the rules are not valid YAML: {' '.join(str(error).split())[:300]}") from None
    return _rules(data, "the rules")


def _rules(data: Any, source: str) -> list[Rule]:
    if not isinstance(data, Mapping):
        raise InputError(f"{source} must be a mapping with the key rules.")
    check_plain(data)
    try:
        return Rules.model_validate(dict(data)).rules
    except ValidationError as error:
        raise InputError(f"{source}: {in_one_line(error)}") from None
