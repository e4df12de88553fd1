"""Whether a person's answers count: checks, agreement with oneself, constant or hasty ratings. Pure functions."""

import random
from collections.abc import Mapping, Sequence
from statistics import median

from plumbline.annotation.survey.plans import Step

MIDDLE = 50
LEAST_SECONDS = 1.0
"""A pair must take at least this long, in the median over a person's groups. The rule is ours; the paper has none."""
AWAY = 3
"""The most words of the check that no rating leans to."""
NONE = "none"
"""The answer "none of them" to the check of words."""
FAULTS = {
    Step.NAME_CHECK.value: "did not name the group that was just rated",
    Step.WORD_CHECK.value: "named a word that the sliders did not lean to",
    "agreement": "rated too few repeated pairs alike",
    "constant": "gave every group the same rating on every pair",
    "fast": "took less than one second for each pair",
    "nothing": "knew none of the groups",
}
"""The reasons for which answers do not count."""


def leans(ratings: Sequence[int], pairs: Sequence[Sequence[str]], word: str, *, right: bool) -> bool:
    """Return whether the rating of the word's pair leans to it; for NONE, whether no rating leans to that side."""
    sides = {
        pair[right]: (rating > MIDDLE) if right else (rating < MIDDLE)
        for pair, rating in zip(pairs, ratings, strict=True)
    }
    return not any(sides.values()) if word == NONE else sides.get(word, False)


def offered(ratings: Sequence[int], pairs: Sequence[Sequence[str]], *, right: bool, seed: int) -> list[str]:
    """Return few words of one side to choose from: the one that its rating leans to most, and some that none leans to.

    So an attentive person knows the word again, and one who guesses is right in one of four or five times.
    """
    order = sorted(range(len(pairs)), key=lambda place: ratings[place], reverse=right)
    words = [pairs[place][right] for place in order]
    towards = [word for word in words if leans(ratings, pairs, word, right=right)][:1]
    away = [word for word in reversed(words) if not leans(ratings, pairs, word, right=right)][:AWAY]
    return random.Random(f"{seed} {right}").sample([*towards, *away], len(towards) + len(away))  # noqa: S311


def self_agreement(first: Sequence[int], second: Sequence[int], tolerance: int) -> float:
    """Return the share of repeated ratings that differ by at most `tolerance` points.

    The rule is ours. Cao et al. 2022 ask for 80% and do not say when two ratings are the same.
    """
    alike = [abs(one - other) <= tolerance for one, other in zip(first, second, strict=True)]
    return sum(alike) / len(alike)


def is_fast(times: Sequence[tuple[int, int]]) -> bool:
    """Return whether the median of seconds per pair is below LEAST_SECONDS. `times` holds seconds and pairs by group.

    The median, so that one group that somebody rates at once says nothing.
    """
    return bool(times) and median(seconds / pairs for seconds, pairs in times) < LEAST_SECONDS


def faults_of(
    checks: Mapping[str, bool],
    agreement: float | None,
    ratings: Sequence[Sequence[int]],
    least: float,
    times: Sequence[tuple[int, int]],
) -> list[str]:
    """Return the keys of FAULTS that hold. Answers count if there is none."""
    every = [rating for own in ratings for rating in own]
    if not every:
        return ["nothing"]
    found = [check for check, right in checks.items() if not right]
    if agreement is None or agreement < least - 1e-9:
        found.append("agreement")
    if len(set(every)) == 1:
        found.append("constant")
    if is_fast(times):
        found.append("fast")
    return found
