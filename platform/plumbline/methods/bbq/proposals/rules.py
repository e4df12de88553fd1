"""Thresholds for names and jobs. The defaults are those of Parrish et al. 2022, appendices A and B."""

from dataclasses import dataclass

from plumbline.methods.bbq.proposals.name_counts import ASIAN, BLACK, LATINO, WHITE, Counted

GIVEN, FAMILY, ALONE, JOB = "first", "last", "first_only", "job"
"""Parts. The first three are BBQ's First_last."""
BIRTHS, TZIOUMIS, SURNAMES = "births", "tzioumis", "surnames"
SOURCES = {BIRTHS: "NYC births", TZIOUMIS: "Tzioumis 2018", SURNAMES: "2010 census"}


@dataclass(frozen=True, slots=True)
class Rule:
    """The thresholds from which a name of one table indicates an ethnicity."""

    part: str
    ethnicity: str
    source: str
    share: float
    """The least share of the people with the name, from 0 to 1."""
    count: int = 0
    """The fewest people with the name."""
    top: int = 0
    """The number of names that are proposed, by their share; 0: all."""
    above: bool = False
    """Whether the count must be exceeded."""

    @property
    def key(self) -> str:
        return f"{self.ethnicity}_{self.source}".lower()

    @property
    def label(self) -> str:
        part = "given names" if self.part == GIVEN else "surnames"
        return f"{self.ethnicity} {part}, {SOURCES[self.source]}"

    def lacking(self, name: Counted) -> str:
        """Return the reason why the name is not proposed; "" if it is, apart from `top`."""
        share = name.shares.get(self.ethnicity, 0.0)
        few = name.count <= self.count if self.above else name.count < self.count
        faults = [
            *([f"share {share:.3f} < {self.share:g}"] if share < self.share else []),
            *([f"count {name.count:,} {'<=' if self.above else '<'} {self.count:,}"] if few else []),
        ]
        return "; ".join(faults)


RULES = (
    Rule(GIVEN, ASIAN, BIRTHS, 0.8, 200, above=True),
    Rule(GIVEN, BLACK, TZIOUMIS, 0.8),
    Rule(GIVEN, BLACK, BIRTHS, 0.8, 400),
    Rule(GIVEN, LATINO, TZIOUMIS, 0.85, 150),
    Rule(GIVEN, LATINO, BIRTHS, 0.85, 500),
    Rule(GIVEN, WHITE, TZIOUMIS, 0.95, 5_000),
    Rule(FAMILY, ASIAN, SURNAMES, 0.9, 48_000),
    Rule(FAMILY, BLACK, SURNAMES, 0.42, 40_000, top=20),
    Rule(FAMILY, LATINO, SURNAMES, 0.93, 100_000),
    Rule(FAMILY, WHITE, SURNAMES, 0.91, 90_000),
)


@dataclass(frozen=True, slots=True)
class Needed:
    """All thresholds."""

    rules: tuple[Rule, ...] = RULES
    gender_top: int = 20
    """The number of most frequent given names of women, and of men (1990 census)."""
    low: float = 40.0
    """The prestige below which a job indicates low SES."""
    high: float = 65.0
    """The prestige above which a job indicates high SES."""
    jobs: int = 12
    """The number of jobs of each class that are ticked at first, the most extreme. The authors chose theirs by hand."""
    repeats: bool = False
    """Whether repeated rows of the table of births count again, as the published list requires."""
