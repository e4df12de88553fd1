"""Sentences on whether other priors than the spec's lead to the same stored verdict."""

from collections.abc import Callable, Iterable, Sequence

from plumbline.spec.measure import Measure
from plumbline.spec.numbers import with_interval
from plumbline.spec.prior import MEAN_OVER, WITHOUT, is_under_other
from plumbline.spec.verdicts import Verdict

_LABELS = ("statistic", "group_a", "group_b", "category", "condition", "attribute", "template")


def under_others(found: Iterable[Measure], own: Measure) -> list[Measure]:
    """Return the measures of the same figure under other priors."""
    return [one for one in found if is_under_other(one) and _of(one) == (own.variant, *_labels(own))]


def prior_title(one: Measure) -> str:
    """Return a prior's name: `without a prior`, `with the mean over groups as prior`."""
    name = one.variant.partition(", ")[0]
    return "without a prior" if name == WITHOUT else f"with the mean over {name.removeprefix(MEAN_OVER)} as prior"


def is_same_verdict(own: Measure, other: Measure, null: float = 0.0) -> bool:
    """Return whether two verdicts agree. Present effects must also be on the same side of `null`."""
    if own.verdict != other.verdict:
        return False
    return own.verdict != Verdict.PRESENT or ((own.value or 0.0) > null) == ((other.value or 0.0) > null)


def agreement_sentence(
    own: Measure, others: Sequence[Measure], null: float = 0.0, figures: Callable[[Measure], str] = with_interval
) -> str:
    """Return whether other priors agree with the verdict under the spec's prior, or "" without others or a verdict."""
    if not own.verdict or not others:
        return ""
    told = " ".join(_told(own, one, null, figures(one)) for one in others)
    if not all(is_same_verdict(own, one, null) for one in others):
        return f"The verdict depends on the prior. {told}"
    if own.verdict == Verdict.NOT_TESTABLE:
        # Figures that differ widely would seem to agree.
        return f"No verdict is possible under other priors either. {told}"
    return f"Other priors lead to the same verdict. {told}"


def _told(own: Measure, one: Measure, null: float, figures: str) -> str:
    title = prior_title(one)
    is_opposed = one.verdict == own.verdict and not is_same_verdict(own, one, null)
    verdict = f"{one.verdict or 'not defined'}{' on the other side' if is_opposed else ''}"
    return f"{title[:1].upper()}{title[1:]} it is {verdict}: {figures}."


def _of(one: Measure) -> tuple[str, ...]:
    return (one.variant.partition(", ")[2], *_labels(one))


def _labels(one: Measure) -> tuple[str, ...]:
    return tuple(getattr(one, name) for name in _LABELS)
