"""Why a difference is undecided although its interval does not hold zero."""

from collections.abc import Iterable

from plumbline.spec.measure import Measure
from plumbline.spec.numbers import compared, probability
from plumbline.spec.verdicts import Verdict


def undecided_sentences(rows: Iterable[Measure]) -> list[str]:
    """Return why words are undecided whose interval does not hold zero, one sentence for each reason."""
    words: dict[str, list[str]] = {}
    for one in rows:
        if one.verdict == Verdict.UNDECIDED and (why := why_undecided(one)):
            words.setdefault(why, []).append(f"\u201c{one.attribute}\u201d")
    return [f"Undecided: {', '.join(named)}.{why}" for why, named in words.items()]


def why_undecided(one: Measure) -> str:
    """Return why an interval without zero is no verdict, or ""."""
    if one.value is None or one.ci_low is None or one.ci_high is None or one.ci_low <= 0 <= one.ci_high:
        return ""
    told = " The interval does not hold zero, but"
    if one.smallest_effect and abs(one.value) <= one.smallest_effect:
        return f"{told} the estimate is not beyond the smallest effect that matters, {one.smallest_effect:g}."
    q = compared(probability(one.q_value))
    return f"{told} q {q} after the correction for all tests of its family." if one.q_value is not None else ""
