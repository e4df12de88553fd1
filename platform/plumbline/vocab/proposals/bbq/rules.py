"""Which names and jobs are proposed. The defaults are those of Parrish et al. 2022, appendices A and B."""

from dataclasses import dataclass

from plumbline.vocab.proposals.bbq.counted import ASIAN, BLACK, LATINO, WHITE, Counted

GIVEN, FAMILY, ALONE, JOB = "first", "last", "first_only", "job"
"""Parts; the first three as BBQ's First_last."""
BIRTHS, TZIOUMIS, SURNAMES = "births", "tzioumis", "surnames"
SOURCES = {BIRTHS: "NYC births", TZIOUMIS: "Tzioumis 2018", SURNAMES: "2010 census"}


@dataclass(frozen=True, slots=True)
class Rule:
    """What a name of one table needs to stand for an ethnicity."""

    part: str
    ethnicity: str
    source: str
    share: float
    """Least share of those who bear it, from 0 to 1."""
    count: int = 0
    """Fewest people who bear it."""
    top: int = 0
    """Only so many, by their share; 0: all."""
    above: bool = False
    """The count itself is not enough."""

    @property
    def key(self) -> str:
        return f"{self.ethnicity}_{self.source}".lower()

    @property
    def label(self) -> str:
        part = "given names" if self.part == GIVEN else "surnames"
        return f"{self.ethnicity} {part}, {SOURCES[self.source]}"

    def lacking(self, name: Counted) -> str:
        """Why the name is not proposed; "" where it is, but for `top`."""
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
    """So many most frequent given names of women, and of men (1990 census)."""
    low: float = 40.0
    """Prestige of a job below which it stands for low SES."""
    high: float = 65.0
    """Prestige above which it stands for high SES."""
    jobs: int = 12
    """Of each, so many are ticked to begin with, the most extreme; the authors chose theirs by hand."""
    repeats: bool = False
    """Rows of the table of births count as often as they stand there, as the published list needs it."""
