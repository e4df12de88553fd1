"""The sets of words of a CEAT run, and each word's contribution."""

from plumbline.analyses.word_sets.method import Side, Word, WordSetTest, removed_of_sets, side
from plumbline.audits.freezing import frozen_spec
from plumbline.audits.models import Run
from plumbline.methods.ceat.spec import CeatSpec
from plumbline.results import mean_scores
from plumbline.spec.errors import InputError
from plumbline.spec.measure import Measure
from plumbline.spec.word_sets import WordSets


def sides(run: Run, _one: Measure) -> list[Side]:
    """Return both sets, or none for the form with groups or without a valid spec."""
    words = _sets(run)
    return [] if words is None else _of_words(run.pk, words)


def removed_attributes(run: Run) -> list[tuple[str, str]]:
    words = _sets(run)
    return [] if words is None else removed_of_sets(run.pk, words)


def _sets(run: Run) -> WordSets | None:
    try:
        spec, snapshots = frozen_spec(run)
    except InputError:
        return None
    return spec.sets(snapshots) if isinstance(spec, CeatSpec) else None


def _of_words(run: int, words: WordSets) -> list[Side]:
    """Return each target's mean cosine with the first attribute set minus that with the second, over all draws."""
    targets, attributes = ([word.text for word in own] for own in (words.targets, words.attributes))
    a, b = attributes[: len(words.a)], attributes[len(words.a) :]
    near_a, near_b = (mean_scores.of_groups(run, targets, own) for own in (a, b))
    reasons = {group: reason for group, _, _, reason in mean_scores.not_scored(run, targets, attributes)}
    found = [
        Word(text, near_a[text] - near_b[text])
        if text in near_a and text in near_b
        else Word(text, None, reason=reasons.get(text, ""))
        for text in targets
    ]
    return [side(words.names[0], found[: len(words.x)]), side(words.names[1], found[len(words.x) :])]


WORD_SETS = WordSetTest(sides, removed_attributes)
