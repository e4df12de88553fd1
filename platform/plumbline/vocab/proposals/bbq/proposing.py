"""The names and jobs that reach the thresholds, from whichever tables are at hand."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from plumbline.vocab.banks.bbq.collected_faults import Gathered
from plumbline.vocab.banks.bbq.tables import Sent
from plumbline.vocab.proposals.bbq import births, census, others, tzioumis
from plumbline.vocab.proposals.bbq.counted import ASIAN, Counted
from plumbline.vocab.proposals.bbq.others import Job
from plumbline.vocab.proposals.bbq.rules import ALONE, BIRTHS, GIVEN, JOB, SOURCES, SURNAMES, TZIOUMIS, Needed, Rule

LOW, HIGH = "lowSES", "highSES"
PARTS = ("births", "tzioumis", "surnames", "women", "men", "bartz", "prestige")
"""What files are sent for."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A name or a job that may be accepted."""

    text: str
    part: str
    group: str
    """Ethnicity; of a job lowSES or highSES; of a given name that stands alone nothing."""
    gender: str
    source: str
    share: float | None = None
    count: float | None = None
    """People who bear it; of a job its prestige."""
    ticked: bool = True

    @property
    def key(self) -> str:
        return "|".join((self.part, self.group, self.gender if self.part == ALONE else "", self.text))


@dataclass(frozen=True)
class Tables:
    """Those that were sent."""

    counted: dict[str, list[Counted]] = field(default_factory=dict)
    """By source."""
    women: dict[str, float] = field(default_factory=dict)
    men: dict[str, float] = field(default_factory=dict)
    bartz: dict[str, str] = field(default_factory=dict)
    jobs: list[Job] = field(default_factory=list)

    def gender(self, name: str) -> str:
        """Of a name whose table tells none: the sex that bears it more often by the 1990 census; a rule of ours."""
        women, men = self.women.get(name, 0.0), self.men.get(name, 0.0)
        return "" if women == men else "F" if women > men else "M"


def read(files: dict[str, Sent], repeats: bool = False) -> Tables:
    """Raises FaultyTablesError with the faults of all tables."""
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
                tables.bartz.update(others.bartz(file))
            elif part == "prestige":
                tables.jobs.extend(others.jobs(file))
    faults.check()
    return tables


def proposed(tables: Tables, needed: Needed) -> list[Candidate]:
    """By part and group; who is proposed for two groups in one part is ticked in the first alone."""
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
