"""How a method compares sets of words. Its module `word_sets` has it as WORD_SETS."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from plumbline.audits.models import Run
from plumbline.results import mean_scores
from plumbline.spec.measure import Measure
from plumbline.spec.registry import contributed
from plumbline.spec.word_sets import WordSets


@dataclass(frozen=True, slots=True)
class Word:
    """One word's contribution: how much nearer it is to the first of the two opposites. None if it is excluded."""

    text: str
    value: float | None
    low: float | None = None
    high: float | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two sets. The word nearest to the first opposite comes first, excluded words come last."""

    name: str
    words: tuple[Word, ...]

    @property
    def kept(self) -> list[Word]:
        return [one for one in self.words if one.value is not None]

    @property
    def removed(self) -> list[Word]:
        return [one for one in self.words if one.value is None]


@dataclass(frozen=True, slots=True)
class WordSetTest:
    """How pages show a method's effect sizes."""

    sides: Callable[[Run, Measure], list[Side]]
    """Both sets with each word's contribution, or none if the words are no longer known."""
    removed_attributes: Callable[[Run], list[tuple[str, str]]] = lambda _run: []
    """The attribute words without a score for any kept target, each with its reason."""
    score: str = "s(word, A, B)"
    words_are_attributes: bool = False
    """Whether the category of an effect size names the words and its groups are the opposites."""


def word_set_test(probe: str) -> WordSetTest:
    """Return how the method of a probe compares sets of words. By default it does not."""
    return contributed(probe, "word_sets", "WORD_SETS", WordSetTest(lambda _run, _one: []))


def side(name: str, words: Sequence[Word]) -> Side:
    return Side(name, tuple(sorted(words, key=lambda one: (one.value is None, -(one.value or 0.0)))))


def removed_of_sets(run: int, words: WordSets) -> list[tuple[str, str]]:
    """Return the attribute words without a cosine for any kept target, each with its reason."""
    targets, attributes = ([word.text for word in own] for own in (words.targets, words.attributes))
    return lacking(mean_scores.not_scored(run, targets, attributes), len(targets))


def lacking(rows: Sequence[tuple[str, str, str, str]], targets: int) -> list[tuple[str, str]]:
    """Return the attributes that in some template have no score with any target.

    `rows` holds (target, attribute, template, reason).
    """
    counts = Counter((attribute, template) for _, attribute, template, _ in rows)
    out = {attribute for (attribute, _), count in counts.items() if count == targets}
    reasons: dict[str, Counter[str]] = {}
    for _, attribute, _, reason in rows:
        reasons.setdefault(attribute, Counter())[reason] += 1
    return sorted((attribute, reasons[attribute].most_common(1)[0][0]) for attribute in out)
