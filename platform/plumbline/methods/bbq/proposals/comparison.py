"""Comparison of a proposal with the published vocabulary: in both, only proposed, only published with the reason."""

from collections.abc import Sequence
from dataclasses import dataclass

from plumbline.methods.bbq.bank.vocabulary import Vocabulary, read_files
from plumbline.methods.bbq.proposals.proposing import Candidate, Tables
from plumbline.methods.bbq.proposals.rules import ALONE, FAMILY, GIVEN, JOB, SOURCES, Needed
from plumbline.vocab.bundles import Sent

Group = tuple[str, str]
"""Part, and ethnicity, gender (of given names that stand alone) or SES."""
TITLES = {GIVEN: "given names", FAMILY: "surnames", ALONE: "given names that stand alone", JOB: "jobs"}
OCCUPATION = "Occupation"


@dataclass(frozen=True, slots=True)
class Missing:
    """A published word that is not proposed for its group."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """The comparison of one group."""

    group: Group
    both: list[Candidate]
    only_here: list[Candidate]
    only_there: list[Missing]
    published: int

    @property
    def here(self) -> int:
        return len(self.both) + len(self.only_here)

    @property
    def found(self) -> int:
        """Return the number of published words among the candidates. One word may stand for several jobs."""
        return self.published - len(self.only_there)

    @property
    def title(self) -> str:
        part, group = self.group
        return f"{ {'F': 'Women', 'M': 'Men'}.get(group, group) }: {TITLES[part]}"


def published(names: Sent | None, labels: Sent | None) -> Vocabulary:
    """Return the user's copies of vocabulary_proper_names.csv and vocabulary.csv.

    Raises InputError for a faulty line.
    """
    return read_files(labels, names)[0]


def group_of(one: Candidate) -> Group:
    return one.part, one.gender if one.part == ALONE else one.group


def compare(chosen: Sequence[Candidate], tables: Tables, needed: Needed, vocabulary: Vocabulary) -> list[Comparison]:
    """Return the comparisons in the order of the proposal. A group that only the published list has comes last."""
    there = _there(vocabulary)
    here: dict[Group, list[Candidate]] = {}
    for one in chosen:
        here.setdefault(group_of(one), []).append(one)
    groups = dict.fromkeys([*here, *there])
    return [_compared(group, here.get(group, []), there.get(group, []), tables, needed) for group in groups]


def _there(vocabulary: Vocabulary) -> dict[Group, list[str]]:
    found: dict[Group, list[str]] = {}
    for name in vocabulary.names:
        found.setdefault((name.part, name.gender if name.part == ALONE else name.ethnicity), []).append(name.text)
    for label in vocabulary.labels:
        if label.subcategory == OCCUPATION:
            found.setdefault((JOB, label.info), []).append(label.text)
    return found


def _compared(
    group: Group, here: Sequence[Candidate], there: Sequence[str], tables: Tables, needed: Needed
) -> Comparison:
    same = _same_job if group[0] == JOB else _same_name
    both = [one for one in here if any(same(text, one.text) for text in there)]
    only_there = [text for text in there if not any(same(text, one.text) for one in here)]
    return Comparison(
        group,
        both,
        [one for one in here if one not in both],
        [Missing(text, _reason(text, group, tables, needed)) for text in only_there],
        len(there),
    )


def _same_name(there: str, here: str) -> bool:
    return there.strip().lower() == here.lower()


def _same_job(there: str, here: str) -> bool:
    """Return whether all words of the published job are in the label. The authors rewrote labels in the singular."""
    return _words(there) <= _words(here)


def _words(text: str) -> set[str]:
    return {word.strip(",()").removesuffix("s") for word in text.lower().replace("-", " ").split()}


def _reason(text: str, group: Group, tables: Tables, needed: Needed) -> str:
    if group[0] == JOB:
        found = [f"{job.label}: {job.prestige:g}" for job in tables.jobs if _same_job(text, job.label)]
        return "; ".join(found) or "no label has its words"
    rules = [rule for rule in needed.rules if (rule.part, rule.ethnicity) == group and rule.source in tables.counted]
    told = [
        f"{SOURCES[rule.source]}: {rule.lacking(name) or f'not among the first {rule.top}'}"
        for rule in rules
        for name in tables.counted[rule.source]
        if _same_name(text, name.name)
    ]
    return "; ".join(told) or (
        "not in the tables" if rules or group[0] == ALONE else "no table here is about these names"
    )
