"""The findings of a run for a report: sentence, figures, state, reasons of people, and two example sentences."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plumbline.audits.models import Run
from plumbline.desk.findings.examples import examples_of
from plumbline.desk.findings.factors import Factor, factor_of
from plumbline.findings.concerning import NO_DECISION, concerning, observed_in, shown_in
from plumbline.findings.models import Finding, Observation, Outcome, SignOff, Vote
from plumbline.findings.sentences import group_name
from plumbline.findings.sign_off.changes import changes_since
from plumbline.findings.sign_off.signing import standing
from plumbline.pages.finding_examples import Example
from plumbline.results.items import MOST_OTHERS
from plumbline.spec.card import Statistic
from plumbline.spec.measure import OTHER_GROUPS, Measure
from plumbline.spec.numbers import counted, with_uncertainty
from plumbline.spec.registry import card_of
from plumbline.spec.verdicts import Verdict

MOST = 80
"""The most findings of one run that a report lists."""
EXAMPLES = 2


@dataclass(frozen=True, slots=True)
class Told:
    """A finding as one run shows it."""

    finding: Finding
    seen: Observation
    figures: str
    votes: str
    examples: Sequence[Example]
    how: str
    limits: Sequence[str]
    """Sentences on what the finding and its examples cannot tell, as on the page of the finding."""
    list_mean: str
    """Whether a word is shown to lean more than its list, where the whole list leans the same way."""

    @property
    def statistic(self) -> Statistic | None:
        return _statistic(self.finding)

    @property
    def unit(self) -> str:
        """The unit of the value, or "" without a value."""
        unit = self.statistic.unit if self.statistic else ""
        return "" if self.seen.value is None else unit

    @property
    def factor(self) -> Factor | None:
        """The difference as a factor, where it is one of log probabilities of a word."""
        return factor_of(self.finding, self.seen)

    @property
    def minus(self) -> str:
        """Which group is subtracted from which, or "" for a figure that is no difference of groups."""
        a, b = self.finding.group_a, self.finding.group_b
        return f"{group_name(a)} minus {group_name(b)}" if b else ""

    @property
    def is_present(self) -> bool:
        return self.seen.verdict == "present" and not self.seen.withheld

    @property
    def is_of_earlier_run(self) -> bool:
        """Whether the sentence says what an earlier run showed, and this one does not."""
        return self.seen.verdict != "present" and not self.finding.pinned_name

    @property
    def effect(self) -> float:
        """How far the value is from no effect."""
        return _effect(self.seen)

    @property
    def is_doubtful(self) -> bool:
        """Whether its word has another known reason, such as that it echoes the name of a group."""
        return bool(self.finding.attribute and self.limits)

    @property
    def decision(self) -> str:
        """Who decided what and when, and why."""
        one = self.finding
        if not one.is_judged and self.seen.outcome in NO_DECISION and not one.pinned_name:
            return (
                "Nobody has judged it. This run asks for no judgement: it shows that it is gone, or did not measure it."
            )
        if not one.is_judged:
            return "Nobody has judged it yet."
        on = f" on {one.judged_at:%Y-%m-%d}" if one.judged_at else ""
        why = f" Reason: {ended(one.reason)}" if one.reason else " No reason was given."
        return f"{one.get_state_display()}, by {one.judged_name or 'a person not known any more'}{on}.{why}"


def ended(text: str) -> str:
    """Return people's text with a full stop, so that the next sentence can follow."""
    return text if text.endswith((".", "!", "?")) else f"{text}."


def findings_told(run: Run) -> list[Told]:
    """Return what the run shows of its findings, at most MOST: first what is present, in the order of finding.

    Of more, those are chosen that people judged, then what is present, the largest of each statistic first.
    """
    own = list(observed_in(run.pk).select_related("finding__assignee", "run").order_by("finding_id"))
    seen = sorted(_chosen(own), key=lambda one: (one.withheld, one.verdict != "present", one.finding_id))
    votes = _votes([one.finding_id for one in seen])
    return [_told(one, votes.get(one.finding_id, "")) for one in seen]


def finding_count(run: Run) -> int:
    return observed_in(run.pk).count()


def _chosen(own: Sequence[Observation]) -> list[Observation]:
    of_statistic: Counter[tuple[str, bool]] = Counter()
    place = {}
    for one in sorted(own, key=_effect, reverse=True):
        kind = (one.finding.statistic, bool(one.finding.attribute))
        place[one.pk] = of_statistic[kind]
        of_statistic[kind] += 1
    judged = {one.pk: one.finding.is_judged for one in own}
    return sorted(own, key=lambda one: (not judged[one.pk], one.withheld, one.verdict != "present", place[one.pk]))[
        :MOST
    ]


def _statistic(finding: Finding) -> Statistic | None:
    card = card_of(finding.probe)
    found = card.statistic(finding.statistic) if card else None
    return card.own(found) if card and found else None


def _effect(seen: Observation) -> float:
    """Return how far the value is from no effect."""
    statistic = _statistic(seen.finding)
    return abs((seen.value or 0.0) - (statistic.null if statistic else 0.0))


def _told(seen: Observation, votes: str) -> Told:
    finding = seen.finding
    # Examples are those of the run of the report, which need not be the latest one. Nothing is saved.
    finding.latest = seen
    found = examples_of(finding)
    examples = found.items[: 1 + MOST_OTHERS if finding.group_b == OTHER_GROUPS else EXAMPLES]
    return Told(finding, seen, figures_of(seen), votes, examples, found.how, found.limits, found.list_mean)


def figures_of(seen: Observation) -> str:
    """Return value, interval, sample and q of an observation, or why it has none."""
    if seen.value is None:
        return seen.reason or Outcome(seen.outcome).label
    fields = {name: getattr(seen, name) for name in ("value", "ci_low", "ci_high", "q_value", "unit", "n", "n_units")}
    return with_uncertainty(Measure(statistic=seen.finding.statistic, **fields))


def _votes(findings: Sequence[int]) -> dict[int, str]:
    """Return the votes on each finding in words: `2 for confirmed, 1 for dismissed`."""
    found: dict[int, Counter[str]] = {}
    for one in Vote.objects.filter(finding__in=findings):
        found.setdefault(one.finding_id, Counter())[one.get_state_display().lower()] += 1
    return {pk: ", ".join(f"{n} for {state}" for state, n in sorted(own.items())) for pk, own in found.items()}


@dataclass(frozen=True, slots=True)
class Decisions:
    """What people decided about a run."""

    by_state: tuple[tuple[str, int], ...]
    people: tuple[str, ...]
    signed: SignOff | None
    withdrawn: tuple[SignOff, ...]
    changed: tuple[str, ...] = ()
    """What is no longer as the signer saw it."""
    earlier: int = 0
    """How many of the findings only earlier runs showed, while this run decides nothing about them."""

    @property
    def sentences(self) -> list[str]:
        since = ["Since then something changed.", *self.changed] if self.changed else []
        return [*self._judged(), *self._signed(), *since]

    def _judged(self) -> Iterator[str]:
        if not self.by_state:
            yield "There are no findings to decide about."
            return
        yield "Findings by state: " + ", ".join(f"{state} {n}" for state, n in self.by_state) + "."
        if self.earlier:
            yield (
                f"{self.earlier:,} of these {'was' if self.earlier == 1 else 'were'} found by earlier runs: this run"
                " shows neither that they are there nor that they are gone."
            )
        if self.people:
            yield f"Decided by {', '.join(self.people)}."

    def _signed(self) -> Iterator[str]:
        if self.signed is None:
            yield "No sign-off stands: nobody has decided about the use of the model by this run."
            return
        yield f"Signed off by {self.signed.signed_name} on {self.signed.signed_at:%Y-%m-%d %H:%M} UTC."
        yield f"The signer's decision: {self.signed.decided}"
        if self.signed.note:
            yield f"In the signer's words: “{self.signed.note}”"


def decisions_of(run: Run) -> Decisions:
    """Return what people decided about the findings that the run shows."""
    own = concerning(run)
    states = Counter(one.get_state_display() for one in own)
    people = tuple(sorted({one.judged_name for one in own if one.judged_name and one.is_judged}))
    past = SignOff.objects.filter(signed_runs__run=run, is_of_release=False, withdrawn_at__isnull=False)
    signed = standing(run)
    changed = tuple(changes_since(signed, run)) if signed else ()
    open_here = shown_in(run.pk).exclude(verdict=Verdict.PRESENT).filter(finding__pinned_name="").count()
    return Decisions(tuple(sorted(states.items())), people, signed, tuple(past), changed, open_here)


def findings_word(number: int) -> str:
    return counted(number, "finding")
