"""Selection of the names and jobs that reach the thresholds, from any of the tables."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from plumbline.methods.bbq.bank.collected_faults import Gathered
from plumbline.methods.bbq.proposals import births, census, further_tables, tzioumis
from plumbline.methods.bbq.proposals.further_tables import Job
from plumbline.methods.bbq.proposals.name_counts import ASIAN, Counted
from plumbline.methods.bbq.proposals.rules import ALONE, BIRTHS, GIVEN, JOB, SOURCES, SURNAMES, TZIOUMIS, Needed, Rule
from plumbline.vocab.bundles import Sent

LOW, HIGH = "lowSES", "highSES"
PARTS = ("births", "tzioumis", "surnames", "women", "men", "bartz", "prestige")
"""The parts of the form that take files."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A name or a job that may be accepted."""

    text: str
    part: str
    group: str
    """Ethnicity; of a job lowSES or highSES; "" of a given name that stands alone."""
    gender: str
    source: str
    share: float | None = None
    count: float | None = None
    """The number of people with the name; of a job its prestige."""
    ticked: bool = True

    @property
    def key(self) -> str:
        return "|".join((self.part, self.group, self.gender if self.part == ALONE else "", self.text))


@dataclass(frozen=True)
class Tables:
    """The tables that were sent."""

    counted: dict[str, list[Counted]] = field(default_factory=dict)
    """Names by source."""
    women: dict[str, float] = field(default_factory=dict)
    men: dict[str, float] = field(default_factory=dict)
    bartz: dict[str, str] = field(default_factory=dict)
    jobs: list[Job] = field(default_factory=list)

    def gender(self, name: str) -> str:
        """Return the gender of a name without one in its table: the more frequent by the 1990 census (our rule)."""
        women, men = self.women.get(name, 0.0), self.men.get(name, 0.0)
        return "" if women == men else "F" if women > men else "M"


def read(files: dict[str, Sent], repeats: bool = False) -> Tables:
    """Return the tables. Raises FaultyTablesError with the faults of all."""
    tables, faults = Tables(), Gathered()
    readers = {TZIOUMIS: tzioumis.given_names, SURNAMES: census.surnames}
    for part, file in files.items():
        with faults.hold():
            if part == BIRTHS:
                tables.counted[part] = births.given_names(file, repeats)
            elif part in readers:
                tables.counted[part] = readers[part](file)
            elif part in ("women", "men"):
                getattr(tables, part).update(census.given_names(file))
            elif part == "bartz":
                tables.bartz.update(further_tables.bartz(file))
            elif part == "prestige":
                tables.jobs.extend(further_tables.jobs(file))
    faults.check()
    return tables


def proposed(tables: Tables, needed: Needed) -> list[Candidate]:
    """Return the candidates by part and group. One that fits two groups of a part is ticked in the first alone."""
    found: dict[str, Candidate] = {}
    for one in _all(tables, needed):
        found.setdefault(one.key, one)
    seen: set[tuple[str, str]] = set()
    told = []
    for one in found.values():
        taken = (one.part, one.text.lower()) in seen
        seen.add((one.part, one.text.lower()))
        told.append(replace(one, ticked=False) if taken else one)
    return told


def _all(tables: Tables, needed: Needed) -> Iterator[Candidate]:
    for rule in needed.rules:
        yield from _by_rule(rule, tables)
    yield from (Candidate(name, GIVEN, ASIAN, gender, "Bartz 2009") for name, gender in tables.bartz.items())
    for gender, names in (("F", tables.women), ("M", tables.men)):
        for name, share in list(names.items())[: needed.gender_top]:
            yield Candidate(name, ALONE, "", gender, "1990 census", share / 100)
    low = [job for job in tables.jobs if job.prestige < needed.low]
    high = [job for job in reversed(tables.jobs) if job.prestige > needed.high]
    yield from _jobs(low, LOW, needed.jobs)
    yield from _jobs(high, HIGH, needed.jobs)


def _by_rule(rule: Rule, tables: Tables) -> Iterator[Candidate]:
    fitting = [name for name in tables.counted.get(rule.source, ()) if not rule.lacking(name)]
    ordered = sorted(fitting, key=lambda name: (-name.shares[rule.ethnicity], -name.count, name.name))
    for name in ordered[: rule.top or None]:
        gender = (name.gender or tables.gender(name.name)) if rule.part == GIVEN else ""
        share = name.shares[rule.ethnicity]
        yield Candidate(name.name, rule.part, rule.ethnicity, gender, SOURCES[rule.source], share, name.count)


def _jobs(jobs: Sequence[Job], group: str, ticked: int) -> Iterable[Candidate]:
    for place, job in enumerate(jobs):
        yield Candidate(job.label, JOB, group, "", "NORC prestige", None, job.prestige, place < ticked)
