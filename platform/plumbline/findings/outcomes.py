"""What each run shows about a finding, compared with the runs before it. Pure functions on observations.

Changes follow the tests of the comparison of two runs where there is one (docs/methods.md, "Before and after"). A
finding is gone only by an equivalence test: an undecided measure is no sign that it went away. Runs that asked its
groups or its word in other forms, such as another plural, are not compared: a difference could come from the words.
"""

from collections.abc import Iterator, Sequence

from plumbline.findings.identity import forms_of
from plumbline.findings.models.observations import Observation, Outcome
from plumbline.spec.verdicts import Verdict


def outcomes(observations: Sequence[Observation], null: float = 0.0) -> Iterator[Outcome]:
    """Yield the outcome of each observation of one finding. They are in the order of their runs.

    `null` is the value of the statistic without any effect.
    """
    before: list[tuple[Observation, Outcome]] = []
    for one in observations:
        found = _outcome(one, before, null)
        before.append((one, found))
        yield found


def _outcome(now: Observation, every: Sequence[tuple[Observation, Outcome]], null: float) -> Outcome:
    if not now.verdict or now.value is None:
        return Outcome.NOT_MEASURED
    if now.withheld:
        return Outcome.UNDECIDED
    before = [(one, out) for one, out in every if asked_alike(one, now)]
    if _is_measured(every) and not _is_measured(before):
        return Outcome.OTHER_WORDS
    last = next((one for one, _ in reversed(before) if is_present(one)), None)
    was_gone = _was_gone(before)
    if is_present(now):
        return Outcome.NEW if last is None else _present(now, last, before, null, was_gone=was_gone)
    if last is None:
        return Outcome.UNDECIDED
    if now.verdict == Verdict.ABSENT:
        return _absent(now, last, before, was_gone=was_gone)
    return Outcome.WEAKER if _tested(now, before) == "weaker" else Outcome.UNDECIDED


def asked_alike(one: Observation, other: Observation) -> bool:
    """Return whether both asked the groups and the word alike, in the forms that the templates of both read.

    Unknown words count as the same.
    """
    these, those = forms_of(one.words), forms_of(other.words)
    return all(these[form] == those[form] for form in these.keys() & those.keys())


def _is_measured(before: Sequence[tuple[Observation, Outcome]]) -> bool:
    return any(out != Outcome.NOT_MEASURED for _, out in before)


def is_present(one: Observation) -> bool:
    """Return whether the run shows the effect, and can be read."""
    return one.verdict == Verdict.PRESENT and one.value is not None and not one.withheld


def _was_gone(before: Sequence[tuple[Observation, Outcome]]) -> bool:
    """Return whether the last decisive run before shows that the effect went away."""
    decisive = (out for _, out in reversed(before) if out not in (Outcome.UNDECIDED, Outcome.NOT_MEASURED))
    return next(decisive, None) == Outcome.GONE


def _present(
    now: Observation,
    last: Observation,
    before: Sequence[tuple[Observation, Outcome]],
    null: float,
    *,
    was_gone: bool,
) -> Outcome:
    if ((now.value or 0.0) - null) * ((last.value or 0.0) - null) < 0:
        return Outcome.REVERSED
    if was_gone:
        return Outcome.BACK
    tested = {"stronger": Outcome.STRONGER, "weaker": Outcome.WEAKER}
    return tested.get(_tested(now, before), Outcome.STILL)


def _absent(
    now: Observation, last: Observation, before: Sequence[tuple[Observation, Outcome]], *, was_gone: bool
) -> Outcome:
    """Return whether an effect that is shown to be small now went away.

    Another method or other words may give another figure of the same model, so only equal fingerprints count. Where
    the change itself was tested, that test decides.
    """
    if now.fingerprint != last.fingerprint:
        return Outcome.UNDECIDED
    if was_gone:
        return Outcome.GONE
    tested = _tested(now, before) if now.compared_with == last.run_number else ""
    return Outcome.GONE if tested in ("", "gone") else Outcome.WEAKER if tested == "weaker" else Outcome.UNDECIDED


def _tested(now: Observation, before: Sequence[tuple[Observation, Outcome]]) -> str:
    """Return the tested outcome of the change since the observation before, or "" without a test."""
    return now.change_outcome if before and now.compared_with == before[-1][0].run_number else ""
