"""The measures of a method that become findings, which people judge. A card declares them."""

from dataclasses import dataclass
from enum import StrEnum


class Rows(StrEnum):
    """The rows of a statistic: figures over all words (of a list, of a category), or figures of single words."""

    OVERALL = "overall"
    WORDS = "words"


class Rank(StrEnum):
    """The order in which findings are taken.

    EFFECT: by the distance of the value from no effect. EVIDENCE: by the distance of the nearer limit of its interval.
    """

    EFFECT = "effect"
    EVIDENCE = "evidence"


@dataclass(frozen=True, slots=True)
class FindingRule:
    """Measures of one statistic that become findings if their verdict is present.

    Only the primary definition counts: the variant with the fewest choices in its name.
    """

    statistic: str
    rows: Rows = Rows.OVERALL
    most: int = 10
    """The most findings that one run adds by this rule. The rest is counted, and anybody can pin one of them."""
    rank: Rank = Rank.EFFECT
    condition: str | None = ""
    """The condition of the rows; None for any."""
    category: str | None = None
    """The category of the rows; None for any."""
    between_groups: bool | None = None
    """True: only rows that name a group; False: only rows that name none; None: both."""
    single_template: bool = False
    """Whether the rows of the only template count in a run that has just one, so no row over all templates."""
    unless: str = ""
    """A statistic that replaces this one in runs that have it."""


@dataclass(frozen=True, slots=True)
class FindingRules:
    """The rules of a method, or the reason why none of its measures becomes a finding."""

    rules: tuple[FindingRule, ...] = ()
    none_because: str = ""

    def __post_init__(self) -> None:
        if bool(self.rules) == bool(self.none_because):
            raise ValueError("give rules, or the reason why no measure of the method becomes a finding")

    @property
    def statistics(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(rule.statistic for rule in self.rules))
