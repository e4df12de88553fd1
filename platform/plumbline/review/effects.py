"""Effect sizes as pages show them: of two sets of words, with what each word brings, or of groups on pairs."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plumbline.audits.freezing import frozen_spec
from plumbline.audits.models import Run
from plumbline.methods.association.log_probability import LogProbabilitySpec
from plumbline.methods.ceat.spec import CeatSpec
from plumbline.methods.weat.spec import WeatSpec
from plumbline.results import mean_scores
from plumbline.results.summary import measures, of_run
from plumbline.review.leaning import Lean, lean
from plumbline.review.sentences import words_of
from plumbline.spec.errors import InputError
from plumbline.spec.materials import Materials
from plumbline.spec.measure import Measure
from plumbline.spec.word_sets import WordSets

FEW = "drawn with replacement"
"""How a summary's reason begins where a word had fewer sentences than were drawn."""


@dataclass(frozen=True, slots=True)
class Cuts:
    """How far the effect size lies apart over random cuts of the larger set."""

    count: int
    deviation: float | None
    least: float | None
    greatest: float | None


@dataclass(frozen=True, slots=True)
class Word:
    """What one word brings: how much nearer it lies to the first of the two opposites; None where it is left out."""

    text: str
    value: float | None
    low: float | None = None
    high: float | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two sets, the word nearest to the first of the opposites first, those that are left out last."""

    name: str
    words: tuple[Word, ...]

    @property
    def kept(self) -> list[Word]:
        return [one for one in self.words if one.value is not None]

    @property
    def removed(self) -> list[Word]:
        return [one for one in self.words if one.value is None]


@dataclass(frozen=True, slots=True)
class Cell:
    """An effect size of a group on a pair of opposites."""

    measure: Measure
    lean: Lean
    repeated: bool
    """Whether some word had fewer sentences than were drawn."""


def cuts_of(run: int) -> Cuts | None:
    """Those of the whole; None for sets of one size, which are not cut."""
    found = {one.condition: one for one in measures(of_run(run, "effect_size_of_cuts").filter(template=""))}
    if not found:
        return None
    values = [found[name].value for name in ("standard deviation", "least", "greatest")]
    return Cuts(found["least"].n, *values)


def groups_on_pairs(found: Sequence[Measure]) -> tuple[list[str], list[tuple[str, list[Cell | None]]]]:
    """The pairs, and for each group its cells in their order, from the measures `ceat`."""
    pairs = list(dict.fromkeys(one.attribute for one in found))
    end = max((abs(one.value) for one in found if one.value is not None), default=1.0)
    cells = {(one.group_a, one.attribute): Cell(one, lean(one.value, end), one.reason.startswith(FEW)) for one in found}
    groups = dict.fromkeys(one.group_a for one in found)
    return pairs, [(group, [cells.get((group, pair)) for pair in pairs]) for group in groups]


def sides(run: Run, one: Measure) -> list[Side]:
    """Both sets with what each of their words brings; none where the words are no longer known."""
    if run.probe == "weat":
        return _of_weat(run.pk, one)
    try:
        spec, snapshots = frozen_spec(run)
        if isinstance(spec, LogProbabilitySpec):
            return _of_bias_scores(run, spec, spec.materials(snapshots))
        return _of_ceat(run.pk, spec, snapshots) if isinstance(spec, CeatSpec) else []
    except InputError:
        return []


def _of_weat(run: int, one: Measure) -> list[Side]:
    rows = measures(of_run(run, "word_association").order_by("pk"))
    return [
        _side(
            name,
            [Word(row.group_a, row.value, row.ci_low, row.ci_high, row.reason) for row in rows if row.group_b == name],
        )
        for name in (one.group_a, one.group_b)
    ]


def _of_bias_scores(run: Run, spec: LogProbabilitySpec, materials: Materials) -> list[Side]:
    """Each attribute's mean score with the first targets minus that with the second, over distinct sentences."""
    if spec.params.compare is None:
        return []
    lists = {name: _in_category(materials, name) for name in spec.params.compare}
    texts = [text for own in lists.values() for text in own]
    targets = spec.sides([group.label for group in materials.groups])
    means = [mean_scores.of_attributes(run.pk, _sentences(run, materials, side), texts) for side in targets]
    values = {text: means[0][text] - means[1][text] for text in texts if text in means[0] and text in means[1]}
    out = mean_scores.not_scored(run.pk, [*targets[0], *targets[1]], texts) if len(values) < len(texts) else []
    reasons = {attribute: reason for _, attribute, _, reason in out}
    return [
        _side(name, [Word(text, values.get(text), reason=reasons.get(text, "")) for text in own])
        for name, own in lists.items()
    ]


def _in_category(materials: Materials, name: str) -> list[str]:
    named = zip(materials.attributes, materials.categories, strict=True)
    return [attribute.text for attribute, category in named if category == name]


def _sentences(run: Run, materials: Materials, labels: Sequence[str]) -> list[tuple[str, str]]:
    """Template and group of each distinct sentence: a target that reads like another one counts once."""
    words, some = words_of(run), materials.attributes[0].text
    distinct: dict[tuple[str, str], str] = {}
    for template in materials.templates:
        for label in labels:
            text = "".join(piece.text for piece in words.sentence(template, label, some))
            distinct.setdefault((template, text), label)
    return [(template, label) for (template, _), label in distinct.items()]


def _of_ceat(run: int, spec: CeatSpec, snapshots: Mapping[str, Mapping[str, Any]]) -> list[Side]:
    """Each target's mean cosine with the first attribute set minus that with the second, over all draws."""
    words = spec.sets(snapshots)
    if words is None:
        return []
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
    return [_side(words.names[0], found[: len(words.x)]), _side(words.names[1], found[len(words.x) :])]


def _side(name: str, words: Sequence[Word]) -> Side:
    return Side(name, tuple(sorted(words, key=lambda one: (one.value is None, -(one.value or 0.0)))))


def removed_attributes(run: Run) -> list[tuple[str, str]]:
    """Attribute words that no kept target has a cosine with, each with its reason; for runs on sets of words."""
    try:
        spec, snapshots = frozen_spec(run)
    except InputError:
        return []
    if isinstance(spec, WeatSpec):
        words: WordSets | None = spec.words(snapshots)
    else:
        words = spec.sets(snapshots) if isinstance(spec, CeatSpec) else None
    if words is None:
        return []
    targets, attributes = ([word.text for word in own] for own in (words.targets, words.attributes))
    return lacking(mean_scores.not_scored(run.pk, targets, attributes), len(targets))


def lacking(rows: Sequence[tuple[str, str, str, str]], targets: int) -> list[tuple[str, str]]:
    """Attributes that in some template no target is scored with, from (target, attribute, template, reason)."""
    counts = Counter((attribute, template) for _, attribute, template, _ in rows)
    out = {attribute for (attribute, _), count in counts.items() if count == targets}
    reasons: dict[str, Counter[str]] = {}
    for _, attribute, _, reason in rows:
        reasons.setdefault(attribute, Counter())[reason] += 1
    return sorted((attribute, reasons[attribute].most_common(1)[0][0]) for attribute in out)
