"""Whether a person's answers count: attention checks, agreement with oneself, constant ratings. Pure functions."""

from collections.abc import Mapping, Sequence

from plumbline.annotation.survey.plans import Step

MIDDLE = 50
NONE = "none"
"""The answer "none of them" to the check of words."""
FAULTS = {
    Step.NAME_CHECK.value: "did not name the group that was just rated",
    Step.WORD_CHECK.value: "named a word that the sliders did not lean to",
    "agreement": "rated too few repeated pairs alike",
    "constant": "gave every group the same rating on every pair",
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


def self_agreement(first: Sequence[int], second: Sequence[int], tolerance: int) -> float:
    """Return the share of repeated ratings that differ by at most `tolerance` points.

    The rule is ours. Cao et al. 2022 ask for 80% and do not say when two ratings are the same.
    """
    alike = [abs(one - other) <= tolerance for one, other in zip(first, second, strict=True)]
    return sum(alike) / len(alike)


def faults_of(
    checks: Mapping[str, bool], agreement: float | None, ratings: Sequence[Sequence[int]], least: float
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
    return found
