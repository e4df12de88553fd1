"""The robustness of an association run, from its stored measures, and the sentences about it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from django.db.models import Count, Q

from plumbline.findings.prior_agreement import prior_title
from plumbline.results.summary import OVERALL, measures, of_run, under_every_prior
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import count, counted, number, proportion
from plumbline.spec.robustness import (
    BY_KIND,
    DIFFERENCE_COMPONENT,
    KINDS_NEEDED,
    LEAVE_ONE_OUT,
    RANK_AGREEMENT,
    RELIABILITY,
    RELIABLE,
    SCORE_COMPONENT,
)
from plumbline.spec.verdicts import FEWEST_UNITS

MOST_NAMED, MOST_CONTRASTS = 5, 10
MANY_WORDS = 20
"""From so many words on, even a tau of 0.3 is more than chance gives."""
ORDER_UNDER_OTHER_PRIOR = (
    (0.8, "hardly depends on the choice of the prior"),
    (0.5, "depends in part on the choice of the prior"),
    (0.2, "depends on the choice of the prior, so read ranks only together with this choice"),
    (-0.2, "says little by itself, because another prior gives a hardly related order"),
    (float("-inf"), "turns round with another prior, so read ranks only together with this choice"),
)
"""What the order does, by the least Kendall's tau with the order under another prior. Our own limits."""
TURNS = Q(value__gt=0, ci_low__lte=0) | Q(value__lt=0, ci_high__gte=0)
"""The condition of differences whose sign changes when some kind of sentence is left out."""


@dataclass(frozen=True, slots=True)
class Source:
    """One source of variance with its variance and its share of the sum. None is not estimable."""

    name: str
    variance: float | None
    share: float | None
    reason: str

    @property
    def deviation(self) -> float | None:
        return None if self.variance is None else sqrt(self.variance)


@dataclass(frozen=True, slots=True)
class Robustness:
    """The stored robustness of one contrast and of the whole run. It is empty for a run of an earlier release."""

    contrast: tuple[str, str]
    found: tuple[Measure, ...]
    """All measures except those of single words."""
    words: int
    turning: int
    """The number of words whose difference changes its sign when some kind is left out."""

    def __bool__(self) -> bool:
        return any(one.statistic != RANK_AGREEMENT.name for one in self.found)

    @property
    def reliability(self) -> Measure | None:
        return next(iter(self._of_contrast(RELIABILITY.name)), None)

    @property
    def is_banded(self) -> bool:
        """Whether the order of the words is too unreliable to be drawn as ranks."""
        return is_banded(self.reliability)

    @property
    def sources(self) -> list[Source]:
        """The sources of variance of this contrast's differences."""
        return sources(self._of_contrast(DIFFERENCE_COMPONENT.name))

    @property
    def score_sources(self) -> list[Source]:
        return sources([one for one in self.found if one.statistic == SCORE_COMPONENT.name])

    @property
    def sentences(self) -> list[str]:
        return list(self._sentences())

    def _sentences(self) -> Iterator[str]:
        if self.reliability is not None:
            yield reliability_sentence(self.reliability, next(iter(self._of_contrast(KINDS_NEEDED.name)), None))
        for one in self._of_contrast(LEAVE_ONE_OUT.name):
            kinds = [kind for kind in self._of_contrast(BY_KIND.name) if kind.category == one.category]
            yield left_out_sentence(one)
            if not _turns(one):  # of a mean whose sign is open, no kind is on the other side
                yield reversed_sentence(one, kinds)
        if self.words:
            turn = "changes its" if self.turning == 1 else "change their"
            yield f"{count(self.turning)} of {count(self.words)} words {turn} sign when one kind is left out."
        yield from rank_agreement_sentences([one for one in self.found if one.statistic == RANK_AGREEMENT.name])

    def _of_contrast(self, statistic: str) -> list[Measure]:
        own = (one for one in self.found if (one.group_a, one.group_b) == self.contrast)
        return [one for one in own if one.statistic == statistic]


def robustness_of(run: int, group_a: str, group_b: str) -> Robustness:
    """Read the robustness of a contrast in two queries, whatever the size of the run."""
    here = Q(group_a=group_a, group_b=group_b)
    names = (RELIABILITY, KINDS_NEEDED, DIFFERENCE_COMPONENT, SCORE_COMPONENT, LEAVE_ONE_OUT, BY_KIND)
    own = Q(statistic__in=[one.name for one in names], attribute="") & (here | Q(group_a="", group_b=""))
    every = under_every_prior(run, *(one.name for one in names), RANK_AGREEMENT.name)
    found = measures(every.filter(own | (Q(statistic=RANK_AGREEMENT.name, group_a="") & OVERALL)).order_by("pk"))
    words = of_run(run, LEAVE_ONE_OUT.name).filter(here).exclude(attribute="")
    counts = words.aggregate(words=Count("id"), turning=Count("id", filter=TURNS))
    return Robustness((group_a, group_b), tuple(found), counts["words"], counts["turning"])


def run_sentences(found: Sequence[Measure]) -> list[str]:
    """Return sentences on the reliability of each order of words and on its stability under other priors."""
    own = [one for one in found if one.statistic == RELIABILITY.name and one.group_b]
    needed = {(one.group_a, one.group_b): one for one in found if one.statistic == KINDS_NEEDED.name}
    told = [_of_contrast(one, needed.get((one.group_a, one.group_b))) for one in own[:MOST_CONTRASTS]]
    more = [f"{count(len(own) - MOST_CONTRASTS)} more contrasts"] if len(own) > MOST_CONTRASTS else []
    ranks = [one for one in found if one.statistic == RANK_AGREEMENT.name and not one.group_a]
    return [*told, *more, *rank_agreement_sentences(ranks)]


def _of_contrast(one: Measure, needed: Measure | None) -> str:
    return f"{one.group_a} minus {one.group_b}: {reliability_sentence(one, needed)}"


def is_banded(reliability: Measure | None) -> bool:
    """Return whether a ranking of this reliability is drawn as bands. An unknown reliability gives False."""
    return reliability is not None and reliability.value is not None and reliability.value < RELIABLE


def unreliable_orders(run: int, statistic: str) -> set[tuple[str, str]]:
    """Return the rows of a grid, group and other group, whose order of words other sentences may change."""
    found = of_run(run, RELIABILITY.name).filter(condition=statistic, value__lt=RELIABLE)
    return set(found.values_list("group_a", "group_b"))


def bands(ranked: Sequence[Measure]) -> list[int]:
    """Return the band of each measure, from 1. `ranked` begins with the largest effect.

    A band holds the measures whose intervals overlap with that of its first one. Their order is unknown.
    """
    found: list[int] = []
    first: Measure | None = None
    for one in ranked:
        if first is None or not _overlap(first, one):
            first = one
            found.append(found[-1] + 1 if found else 1)
        else:
            found.append(found[-1])
    return found


def _overlap(one: Measure, other: Measure) -> bool:
    limits = (one.ci_low, one.ci_high, other.ci_low, other.ci_high)
    if None in limits:
        return True
    low, high, other_low, other_high = (limit or 0.0 for limit in limits)
    return low <= other_high and other_low <= high


def sources(components: Sequence[Measure]) -> list[Source]:
    """Return the sources of variance with the share of each in the sum of the known ones."""
    total = sum(one.value or 0.0 for one in components)
    return [
        Source(one.condition, one.value, one.value / total if one.value is not None and total else None, one.reason)
        for one in components
    ]


def reliability_sentence(one: Measure, needed: Measure | None) -> str:
    """Return the meaning of the reliability of the words' order, and the number of kinds needed."""
    if one.value is None:
        return f"The reliability of the order of the words is not defined: {one.reason}."
    kinds = f"split-half reliability {proportion(one.value)} over {count(one.n_units)} kinds of sentence"
    if one.n < FEWEST_UNITS:
        words = counted(one.n, "word")
        return f"{words} are too few to say whether other sentences would order them alike: {kinds}."
    if one.n_units < FEWEST_UNITS:
        return f"There are too few kinds of sentence to say whether others would order the words alike: {kinds}."
    enough = _enough(round(needed.value)) if needed and needed.value else ""
    if one.value < RELIABLE:
        return (
            f"Other sentences may order the words differently: {kinds}, which is below {RELIABLE}.{enough}"
            " Words are listed in bands."
        )
    return f"Other sentences of such kinds would order the words similarly: {kinds}.{enough}"


def _enough(kinds: int) -> str:
    return f" About {count(kinds)} kind{'' if kinds == 1 else 's'} would reach 0.8."


def _turns(one: Measure) -> bool:
    """Return whether the mean changes its sign when one kind is left out."""
    low, high = one.ci_low, one.ci_high
    return low is not None and high is not None and low <= 0 <= high


def left_out_sentence(one: Measure) -> str:
    over = f"over {one.category}" if one.category else "over the words"
    what = f"the difference of \u201c{one.attribute}\u201d" if one.attribute else f"the mean difference {over}"
    told = (
        f"With any one kind of sentence left out, {what} stays between {number(one.ci_low)} and"
        f" {number(one.ci_high)} (all kinds: {number(one.value)})."
    )
    return f"{told} So its sign depends on single kinds." if _turns(one) else told


def sentence_without_one_kind(run: int, labels: Mapping[str, str]) -> str:
    """Return the range of a difference without any one kind of sentence, or "" if none is stored. One query.

    `labels`: group_a, group_b, attribute and category of the difference.
    """
    found = measures(of_run(run, LEAVE_ONE_OUT.name).filter(ci_low__isnull=False, **labels)[:1])
    return left_out_sentence(found[0]) if found else ""


def reversed_sentence(one: Measure, kinds: Sequence[Measure]) -> str:
    """Return which kinds of sentence have a mean on the other side of zero."""
    over = f" over {one.category}" if one.category else ""
    turned = [kind.template for kind in kinds if (kind.value or 0.0) * (one.value or 0.0) < 0]
    if not turned:
        return f"None of {count(len(kinds))} kinds of sentence, taken alone, has a mean{over} of the other sign."
    named = "; ".join(f"\u201c{name}\u201d" for name in turned[:MOST_NAMED])
    more = f"; and {count(len(turned) - MOST_NAMED)} more" if len(turned) > MOST_NAMED else ""
    verb = "has" if len(turned) == 1 else "have"
    of = f"{count(len(turned))} of {count(len(kinds))} kinds of sentence"
    return f"{of}, taken alone, {verb} a mean{over} of the other sign: {named}{more}."


def rank_agreement_sentences(found: Sequence[Measure]) -> list[str]:
    """Return how similarly other priors order a group's words. `found` are means over groups."""
    return [_rank_agreement(one, one.value) for one in found if one.value is not None]


def _chance_tau(words: int) -> float:
    """Return which tau two unrelated orders of a few words exceed in 5% of cases; 0 for many words.

    Source: Kendall 1938, the normal approximation.
    """
    if words >= MANY_WORDS or words < 2:
        return 0.0
    return 1.96 * sqrt(2 * (2 * words + 5) / (9 * words * (words - 1)))


def _rank_agreement(one: Measure, tau: float) -> str:
    """Return what a tau means. Without ties, the share of pairs of words in the same order is (tau + 1) / 2."""
    words = one.n // max(1, one.n_units)
    if abs(tau) < _chance_tau(words):
        does = f"cannot be held against another prior: for {counted(words, 'word')} chance gives such a tau, too"
    else:
        does = next(text for least, text in ORDER_UNDER_OTHER_PRIOR if tau >= least)
    title = prior_title(one)
    return (
        f"The order of a group's words {does}. {title[:1].upper()}{title[1:]}, about {(tau + 1) / 2:.0%} of all pairs"
        f" of words are in the same order as under the specified prior (Kendall's tau {number(tau)}). Two"
        " unrelated orders agree on 50%."
    )
