"""The first page: what was asked, what was found and how sure that is, who decided what, and what it cannot tell."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plumbline.audits.reuse import rows_reused
from plumbline.findings.contrasts import alpha_of
from plumbline.findings.models import State
from plumbline.pages.finding_examples import Example
from plumbline.pages.model_names import ModelNames
from plumbline.pages.titles import probe_title
from plumbline.reports.content.figures import Counts
from plumbline.reports.content.findings import Told
from plumbline.reports.content.run_part import RunPart
from plumbline.spec.numbers import counted
from plumbline.spec.verdicts import Scale

MOST_FINDINGS = 4
GENERAL = (
    "It says nothing about languages, groups, words and sentences that were not tested, nor about the product or the"
    " decisions in which the model is used.",
    "It is no legal advice and no certificate. The section on laws and standards says what it covers and what not.",
)


@dataclass(frozen=True, slots=True)
class Summary:
    """Sentences for the four questions of a reader who decides. `warnings` must be read first."""

    warnings: tuple[str, ...]
    asked: tuple[str, ...]
    found: tuple[str, ...]
    strongest: tuple[Told, ...]
    present: int
    """How many findings are present that nobody dismissed; the strongest are some of them."""
    dismissed: str
    """How many findings reviewers dismissed, or ""."""
    sure: tuple[str, ...]
    decided: tuple[str, ...]
    limits: tuple[str, ...]


def summary_of(part: RunPart) -> Summary:
    """Return the summary of a report on one run."""
    return Summary(
        warnings=tuple(warnings_of(part)),
        asked=tuple(_asked(part)),
        found=tuple(found_in(part)),
        strongest=tuple(strongest(part)),
        present=part.present_count,
        dismissed=dismissed_sentence(part.decisions.by_state),
        sure=tuple(_sure(part)),
        decided=tuple(part.decisions.sentences),
        limits=tuple(limits_of(part)),
    )


def warnings_of(part: RunPart) -> Iterator[str]:
    """Yield what a reader must know before any figure."""
    run = part.run
    if not part.is_done:
        why = f" Reason: {run.error}" if run.error and run.expected else ""
        yield f"Run {run.pk} is {run.state}. It has no results, so this report can only say what was planned.{why}"
    if remark := ModelNames().remark(run.model):
        yield remark
    if part.concerns:
        yield f"The scores of run {run.pk} cannot be read as stereotype. {' '.join(part.concerns)}"
    if part.is_reused:
        yield (
            f"Run {run.pk} took all of its records from earlier runs and did not ask the model again, so it is no new"
            " evidence about the model."
        )
    if part.is_of_earlier_rules:
        yield f"Run {run.pk} was summarised under earlier rules, so its figures have no verdict."
    if changed := [f"{one.slug} ({one.changed})" for one in part.scope.lists if one.changed]:
        told = f"Lists that changed since the launch of run {run.pk}: {', '.join(changed)}."
        yield f"{told} The figures are about the words at the launch."


def _asked(part: RunPart) -> Iterator[str]:
    run, groups = part.run, part.scope.groups
    on = f"on {run.created_at:%Y-%m-%d}"
    by = f", launched by {run.created_by.get_username()}" if run.created_by else "; who launched it is not known"
    yield f"Run {run.pk}, \u201c{run.name}\u201d, audited {run.subject} {on}{by}."
    measured = f" It measures {part.measured}." if part.measured else ""
    yield f"Its method is \u201c{probe_title(run.probe)}\u201d.{measured}"
    if (copied := rows_reused(run)) and not part.is_reused:
        yield f"{copied:,} of its records come from earlier runs; it asked the model only for the others."
    if groups:
        more = f" and {groups.more:,} more" if groups.more else ""
        yield f"Groups: {', '.join(groups.first)}{more}."
    sizes = [f"{one.field.replace('_', ' ')} {one.entries:,}" for one in part.scope.words if one.entries]
    if sizes:
        yield f"Words and sentences: {', '.join(sizes)}. Places and languages of the lists: {part.scope.languages}."
    of_lists = ((one.left_out, one.field.replace("_", " ")) for one in part.scope.words if one.left_out)
    left_out = [f"{n:,} {field.removesuffix('s') if n == 1 else field}" for n, field in of_lists]
    if left_out:
        yield f"The lists hold {', '.join(left_out)} that the run did not ask."
    sentences = next((one.examples[:2] for one in strongest(part) if len(one.examples) > 1), ())
    if sentences:
        yield f"Two of the sentences: {' and '.join(map(_quoted, sentences))}"


def _quoted(example: Example) -> str:
    return f"\u201c{example.text or ''.join(piece.text for piece in example.pieces)}\u201d"


def found_in(part: RunPart) -> Iterator[str]:
    """Yield how many effects a run shows, does not show, and could not test."""
    if not part.is_done:
        yield "Nothing: the run is not finished."
        return
    if part.none_because:
        yield f"This method has no findings. {part.none_because}"
    yield from map(_counts_sentence, part.counts)
    if part.counts and part.opposites:
        yield (
            f"Not counted: the means over {', '.join(part.opposites)}. Their words are pairs of opposites, so such a"
            " mean is no stereotype by itself."
        )
    if part.untested:
        yield f"{part.untested} This is no proof that the model is free of stereotypes."
    elif not part.counts and not part.none_because:
        yield "The run has no figure that could become a finding."
    elif part.counts and not part.present:
        yield "No finding is present. This is no proof that the model is free of stereotypes."


def _counts_sentence(one: Counts) -> str:
    numbers = {
        "shown to differ from no effect (present)": one.present,
        "shown to be smaller than the smallest effect that matters (absent)": one.absent,
        "undecided": one.undecided,
        "not testable with so few units": one.not_testable,
    }
    parts = [f"{number:,} {told}" for told, number in numbers.items() if number]
    return f"{one.title}: {counted(one.judged, 'figure')}, of which {', '.join(parts)}."


def strongest(part: RunPart) -> list[Told]:
    """Return present findings that nobody dismissed: the largest of each statistic and kind of row, then the next.

    Those that people confirmed come before all others, and those with another known reason after them.
    """
    seen: dict[tuple[str, bool, bool, bool], int] = {}
    ranked = []
    for place, one in enumerate(sorted(part.present, key=lambda one: -one.effect)):
        if one.finding.state == State.DISMISSED:
            continue
        is_open = one.finding.state != State.CONFIRMED
        key = (one.finding.statistic, bool(one.finding.attribute), is_open, one.is_doubtful)
        seen[key] = seen.get(key, -1) + 1
        ranked.append((is_open, one.is_doubtful, seen[key], place, one))
    return [one for *_, one in sorted(ranked, key=lambda row: row[:4])][:MOST_FINDINGS]


def dismissed_sentence(by_state: Sequence[tuple[str, int]]) -> str:
    """Return how many findings are dismissed and where the reasons stand, or "" if none is."""
    number = dict(by_state).get(State.DISMISSED.label, 0)
    if not number:
        return ""
    are, reasons = ("is", "reason stands") if number == 1 else ("are", "reasons stand")
    told = f"People dismissed {counted(number, 'finding')}, which {are} not listed here."
    return f"{told} The {reasons} under \u201cFindings\u201d, further down."


def _sure(part: RunPart) -> Iterator[str]:
    if not part.is_done or not part.counts:
        return
    alpha = alpha_of(part.run.spec or {})
    yield (
        f"The p-values of a family of tests are corrected together (q < {alpha:g}). The correction is made to keep the"
        f" expected share of false alarms among the present figures of a family at {100 * alpha:g}% or below."
    )
    yield f"{part.interval_name[:1].upper()}{part.interval_name[1:]}s stand in brackets."
    if any(one.statistic and one.statistic.scale == Scale.LOG for one in strongest(part)):
        yield "On the scale of natural logs, a difference of 0.69 is a factor of two."
    yield from (one.sentence for one in part.detectable if one.warns)


def limits_of(part: RunPart) -> Iterator[str]:
    """Yield what a reader must not conclude."""
    yield part.caveat
    yield from part.warnings
    yield from _gaps(part)
    yield from GENERAL


def _gaps(part: RunPart) -> Iterator[str]:
    shares: Sequence[float] = [one.value for one in part.coverage if one.value is not None]
    if shares and min(shares) < 1:
        yield f"Not all items could be scored: of the group with the fewest {min(shares):.1%}."
    if part.omitted_findings > 0:
        yield f"Not in this report: {counted(part.omitted_findings, 'finding')} of the run."


_COUNTED = ("judged", "present", "absent", "undecided", "not_testable")


def in_one_sentence(part: RunPart) -> str:
    """Return the verdicts of a run over all its statistics, for a page with several runs."""
    name = f"Run {part.run.pk}, \u201c{part.run.name}\u201d"
    if not part.is_done or not part.counts:
        return f"{name}: {' '.join(found_in(part))}"
    return _counts_sentence(Counts(name, *(sum(getattr(one, key) for one in part.counts) for key in _COUNTED)))
