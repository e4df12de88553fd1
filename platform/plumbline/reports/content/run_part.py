"""All that a report says about one run."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from plumbline.audits.models import Run
from plumbline.audits.opposites import opposites_of
from plumbline.audits.reuse import wholly_reused
from plumbline.audits.states import RunState
from plumbline.findings.by_method import caveat_of
from plumbline.findings.ended_early import ended_early
from plumbline.findings.models import State, Update
from plumbline.findings.observing import present_in
from plumbline.findings.present_figures import without_finding
from plumbline.findings.selection import rules_of
from plumbline.findings.sensitivity import Statement
from plumbline.findings.sentences import interval_name, notation
from plumbline.findings.untested import untested_sentence
from plumbline.reports.content import figures as whole
from plumbline.reports.content.figures import Contrast, Counts, Figure
from plumbline.reports.content.findings import Decisions, Told, decisions_of, finding_count, findings_told
from plumbline.reports.content.provenance import Provenance, provenance_of
from plumbline.reports.content.scope import Scope, scope_of
from plumbline.results.summary import is_of_earlier_rules
from plumbline.spec.measure import Measure
from plumbline.spec.registry import card_of


@dataclass(frozen=True)
class RunPart:
    """One run of a report. Each part is read once, when a template asks for it."""

    run: Run

    @property
    def is_done(self) -> bool:
        return self.run.state == RunState.DONE

    @cached_property
    def scope(self) -> Scope:
        return scope_of(self.run)

    @cached_property
    def findings(self) -> list[Told]:
        return findings_told(self.run)

    @property
    def present(self) -> list[Told]:
        return [one for one in self.findings if one.is_present]

    @cached_property
    def present_count(self) -> int:
        """How many findings are present in the run that reviewers did not dismiss, in the report or not."""
        return present_in(self.run).exclude(finding__state=State.DISMISSED).count()

    @cached_property
    def omitted_findings(self) -> int:
        return finding_count(self.run) - len(self.findings)

    @cached_property
    def is_reused(self) -> bool:
        """Whether all records come from earlier runs."""
        return bool(wholly_reused([self.run]))

    @cached_property
    def beyond_findings(self) -> int:
        """The number of present measures that are no findings, because each rule takes only the largest ones."""
        return without_finding(self.run, Update.objects.filter(run=self.run).first())

    @cached_property
    def untested(self) -> str:
        """The sentence that nothing could be tested and why, or ""."""
        return untested_sentence(self.run)

    @cached_property
    def opposites(self) -> list[str]:
        """The lists of the run whose words are pairs of opposites, of which no mean becomes a finding."""
        return [name or "the words of the plan itself" for name in opposites_of(self.run)]

    @property
    def none_because(self) -> str:
        rules = rules_of(self.run.probe)
        return rules.none_because if rules else ""

    @cached_property
    def decisions(self) -> Decisions:
        return decisions_of(self.run)

    @cached_property
    def counts(self) -> list[Counts]:
        return whole.counts_of(self.run)

    @cached_property
    def figures(self) -> list[Figure]:
        return whole.figures_told(self.run, card_of(self.run.probe))

    @cached_property
    def contrasts(self) -> list[Contrast]:
        return whole.contrasts_told(self.run)

    @cached_property
    def conclusions(self) -> list[tuple[str, str]]:
        return whole.conclusions(self.run)

    @cached_property
    def concerns(self) -> Sequence[str]:
        return whole.cautions(self.run)[0] if self.is_done else []

    @cached_property
    def warnings(self) -> Sequence[str]:
        return whole.cautions(self.run)[1] if self.is_done else []

    @cached_property
    def detectable(self) -> Sequence[Statement]:
        return whole.detectable(self.run)

    @cached_property
    def not_scored(self) -> Sequence[str]:
        return whole.not_scored(self.run)

    @cached_property
    def coverage(self) -> Sequence[Measure]:
        return whole.coverage(self.run)

    @cached_property
    def provenance(self) -> Provenance:
        return provenance_of(self.run)

    @property
    def ended_early(self) -> str:
        return ended_early(self.run)

    @cached_property
    def is_of_earlier_rules(self) -> bool:
        return self.is_done and is_of_earlier_rules(self.run.pk)

    @property
    def notation(self) -> str:
        return notation(self.run.spec or {})

    @property
    def interval_name(self) -> str:
        return interval_name(self.run.spec or {})

    @property
    def caveat(self) -> str:
        return caveat_of(self.run)

    @property
    def measured(self) -> str:
        card = card_of(self.run.probe)
        return card.measured if card else ""
