"""Pairs of methods on one model: how alike they order words, and where they contradict each other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from plumbline.spec.basis import why_they_may_differ
from plumbline.spec.method_scores import MethodScores
from plumbline.spec.verdicts import SMALLEST_EFFECTS, Scale
from plumbline.spec.word_families import family_of
from workers.measures.contradictions import EQUAL, contradictions
from workers.measures.estimated import defined
from workers.statistics.method_agreement import FEWEST_FAMILIES, RankAgreement, rank_agreement
from workers.statistics.units import Floats
from workers.statistics.verdicts import Effects, judge

MARGIN = SMALLEST_EFFECTS[Scale.CORRELATION]
MOST_WORDS = 1500
"""The most words of one correlation. Of more, a seeded random subset is taken: memory grows with their square."""
SEED = 0


@dataclass(frozen=True, slots=True)
class Shared:
    """The scores of two methods with the groups and words that both have, [words, groups]."""

    a: MethodScores
    b: MethodScores
    groups: list[str]
    words: list[str]

    @property
    def size(self) -> tuple[bool, int, int, int, int]:
        """What decides between runs and sides of one pair of methods: words, then groups, then the later runs."""
        several = len(self.groups) > 1
        return several, len(self.words), len(self.groups), self.a.run, self.b.run

    def is_equal(self, word: str) -> bool:
        """Return whether both methods give the word the very same score for each group, up to rounding."""
        pairs = ((self.a.scores[group, word].value, self.b.scores[group, word].value) for group in self.groups)
        return all(abs(x - y) < EQUAL for x, y in pairs)

    def table(self, side: MethodScores) -> Floats:
        """Return the scores of one side, [words, groups], also if both have no word in common."""
        values = [side.scores[group, word].value for word in self.words for group in self.groups]
        return np.array(values, dtype=np.float64).reshape(len(self.words), len(self.groups))


def method_agreements(sides: Sequence[MethodScores], alpha: float = 0.05) -> list[dict[str, Any]]:
    """Return a row for each pair of methods, those that share most words first.

    Of several runs of a method, the row has the two that share most words. No result decides this choice. q-values are
    over the rows of one model.
    """
    by_probe: dict[str, list[MethodScores]] = {}
    for side in sides:
        by_probe.setdefault(side.probe, []).append(side)
    pairs = [_most_shared(by_probe[a], by_probe[b]) for a, b in combinations(sorted(by_probe), 2)]
    pairs.sort(key=lambda one: (-len(one.words), one.a.probe, one.b.probe))
    agreements = [_agreement(one) for one in pairs]
    judged = judge(_effects(agreements), alpha, FEWEST_FAMILIES)
    return [
        _row(one, found) | {"q_value": defined(q), "verdict": str(verdict) if np.isfinite(found.tau) else ""}
        for one, found, q, verdict in zip(pairs, agreements, judged.q_value, judged.verdict, strict=True)
    ]


def _most_shared(some: Sequence[MethodScores], others: Sequence[MethodScores]) -> Shared:
    found = [shared(x, y) for a in some for x in _views(a) for b in others for y in _views(b)]
    return max(found, key=lambda one: one.size)


def _views(side: MethodScores) -> Iterator[MethodScores]:
    yield side
    if side.basis.either_side:
        yield side.turned()


def shared(a: MethodScores, b: MethodScores) -> Shared:
    """Return the groups that both have, and the words that both score with each of these groups, in order of a."""
    theirs = set(b.groups)
    groups = [group for group in a.groups if group in theirs]
    words = dict.fromkeys(word for _, word in a.scores)
    both = [word for word in words if all((g, word) in a.scores and (g, word) in b.scores for g in groups)]
    return Shared(a, b, groups, both if groups else [])


def _agreement(one: Shared) -> RankAgreement:
    """Return the agreement over the words of which the methods compute something else: equal scores are no evidence."""
    own = [word for word in one.words if not one.is_equal(word)]
    if len(one.groups) < 2:
        return RankAgreement(*(np.nan,) * 5, len(own), len({family_of(word) for word in own}))
    words = _subset(own)
    chosen = Shared(one.a, one.b, one.groups, words)
    families = np.unique([family_of(word) for word in words], return_inverse=True)[1] if words else np.array([], int)
    return rank_agreement(chosen.table(one.a), chosen.table(one.b), families, seed=SEED, margin=MARGIN)


def _subset(words: list[str]) -> list[str]:
    if len(words) <= MOST_WORDS:
        return words
    return [words[at] for at in sorted(np.random.default_rng(SEED).permutation(len(words))[:MOST_WORDS])]


def _effects(found: Sequence[RankAgreement]) -> Effects:
    return Effects(
        estimate=np.array([one.tau for one in found]),
        p_value=np.array([one.p_value for one in found]),
        equivalence_p=np.array([one.equivalence_p for one in found]),
        least_p=np.zeros(len(found)),
        smallest_effect=np.full(len(found), MARGIN),
        n_units=np.array([one.families for one in found], dtype=np.int64),
        family=np.full(len(found), "methods"),
    )


def _row(one: Shared, found: RankAgreement) -> dict[str, Any]:
    return {
        "a": _side(one.a),
        "b": _side(one.b),
        "groups": [one.a.labels[group] for group in one.groups],
        "shared_words": len(one.words),
        "words": found.words,
        "equal": (equal := sum(map(one.is_equal, one.words))),
        "equal_left_out": bool(equal),
        "families": found.families,
        "fewest": FEWEST_FAMILIES,
        "tau": defined(found.tau),
        "low": defined(found.low),
        "high": defined(found.high),
        "p_value": defined(found.p_value),
        "smallest_effect": MARGIN,
        "shared_templates": len(one.a.templates & one.b.templates),
        "why": why_they_may_differ(one.a.title, one.a.basis, one.b.title, one.b.basis),
        **contradictions(one.a, one.b),
    }


def _side(side: MethodScores) -> dict[str, Any]:
    return {
        "run": side.run,
        "probe": side.probe,
        "title": side.title,
        "statistic": side.statistic,
        "unit": side.unit,
        "difference": side.difference if side.differences else "",
        "signed": side.basis.is_signed,
        "templates": len(side.templates),
    }
