"""The evidence that the runs of a report have, each with a sentence that is true of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.findings.by_method import concerns, warnings
from plumbline.findings.models import Update
from plumbline.findings.sign_off.conditions import evidence_of
from plumbline.findings.sign_off.signing import standing
from plumbline.findings.updating import summarised_at
from plumbline.reports.content.vocabularies import WRITTEN_IN_SPEC, used_lists, used_words
from plumbline.reports.models import Evidence
from plumbline.results import models
from plumbline.results.summary import statistics_there
from plumbline.spec.verdicts import Verdict

ABILITY = ("accuracy", "perplexity", "pseudo_perplexity")
"""Statistics that say how well a model does a task."""


@dataclass(frozen=True, slots=True)
class Held:
    """One piece of evidence: whether all runs of the report have it, and a sentence that says so."""

    evidence: str
    holds: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class Subject:
    """What a report is about: its runs, how often the same audit ran, and whether changes between two are tested."""

    runs: Sequence[Run]
    repeated: int = 1
    is_compared: bool = False


def held(subject: Subject) -> dict[str, Held]:
    """Return all evidence by its key. About several runs, it holds if it holds for each."""
    found = {key: _of_runs(key, check, subject.runs) for key, check in _CHECKS.items()}
    found[Evidence.READABLE] = _with_warnings(found[Evidence.READABLE], subject.runs)
    return found | {one.evidence: one for one in (_repeated(subject), _compared(subject))}


def _of_runs(key: Evidence, check: Callable[[Run], str], runs: Sequence[Run]) -> Held:
    """`check` returns why a run lacks the evidence, or ""."""
    lacking = {run.pk: why for run in runs if (why := check(run))}
    if not lacking:
        return Held(key, bool(runs), f"{key.label}.")
    return Held(key, False, " ".join(f"Run {pk}: {why}." for pk, why in lacking.items()))


def _with_warnings(found: Held, runs: Sequence[Run]) -> Held:
    """Return the evidence that scores can be read, with what makes conclusions from them less certain."""
    warned = {run.pk: told[0] for run in runs if run.state == RunState.DONE and (told := warnings(run))}
    if not found.holds or not warned:
        return found
    known = " ".join(f"Run {pk}: {why.partition('. ')[0].rstrip('.')}." for pk, why in warned.items())
    return Held(found.evidence, True, f"The scores can be read, but their conclusions are less certain. {known}")


def _unfinished(run: Run) -> str:
    return "" if run.state == RunState.DONE else f"it is {run.state}, so it has no results"


def _untested(run: Run) -> str:
    judged = models.Measure.objects.filter(run=run.pk).exclude(verdict="").exclude(verdict=Verdict.NOT_TESTABLE)
    return "" if judged.exists() else "no effect could have been found in it"


def _unreadable(run: Run) -> str:
    found = concerns(run) if run.state == RunState.DONE else []
    return f"its scores cannot be read as stereotype ({found[0].rstrip('.')})" if found else ""


def _unwritten(run: Run) -> str:
    update = Update.objects.filter(run=run).first()
    is_written = update is not None and update.is_of(summarised_at(run))
    return "" if is_written else "its findings are not written from its latest summary"


def _unjudged(run: Run) -> str:
    if why := _unwritten(run):
        return why
    found = evidence_of(run).findings
    new = [one for one in found if not one.is_judged]
    if not found:
        return "it has no findings that people could judge"
    return f"{len(new)} of its findings {'is' if len(new) == 1 else 'are'} not judged" if new else ""


def _unknown_launcher(run: Run) -> str:
    return "" if run.created_by_id else "it is not known who launched it"


def _unsigned(run: Run) -> str:
    signed = standing(run)
    if signed is None:
        return "no sign-off stands"
    own = next((one for one in signed.signed_runs.all() if one.run_id == run.pk), None)
    return "" if own and own.summarised_at == summarised_at(run) else "it was summarised again after its sign-off"


def _unrecorded(run: Run) -> str:
    known = run.provenance or {}
    stages = list((known.get("stages") or {"": known}).values())
    is_known = bool(stages) and all(one.get("device") and (one.get("digest") or one.get("revision")) for one in stages)
    return "" if is_known else "revision or digest of the model, or the device, are not recorded"


def _unsourced(run: Run) -> str:
    found = used_lists(run)
    without = [one.slug or one.field for one in found if not (one.source and one.licence)]
    if not found:
        return "it names no list of words"
    if without:
        return f"no source or nothing about the licence is stated for {', '.join(without)}"
    own = [one.field.replace("_", " ") for one in used_words(run) if WRITTEN_IN_SPEC in one.lists]
    return f"its plan writes {', '.join(own)} itself, without a source" if own else ""


def _unable(run: Run) -> str:
    return "" if statistics_there(run.pk, ABILITY) else "it measures no accuracy and no perplexity"


_CHECKS: Mapping[Evidence, Callable[[Run], str]] = {
    Evidence.FINISHED: _unfinished,
    Evidence.TESTED: _untested,
    Evidence.READABLE: _unreadable,
    Evidence.FINDINGS: _unwritten,
    Evidence.JUDGED: _unjudged,
    Evidence.LAUNCHER: _unknown_launcher,
    Evidence.SIGNED: _unsigned,
    Evidence.PROVENANCE: _unrecorded,
    Evidence.SOURCES: _unsourced,
    Evidence.ABILITY: _unable,
}


def _repeated(subject: Subject) -> Held:
    holds = subject.repeated > 1
    times = f"The same audit asked this model {subject.repeated} times."
    return Held(Evidence.REPEATED, holds, times if holds else "The same audit asked this model at most once.")


def _compared(subject: Subject) -> Held:
    told = "Two runs are compared, and the report has the changes." if subject.is_compared else ""
    return Held(Evidence.COMPARED, subject.is_compared, told or "The report does not set two runs side by side.")
