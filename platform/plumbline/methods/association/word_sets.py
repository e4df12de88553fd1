"""The two attribute lists that an effect size of bias scores compares, and each word's contribution."""

from collections.abc import Sequence

from plumbline.analyses.word_sets.method import Side, Word, WordSetTest, side
from plumbline.audits.freezing import frozen_spec
from plumbline.audits.models import Run
from plumbline.audits.sentence_words import sentence_words
from plumbline.methods.association.log_probability import LogProbabilitySpec
from plumbline.results import mean_scores
from plumbline.spec.errors import InputError
from plumbline.spec.materials import Materials
from plumbline.spec.measure import Measure


def sides(run: Run, _one: Measure) -> list[Side]:
    """Return both lists, or none without a comparison or a valid spec."""
    try:
        spec, snapshots = frozen_spec(run)
        return _of_bias_scores(run, spec, spec.materials(snapshots)) if isinstance(spec, LogProbabilitySpec) else []
    except InputError:
        return []


def _of_bias_scores(run: Run, spec: LogProbabilitySpec, materials: Materials) -> list[Side]:
    """Return each attribute's mean score with the first targets minus that with the second, over distinct sentences."""
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
        side(name, [Word(text, values.get(text), reason=reasons.get(text, "")) for text in own])
        for name, own in lists.items()
    ]


def _in_category(materials: Materials, name: str) -> list[str]:
    named = zip(materials.attributes, materials.categories, strict=True)
    return [attribute.text for attribute, category in named if category == name]


def _sentences(run: Run, materials: Materials, labels: Sequence[str]) -> list[tuple[str, str]]:
    """Return template and group of each distinct sentence. Targets with the same text count once."""
    words, some = sentence_words(run), materials.attributes[0].text
    distinct: dict[tuple[str, str], str] = {}
    for template in materials.templates:
        for label in labels:
            text = "".join(piece.text for piece in words.sentence(template, label, some))
            distinct.setdefault((template, text), label)
    return [(template, label) for (template, _), label in distinct.items()]


WORD_SETS = WordSetTest(sides, score="log probability bias score", words_are_attributes=True)
