"""Annotation tasks about a SODAPOP run: words to map to traits, distractors to rate."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User

from plumbline.annotation.blinding import blind
from plumbline.annotation.making import make
from plumbline.annotation.models import AnnotationTask, Kind
from plumbline.audits.freezing import frozen_spec
from plumbline.audits.models import Run
from plumbline.methods.sodapop.findings import DIFFERENCE
from plumbline.methods.sodapop.spec import SodapopSpec
from plumbline.methods.sodapop.success_rates import variants
from plumbline.results import distractors
from plumbline.results.distractors import Distractor
from plumbline.results.summary import OF_CELLS, measures, of_run
from plumbline.spec.banks.contexts import Context
from plumbline.spec.errors import InputError
from plumbline.spec.measure import Measure
from plumbline.vocab.models import TraitList, TraitPair

MOST_WORDS = 2000
MOST_DISTRACTORS = 5000

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Words:
    """The selection of a mapping: pairs of groups, the level of p, and the most words per side (None for all)."""

    pairs: tuple[Pair, ...]
    level: float
    most: int | None = None


def pairs_of_groups(run: int) -> list[Pair]:
    """Return the pairs of groups whose words were compared within single contexts."""
    found = of_run(run, DIFFERENCE).exclude(template="").filter(OF_CELLS)
    return list(found.values_list("group_a", "group_b").order_by("group_a", "group_b").distinct())


def words_of_sides(found: Iterable[Measure], chosen: Words) -> dict[Pair, tuple[set[str], set[str]]]:
    """Return for each pair and side the words with p below the level in any single context.

    A word belongs to the side whose names it misleads the model about more. `most` limits the words per side and
    context to those farthest from zero.
    """
    sides: dict[tuple[str, str, str, bool], list[Measure]] = {}
    for one in found:
        if one.value and one.p_value is not None and one.p_value < chosen.level:
            sides.setdefault((one.group_a, one.group_b, one.template, one.value > 0), []).append(one)
    words: dict[Pair, tuple[set[str], set[str]]] = {pair: (set(), set()) for pair in chosen.pairs}
    for (a, b, _, towards_a), own in sides.items():
        top = sorted(own, key=lambda one: (-abs(one.value or 0.0), one.attribute))[: chosen.most]
        words[a, b][0 if towards_a else 1].update(one.attribute for one in top)
    return words


def make_mapping(run: Run, title: str, chosen: Words, traits: TraitList, seed: int, maker: User) -> AnnotationTask:
    """Create the mapping task. Raises InputError without significant words, or with too many to map."""
    own = [one for pair in chosen.pairs for one in _beyond_chance(run.pk, pair, chosen.level)]
    sides = words_of_sides(own, chosen)
    words = sorted({word for pair in sides.values() for side in pair for word in side})
    if not words:
        raise InputError(f"no word of these groups has p < {chosen.level} in a single context: choose other groups.")
    if len(words) > MOST_WORDS:
        raise InputError(f"{len(words)} words are significant; choose fewer per side, so that all can be mapped.")
    told = {
        "traits": [_trait(one) for one in traits.rows()],
        "trait_list": traits.slug,
        "groups": [list(pair) for pair in chosen.pairs],
        "contexts": sorted({one.template for one in own}),
        "level": chosen.level,
        "most": chosen.most,
        "seed": seed,
    }
    items = [({"word": word}, {"sides": _sides_of(word, sides)}) for word in words]
    return make(AnnotationTask(kind=Kind.MAPPING, title=title, run=run, chosen=told, created_by=maker), items, seed)


def _beyond_chance(run: int, pair: Pair, level: float) -> list[Measure]:
    """Return significant measures of the primary definition.

    Other definitions would repeat its words or add chance ones.
    """
    found = of_run(run, DIFFERENCE).exclude(template="").filter(condition="", p_value__lt=level)
    return measures(found.filter(group_a=pair[0], group_b=pair[1], variant=variants(run, pair)[0]))


def _trait(pair: TraitPair) -> dict[str, str]:
    return {"left": pair.left, "right": pair.right, "dimension": pair.dimension, "key": pair.human_data_key}


def _sides_of(word: str, sides: dict[Pair, tuple[set[str], set[str]]]) -> list[list[str]]:
    """Return for each pair the group that the word belongs to, followed by the other group."""
    found = []
    for (a, b), (of_a, of_b) in sides.items():
        found += [[a, b]] if word in of_a else []
        found += [[b, a]] if word in of_b else []
    return found


def make_rating(run: Run, title: str, wanted: int, seed: int, maker: User) -> AnnotationTask:
    """Create the rating task. Raises InputError if the run has no distractors, or too many are wanted."""
    if not 1 <= wanted <= MOST_DISTRACTORS:
        raise InputError(f"{wanted} distractors are wanted; choose 1 to {MOST_DISTRACTORS}.")
    spec, snapshots = frozen_spec(run)
    if not isinstance(spec, SodapopSpec):
        raise InputError(f"run {run.pk} generates no distractors; choose a run of sodapop.")
    drawn = distractors.sample(run.pk, wanted, seed)
    if not drawn:
        raise InputError(f"run {run.pk} has no distractors yet; wait until it is done.")
    contexts = {one.id: one for one in spec.contexts_of(snapshots)}
    items = [(_shown(one, contexts[one.context]), _origin(one)) for one in drawn]
    told = {"wanted": wanted, "drawn": len(drawn), "of": distractors.count(run.pk), "seed": seed}
    return make(AnnotationTask(kind=Kind.RATING, title=title, run=run, chosen=told, created_by=maker), items, seed)


def _shown(one: Distractor, context: Context) -> dict[str, str]:
    texts = {"context": context.context, "question": context.question, "answer": context.answer, "text": one.text}
    return {key: blind(text, one.name) for key, text in texts.items()}


def _origin(one: Distractor) -> dict[str, Any]:
    return {"context": one.context, "name": one.name, "group": one.group, "text": one.text, "distance": one.distance}
